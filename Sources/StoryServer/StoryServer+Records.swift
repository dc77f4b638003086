public import JSONText

extension StoryServer {
  /// Starts a session for an account, which is made where it is missing, without a password.
  ///
  /// The session lives in memory alone: it ends with the server at the latest and leaves nothing in
  /// the data folder. For a program that serves its own data to itself.
  ///
  /// - Throws: `StoryServerError.invalidEmail`, or `.file` where a new account cannot be written.
  public func issueToken(
    email: String, name: String? = nil
  ) throws(StoryServerError) -> IssuedSession {
    let number = try account(email, name: name)
    let options = core.options
    let (session, entry) = IssuedSession.make(
      account: number, now: options.clock(), lifetime: options.sessionLifetime,
      random: options.random)
    try store.addSession(entry, isLogged: false, now: options.clock())
    return session
  }

  /// Replaces all records of an account, which is made where it is missing, by those given, but for
  /// those that are to stay.
  ///
  /// For a server that starts from a copy of its data kept elsewhere. Ids, `updatedAt` and unknown
  /// members stay as given, and nothing is checked against the limits of the contract; the order is
  /// by the parsed `updatedAt`. Tombstones and the state tag go, and so do remembered
  /// `Idempotency-Key`s but for those whose answer is a record that stays; the account's clock does not go back. `stateTag` is written after the last record: after a crash in
  /// between there is none, and this can be done again. The records are taken one by one, so that
  /// a lazy sequence needs no more memory than one of them.
  ///
  /// - Parameters:
  ///   - email: the account's address.
  ///   - records: what the account has from now on.
  ///   - stateTag: what ``stateTag(of:)`` gives from now on.
  ///   - stays: returns whether a live record with an id stays as it is, if none of `records` has that
  ///     id.
  /// - Returns: the records that could not be taken, with the reason.
  /// - Throws: `StoryServerError.alreadyStarted`, `.stopped`, `.invalidEmail`, or `.file`.
  public func replaceRecords(
    of email: String, with records: some Sequence<ImportedRecord>, stateTag: String? = nil,
    keeping stays: (String) -> Bool = { _ in false }
  ) throws(StoryServerError) -> [RefusedRecord] {
    try requireNotStarted()
    let number = try account(email, name: nil)
    let refused = try store.replaceRecords(
      of: number, with: records, stateTag: stateTag, keeping: stays)
    core.service.workshop.media.sweep(number) {
      store.withState { state in
        RecordKind.allCases.flatMap { kind in
          state[number][kind].slots.filter { !$0.isDeleted }.map { (kind: kind, id: $0.id) }
        }
      }
    }
    return refused
  }

  /// The text that was last set with ``setStateTag(_:of:)`` or came with the records.
  ///
  /// - Returns: `nil` where there is none or no such account.
  public func stateTag(of email: String) -> String? {
    Email(email).flatMap { store.account($0) }.flatMap { store.stateTag(of: $0.number) }
  }

  /// Keeps a short text with an account, such as the digest of what its records were last taken
  /// from. It is stored when this returns.
  ///
  /// - Throws: `StoryServerError.unknownAccount`, `.stopped`, or `.file`.
  public func setStateTag(_ tag: String?, of email: String) throws(StoryServerError) {
    guard let account = Email(email).flatMap({ store.account($0) }) else {
      throw .unknownAccount(email: email)
    }
    guard store.stateTag(of: account.number) != tag else { return }
    try store.setStateTag(tag, of: account.number)
  }

  /// A record as the server has it.
  public struct StoredRecord: Sendable, Equatable {
    /// The id.
    public let id: String
    /// Whether it is a tombstone.
    public let isDeleted: Bool
    /// The record, or the tombstone, as JSON.
    public let json: [UInt8]

    /// ``json`` as a value.
    public var value: JSONValue? { try? JSONDocument(parsing: json).root.value }
  }

  /// An account's records of a kind with their tombstones, in the order of (`updatedAt`, `id`).
  ///
  /// - Throws: `StoryServerError.unknownAccount`, or `.file` where the log cannot be read.
  public func records(
    _ kind: RecordKind, of email: String
  ) throws(StoryServerError) -> [StoredRecord] {
    guard let account = Email(email).flatMap({ store.account($0) }) else {
      throw .unknownAccount(email: email)
    }
    var records: [StoredRecord] = []
    for slot in store.records(kind, of: account.number).ordered {
      let json =
        slot.isDeleted
        ? RecordWriter.tombstone(id: slot.id.text, at: slot.at) : try store.file.read(slot.data)
      records.append(StoredRecord(id: slot.id.text, isDeleted: slot.isDeleted, json: json))
    }
    return records
  }

  /// What was answered to ``perform(_:_:body:headers:as:)``.
  public struct Answer: Sendable {
    /// The status.
    public let status: Int
    /// The header fields besides those of every answer.
    public let headers: [(name: String, value: String)]
    /// The body.
    public let body: [UInt8]

    /// ``body`` as a value.
    public var value: JSONValue? { try? JSONDocument(parsing: body).root.value }
  }

  /// Carries out a request for an account without a connection; fault rules and the request log do
  /// not see it.
  ///
  /// - Parameters:
  ///   - method: the method, such as `PATCH`.
  ///   - target: the path and query, percent-encoded.
  ///   - body: the body; `nil` for none. `Content-Type` is added to it.
  ///   - headers: further header fields by name.
  ///   - email: the account's address.
  /// - Returns: the answer; status 400 without a body where `target` is no path.
  /// - Throws: `StoryServerError.unknownAccount`.
  public func perform(
    _ method: String, _ target: String, body: JSONValue? = nil,
    headers: [String: String] = [:], as email: String
  ) throws(StoryServerError) -> Answer {
    guard let account = Email(email).flatMap({ store.account($0) }) else {
      throw .unknownAccount(email: email)
    }
    var fields = headers.sorted { $0.key < $1.key }.map { HTTPHeader($0.key, $0.value) }
    fields.append(HTTPHeader("Host", String(url.dropFirst("http://".count))))
    if body != nil { fields.append(HTTPHeader("Content-Type", "application/json")) }
    guard let target = HTTPTarget(target) else {
      return Answer(status: 400, headers: [], body: [])
    }
    let request = HTTPRequest(
      method: method, target: target, headers: HTTPHeaders(fields), body: body?.compactBytes ?? [])
    let response = core.service.answer(request, from: .account(account.number))
    return Answer(
      status: response.status, headers: response.headers.map { ($0.name, $0.value) },
      body: response.body)
  }

  private func account(_ email: String, name: String?) throws(StoryServerError) -> Int {
    guard let address = Email(email) else { throw .invalidEmail(email) }
    if let account = store.account(address) { return account.number }
    let options = core.options
    let number = try store.addAccount(
      id: core.service.dialect.newID(options.random), email: address, name: name, password: nil,
      now: options.clock())
    try store.waitUntilStored()
    // Another thread may have made it in between.
    return number ?? store.account(address)?.number ?? 0
  }
}
