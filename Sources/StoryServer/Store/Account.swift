/// An account and where its records stand.
struct Account: Sendable {
  let number: Int
  let id: String
  var email: String
  var name: String?
  var password: String?
  let createdAt: String
  /// The highest time that one of its records has had.
  private(set) var clock: Timestamp
  /// No record may get a time before this one: a list has been answered up to here, and its cursor
  /// must not have passed what comes later.
  private var floor: Timestamp
  private var collections: [RecordCollection]
  var memory = IdempotencyMemory()
  var stateTag: String?
  /// Where the log ended after the last change; what is read may have been written up to here.
  var written = 0

  init(_ entry: LogEntry.AccountEntry) {
    number = entry.number
    id = entry.id
    email = entry.email
    name = entry.name
    password = entry.password
    createdAt = entry.createdAt
    clock = entry.clock
    floor = entry.clock
    collections = RecordKind.allCases.map { _ in RecordCollection() }
  }

  var entry: LogEntry.AccountEntry {
    LogEntry.AccountEntry(
      number: number, id: id, email: email, name: name, password: password, createdAt: createdAt,
      clock: clock)
  }

  /// Its records of a kind.
  subscript(kind: RecordKind) -> RecordCollection {
    _read { yield collections[Self.index(of: kind)] }
    _modify { yield &collections[Self.index(of: kind)] }
  }

  private static func index(of kind: RecordKind) -> Int {
    switch kind {
    case .heroes: 0
    case .stories: 1
    case .customEvents: 2
    }
  }

  /// The time for a change: by the clock, but never before one that was given, never before one
  /// that a list has shown, and at least a millisecond after the record's own.
  ///
  /// It counts once ``note(_:)`` is told that the change was written.
  func nextTime(now: Int64, after previous: Timestamp? = nil) -> Timestamp {
    let time = max(Timestamp(milliseconds: now), clock.roundedUp, floor.roundedUp)
    return previous.map { max(time, $0.nextMillisecond) } ?? time
  }

  /// Keeps the clock from going below a record's time.
  mutating func note(_ time: Timestamp) { clock = max(clock, time) }

  /// Keeps later changes behind a row that a list has shown.
  mutating func noteListed(_ time: Timestamp) { floor = max(floor, time.nextMillisecond) }

  /// After a start nobody knows what was listed: everything may have been.
  mutating func noteAllListed() { if clock.microseconds > 0 { noteListed(clock) } }

  /// Drops all records and what was remembered of requests; the clock stays.
  mutating func removeRecords() {
    collections = RecordKind.allCases.map { _ in RecordCollection() }
    memory = IdempotencyMemory()
    stateTag = nil
  }
}
