import JSONText
import StoryLibrary

/// Changes that the server makes on its own, gathered under the store's lock and written together.
///
/// Others see all of the lines or none. After a power failure during the write, the log may hold
/// only the first lines, so order matters: write a line before the lines that depend on it.
struct Transaction: ~Copyable {
  let account: Int
  let now: Int64
  private let file: LogFile
  private var state: Account
  private var lines: [(entry: LogEntry, data: [UInt8])] = []

  init(account: Account, now: Int64, file: LogFile) {
    self.account = account.number
    self.now = now
    self.file = file
    state = account
  }

  /// The current record, or `nil`.
  func record(_ kind: RecordKind, _ id: RecordID) throws(APIFailure) -> JSONNode? {
    guard let slot = state[kind].live(id) else { return nil }
    do {
      return try JSONDocument(parsing: file.read(slot.data)).root
    } catch {
      throw .storage
    }
  }

  /// Returns the hero of a story, or `nil`.
  func hero(of story: JSONNode) throws(APIFailure) -> JSONNode? {
    guard let id = story["heroId"]?.string else { return nil }
    return try record(.heroes, RecordID(id))
  }

  /// Returns the ids of the records that belong to `owner`, in no particular order.
  func ids(_ kind: RecordKind, of owner: RecordID) -> [RecordID] { state[kind].ids(of: [owner]) }

  /// Returns whether the answer for a key is remembered.
  func remembers(_ key: HalfDigest) -> Bool { state.memory.entry(key) != nil }

  /// Stories with illustrations still to be drawn.
  var work: [RecordID] { state.work }

  private mutating func nextTime(after previous: Timestamp? = nil) -> Timestamp {
    let time = state.nextTime(now: now, after: previous)
    state.note(time)
    return time
  }

  /// Adds a record.
  ///
  /// - Returns: The record's JSON.
  @discardableResult
  mutating func create(
    _ draft: RecordDraft, id: RecordID, remembered: RememberedRequest? = nil
  ) -> [UInt8] {
    let at = nextTime()
    let record = draft.newRecord(id: id.text, at: at)
    let put = LogEntry.PutEntry(
      account: account, kind: draft.kind, id: id, at: at,
      hero: draft.owner.map { RecordID($0) }, remembered: remembered)
    lines.append((.put(put), record))
    return record
  }

  /// Changes a record if it exists and the values differ.
  ///
  /// - Returns: The record afterwards, or `nil` if there is no such record.
  @discardableResult
  mutating func change(
    _ kind: RecordKind, _ id: RecordID, _ values: [(name: String, value: JSONValue)]
  ) throws(APIFailure) -> [UInt8]? {
    guard let slot = state[kind].live(id), let current = try record(kind, id) else { return nil }
    let values = values.compactMap { kind.value($0.name, $0.value) }
    let at = nextTime(after: slot.at)
    guard let record = RecordWriter.changing(current.document, values, updatedAt: at.version) else {
      return current.document.bytes
    }
    let owner = kind.ownerField.flatMap { current[$0]?.string }
    let put = LogEntry.PutEntry(
      account: account, kind: kind, id: id, at: at, hero: owner.map { RecordID($0) },
      remembered: nil)
    lines.append((.put(put), record))
    return record
  }

  /// Deletes records of a kind.
  mutating func delete(_ kind: RecordKind, _ ids: [RecordID]) {
    let slots = ids.compactMap { state[kind].live($0) }
    guard let latest = slots.map(\.at).max() else { return }
    let items = slots.map { LogEntry.DeleteEntry.Item(kind: kind, id: $0.id) }
    let entry = LogEntry.DeleteEntry(
      account: account, at: nextTime(after: latest), items: items, remembered: nil)
    state.note(entry.end)
    lines.append((.delete(entry), Array("null".utf8)))
  }

  /// Remembers an answer that is not a record.
  mutating func remember(_ remembered: RememberedRequest?, answer: [UInt8]) {
    guard let remembered else { return }
    lines.append((.answer(account: account, remembered: remembered), answer))
  }

  /// Adds a story to the illustration work, or removes it.
  mutating func setWork(_ story: RecordID, isOpen: Bool) {
    lines.append((.work(account: account, story: story, isOpen: isOpen), []))
  }

  /// Ends the transaction.
  ///
  /// - Returns: The lines to write.
  consuming func finish() -> [(entry: LogEntry, data: [UInt8])] { lines }

  /// Counts an item that is about to be made.
  ///
  /// - Throws: `APIFailure` with status 429 and `Retry-After` if the hourly limit is reached.
  mutating func use(_ what: Making, limit: Int) throws(APIFailure) {
    var use = state.allowance.use(of: what, now: now)
    guard use.count < limit else { throw .limitReached(what, use, limit: limit, now: now) }
    use.count += 1
    lines.append((.use(account: account, use), []))
  }
}

extension Store {
  /// Makes changes to an account's records, all or none.
  ///
  /// On return they are in the log. Call ``waitUntilStored(_:)`` before acknowledging them.
  func change<Result: Sendable>(
    _ account: Int, now: Int64,
    _ body: (inout Transaction) throws(APIFailure) -> Result
  ) throws(APIFailure) -> Result {
    try withState { (state) throws(APIFailure) -> Result in
      var transaction = Transaction(account: state[account], now: now, file: file)
      let result = try body(&transaction)
      // End the transaction before the change, because a state that it still holds would be copied.
      let lines = transaction.finish()
      guard !lines.isEmpty else { return result }
      do throws(StoryServerError) {
        try append(lines, to: &state, of: account)
      } catch {
        throw .storage
      }
      return result
    }
  }
}

extension APIFailure {
  /// Status 429 for reaching an hourly limit, with the time to wait.
  static func limitReached(
    _ what: Making, _ use: Allowance.Use, limit: Int, now: Int64
  ) -> APIFailure {
    let seconds = max(1, (use.since + Allowance.period - now + 999) / 1000)
    return APIFailure(
      429, "rateLimited",
      "This server makes \(limit) \(what.noun) an hour; more of them in \(seconds) s.",
      headers: [HTTPHeader("Retry-After", String(seconds))])
  }
}
