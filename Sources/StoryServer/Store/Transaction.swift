import JSONText
import StoryLibrary

/// Changes to an account's records, gathered under the store's lock and written together.
///
/// Others see all of the lines or none. After a power failure during the write, the log may hold
/// only the first lines, so order matters: write a line before the lines that depend on it.
struct Transaction: ~Copyable {
  private let now: Int64
  private let file: LogFile
  private(set) var state: Account
  private var lines: [(entry: LogEntry, data: [UInt8])] = []

  init(account: Account, now: Int64, file: LogFile) {
    self.now = now
    self.file = file
    state = account
  }

  func record(_ kind: RecordKind, _ id: RecordID) throws(APIFailure) -> JSONNode? {
    guard let slot = state[kind].live(id) else { return nil }
    return try parsed(try stored(try file.read(slot.data)))
  }

  func hero(of story: JSONNode) throws(APIFailure) -> JSONNode? {
    guard let id = story["heroId"]?.string else { return nil }
    return try record(.heroes, RecordID(id))
  }

  /// Adds a record.
  ///
  /// - Returns: The record's JSON.
  @discardableResult
  mutating func create(
    _ draft: RecordDraft, id: RecordID, remembered: RememberedRequest? = nil
  ) -> [UInt8] {
    let at = state.nextTime(now: now)
    let record = draft.newRecord(id: id.text, at: at)
    put(draft.kind, id, at: at, owner: draft.owner, remembered, record)
    return record
  }

  /// Changes a record if it exists and the values differ.
  ///
  /// - Returns: The record afterwards, or `nil` if there is no such record.
  @discardableResult
  mutating func change(
    _ kind: RecordKind, _ id: RecordID, _ values: [(name: String, value: JSONValue)]
  ) throws(APIFailure) -> [UInt8]? {
    guard let current = try record(kind, id) else { return nil }
    return change(kind, id, current, RecordDraft(kind, values).values, nil)
  }

  /// Changes a record. A change without effect keeps the version, but its key is still remembered.
  ///
  /// - Returns: The record afterwards.
  mutating func change(
    _ kind: RecordKind, _ id: RecordID, _ current: JSONNode, _ values: [RecordValue],
    _ remembered: RememberedRequest?
  ) -> [UInt8] {
    let before = state[kind].slot(id)?.at
    let at = state.nextTime(now: now, after: before)
    let changed = RecordText.changing(current.document, values, updatedAt: at.version)
    let record = changed ?? current.document.bytes
    guard changed != nil || remembered != nil else { return record }
    let owner = kind.ownerField.flatMap { name in
      values.first { $0.field.name == name }?.value.string ?? current[name]?.string
    }
    put(kind, id, at: changed == nil ? before ?? at : at, owner: owner, remembered, record)
    return record
  }

  mutating func put(
    _ kind: RecordKind, _ id: RecordID, at: Timestamp, owner: String?,
    _ remembered: RememberedRequest?, _ record: [UInt8]
  ) {
    let put = LogEntry.PutEntry(
      account: state.number, kind: kind, id: id, at: at, hero: owner.map { RecordID($0) },
      remembered: remembered)
    lines.append((.put(put), record))
  }

  mutating func delete(_ kind: RecordKind, _ ids: [RecordID]) {
    let items = ids.filter { state[kind].live($0) != nil }
    guard !items.isEmpty else { return }
    delete(items.map { .init(kind: kind, id: $0) }, nil, answer: Array("null".utf8))
  }

  /// Deletes records.
  ///
  /// The deletion is at least a millisecond later than the last change of each of them.
  mutating func delete(
    _ items: [LogEntry.DeleteEntry.Item], _ remembered: RememberedRequest?, answer: [UInt8]
  ) {
    let latest = items.compactMap { state[$0.kind].slot($0.id)?.at }.max()
    let entry = LogEntry.DeleteEntry(
      account: state.number, at: state.nextTime(now: now, after: latest), items: items,
      remembered: remembered)
    state.note(entry.end)
    lines.append((.delete(entry), answer))
  }

  mutating func remember(_ remembered: RememberedRequest?, answer: [UInt8]) {
    guard let remembered else { return }
    lines.append((.answer(account: state.number, remembered: remembered), answer))
  }

  mutating func setWork(_ story: RecordID, isOpen: Bool) {
    lines.append((.work(account: state.number, story: story, isOpen: isOpen), []))
  }

  /// Counts an item that is about to be made.
  ///
  /// - Throws: `APIFailure` with status 429 and `Retry-After` if the hourly limit is reached.
  mutating func use(_ what: Making, limit: Int) throws(APIFailure) {
    var use = try state.allowance.use(of: what, below: limit, now: now)
    use.count += 1
    lines.append((.use(account: state.number, use), []))
  }

  /// Ends the transaction and returns the lines to write.
  consuming func finish() -> [(entry: LogEntry, data: [UInt8])] { lines }
}

extension Store {
  /// Makes changes to an account's records, all or none.
  ///
  /// On return they are in the log. Call ``waitUntilStored()`` before acknowledging them.
  func change<Result: Sendable>(
    _ account: Int, now: Int64,
    _ body: (inout Transaction) throws(APIFailure) -> Result
  ) throws(APIFailure) -> Result {
    try withState { (state) throws(APIFailure) -> Result in
      var transaction = Transaction(account: state[account], now: now, file: file)
      let result = try body(&transaction)
      // End the transaction before the change, because a state that it still holds would be copied.
      let lines = transaction.finish()
      if !lines.isEmpty { try stored(try append(lines, to: &state)) }
      return result
    }
  }
}
