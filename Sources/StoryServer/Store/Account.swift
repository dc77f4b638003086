/// An account with its records and everything the server remembers about it.
struct Account: Sendable {
  /// The account as in the log, with the latest time given to any of its records.
  var entry: LogEntry.AccountEntry
  private var collections: [RecordKind: RecordCollection] = [:]
  var memory = IdempotencyMemory()
  var stateTag: String?
  /// Stories with illustrations still to be drawn, in the order in which they were requested.
  private(set) var work: [RecordID] = []
  var allowance = Allowance()

  init(_ entry: LogEntry.AccountEntry) { self.entry = entry }

  var number: Int { entry.number }

  subscript(kind: RecordKind) -> RecordCollection {
    get { collections[kind] ?? RecordCollection() }
    _modify { yield &collections[kind, default: RecordCollection()] }
  }

  /// Returns the time for a change: the current time, but later than every time given before, and
  /// at least a millisecond after the record's own.
  ///
  /// A list may already have shown the earlier times, and a cursor may have passed them. No two
  /// changes of an account share a time, so a client that asks for changes since the last one gets
  /// that one again and nothing else.
  mutating func nextTime(now: Int64, after previous: Timestamp? = nil) -> Timestamp {
    let time = max(Timestamp(milliseconds: now), entry.clock.next)
    entry.clock = previous.map { max(time, $0.nextMillisecond) } ?? time
    return entry.clock
  }

  mutating func note(_ time: Timestamp) { entry.clock = max(entry.clock, time) }

  mutating func remember(_ remembered: RememberedRequest?, _ answer: Range<Int>) {
    if let remembered { memory.remember(remembered, answer: answer) }
  }

  mutating func setWork(_ story: RecordID, isOpen: Bool) {
    work.removeAll { $0 == story }
    if isOpen { work.append(story) }
  }

  /// Removes the records, except those with the given ids, and what belongs to them: remembered answers
  /// and open work. The clock stays. If there was a tag and
  /// anything is kept, the tag becomes empty: neither missing nor that of a library.
  mutating func removeRecords(except ids: Set<RecordID>) {
    collections = collections.mapValues { $0.keeping(ids) }
    memory.forget(except: Set(collections.values.flatMap { $0.slots.map(\.data) }))
    stateTag = ids.isEmpty ? nil : stateTag.map { _ in "" }
    work.removeAll { !ids.contains($0) }
  }
}
