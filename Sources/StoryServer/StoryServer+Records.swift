public import JSONText

extension StoryServer {
  /// Starts a session for an account, creating the account without a password if needed.
  ///
  /// The session is kept only in memory: it ends with the server at the latest and leaves nothing
  /// in the data folder. Use this in a program that serves its own data to itself.
  ///
  /// - Parameters:
  ///   - email: The account's email address.
  ///   - name: The name of a new account.
  /// - Returns: The session's tokens.
  /// - Throws: `StoryServerError.invalidEmail`, or `.file` if the account cannot be written.
  public func issueToken(
    email: String, name: String? = nil
  ) throws(StoryServerError) -> IssuedSession {
    let number = try account(email, name: name)
    let now = service.options.clock()
    let (session, entry) = IssuedSession.make(account: number, now: now, service.options)
    try store.addSession(entry, isLogged: false, now: now)
    return session
  }

  /// Replaces an account's records, except those to keep, creating the account if needed.
  ///
  /// Use this for a server that starts from a copy of its data. Ids, `updatedAt` and unknown
  /// members stay as given, and the contract's limits are not checked. The order is by the parsed
  /// `updatedAt`. The pictures and narrations of records that did not come stay until their room is
  /// needed, as the records may come back. Tombstones and the state tag are removed, and so are remembered
  /// `Idempotency-Key`s, except those whose answer is a record that is kept. The account's clock
  /// does not go back. `stateTag` is written after the last record: after a crash it is missing,
  /// or empty if something was kept, and the caller can start over. Records are read one by one, so a lazy sequence needs memory
  /// for only one.
  ///
  /// - Parameters:
  ///   - email: The account's email address.
  ///   - records: The account's new records.
  ///   - stateTag: The new value of ``stateTag(of:)``.
  ///   - isComplete: Returns, after the last record, whether these were all. If not, or if one was
  ///     refused, the illustrations of stories that did not come are kept.
  ///   - stays: Returns whether to keep an existing record by its id, if none of `records` has that
  ///     id.
  /// - Returns: The records that were refused, with the reason.
  /// - Throws: `StoryServerError.alreadyStarted`, `.stopped`, `.invalidEmail`, or `.file`.
  public func replaceRecords(
    of email: String, with records: some Sequence<ImportedRecord>, stateTag: String? = nil,
    isComplete: () -> Bool = { true },
    keeping stays: (String) -> Bool = { _ in false }
  ) throws(StoryServerError) -> [RefusedRecord] {
    try requireNotStarted()
    let number = try account(email, name: nil)
    return try store.replaceRecords(
      of: number, with: records, stateTag: stateTag, isComplete: isComplete, keeping: stays)
  }

  /// Returns the tag last set with ``setStateTag(_:of:)`` or together with the records.
  ///
  /// - Parameter email: The account's email address.
  /// - Returns: The tag, or `nil` if there is no tag or no such account.
  public func stateTag(of email: String) -> String? {
    Email(email).flatMap { store.account($0) }.flatMap { store.stateTag(of: $0.number) }
  }

  /// Stores a short text with an account, such as a digest of the source of its records. It is
  /// stored durably on return.
  ///
  /// - Parameters:
  ///   - tag: The text, or `nil` to remove it.
  ///   - email: The account's email address.
  /// - Throws: `StoryServerError.unknownAccount`, `.stopped`, or `.file`.
  public func setStateTag(_ tag: String?, of email: String) throws(StoryServerError) {
    let account = try known(email)
    if store.stateTag(of: account) != tag { try store.setStateTag(tag, of: account) }
  }

  /// A record as stored by the server.
  public struct StoredRecord: Sendable, Equatable {
    /// The record's id.
    public let id: String
    /// Whether it is a tombstone.
    public let isDeleted: Bool
    /// The record or tombstone as JSON.
    public let json: [UInt8]

    /// ``json``, parsed.
    public var value: JSONValue? { try? JSONDocument(parsing: json).root.value }
  }

  /// Returns an account's records of a kind, including tombstones, in the order of (`updatedAt`,
  /// `id`).
  ///
  /// - Parameters:
  ///   - kind: The kind of records.
  ///   - email: The account's email address.
  /// - Returns: The records and tombstones.
  /// - Throws: `StoryServerError.unknownAccount`, or `.file` if the log cannot be read.
  public func records(
    _ kind: RecordKind, of email: String
  ) throws(StoryServerError) -> [StoredRecord] {
    let account = try known(email)
    return try store.records(kind, of: account).ordered.map { (slot) throws(StoryServerError) in
      StoredRecord(id: slot.id.text, isDeleted: slot.isDeleted, json: try store.text(of: slot))
    }
  }

  private func known(_ email: String) throws(StoryServerError) -> Int {
    guard let account = Email(email).flatMap({ store.account($0) }) else {
      throw .unknownAccount(email: email)
    }
    return account.number
  }

  private func account(_ email: String, name: String?) throws(StoryServerError) -> Int {
    guard let address = Email(email) else { throw .invalidEmail(email) }
    if let account = store.account(address) { return account.number }
    let options = service.options
    let number = try store.addAccount(
      id: service.dialect.newID(options.random), email: address, name: name, password: nil,
      now: options.clock())
    try store.waitUntilStored()
    // Another thread may have created it in the meantime.
    return number ?? store.account(address)?.number ?? 0
  }
}
