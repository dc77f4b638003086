import JSONText
import StoryLibrary

/// Changes that the server makes by itself, gathered under the store's lock and written in one go.
///
/// What the lines say is seen by others when all of them are written, or never. After a loss of power
/// in the middle of that write the first lines may stand in the log without the others, so the order
/// matters: whatever explains a change comes before it.
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

  /// The hero of a story.
  func hero(of story: JSONNode) throws(APIFailure) -> JSONNode? {
    guard let id = story["heroId"]?.string else { return nil }
    return try record(.heroes, RecordID(id))
  }

  /// The ids of the records that go with one, in no particular order.
  func ids(_ kind: RecordKind, of owner: RecordID) -> [RecordID] { state[kind].ids(of: [owner]) }

  /// What was answered to a key.
  func remembers(_ key: HalfDigest) -> Bool { state.memory.entry(key) != nil }

  /// The work that is open.
  var work: [RecordID] { state.work }

  private mutating func nextTime(after previous: Timestamp? = nil) -> Timestamp {
    let time = state.nextTime(now: now, after: previous)
    state.note(time)
    return time
  }

  /// Adds a record.
  ///
  /// - Returns: its JSON.
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

  /// Changes a record; one that is gone, or would stay as it is, is left alone.
  ///
  /// - Returns: the record afterwards, or `nil`.
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

  /// Remembers an answer that is no record.
  mutating func remember(_ remembered: RememberedRequest?, answer: [UInt8]) {
    guard let remembered else { return }
    lines.append((.answer(account: account, remembered: remembered), answer))
  }

  /// Notes that a story's pictures are to be made, or are done.
  mutating func setWork(_ story: RecordID, isOpen: Bool) {
    lines.append((.work(account: account, story: story, isOpen: isOpen), []))
  }

  /// Ends the transaction.
  ///
  /// - Returns: what is to be written.
  consuming func finish() -> [(entry: LogEntry, data: [UInt8])] { lines }

  /// Counts something that was made.
  ///
  /// - Throws: `APIFailure` 429 with `Retry-After` where the hour's share of it is used up.
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
  /// They are in the log when this returns, and stored after ``waitUntilStored(_:)``.
  func change<Result: Sendable>(
    _ account: Int, now: Int64,
    _ body: (inout Transaction) throws(APIFailure) -> Result
  ) throws(APIFailure) -> Result {
    try withState { (state) throws(APIFailure) -> Result in
      var transaction = Transaction(account: state[account], now: now, file: file)
      let result = try body(&transaction)
      // What the transaction holds of the state is given back first: it would be copied otherwise.
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
  /// 429 for what was made as often as an hour allows, with when to come back.
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
