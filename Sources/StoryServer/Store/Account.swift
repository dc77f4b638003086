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
  private var collections: [RecordCollection]
  var memory = IdempotencyMemory()
  var stateTag: String?
  /// The stories whose pictures are to be made, in the order in which that was asked for.
  private(set) var work: [RecordID] = []
  /// What was made in this hour.
  var allowance = Allowance()
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
    case .illustrations: 3
    }
  }

  /// The time for a change: by the clock, but behind every time that was given before, which a list
  /// may have shown and a cursor have passed, and at least a millisecond after the record's own.
  ///
  /// No two changes of an account have the same one: whoever asks for what is new since the last one
  /// gets that one again and nothing else. It counts once ``note(_:)`` is told that the change was
  /// written.
  func nextTime(now: Int64, after previous: Timestamp? = nil) -> Timestamp {
    let time = max(Timestamp(milliseconds: now), clock.next)
    return previous.map { max(time, $0.nextMillisecond) } ?? time
  }

  /// Keeps the clock from going below a record's time.
  mutating func note(_ time: Timestamp) { clock = max(clock, time) }

  /// Notes that a story's pictures are to be made, or are done.
  mutating func setWork(_ story: RecordID, isOpen: Bool) {
    work.removeAll { $0 == story }
    if isOpen { work.append(story) }
  }

  /// Drops all records and what was remembered of requests; the clock stays.
  mutating func removeRecords() {
    collections = RecordKind.allCases.map { _ in RecordCollection() }
    memory = IdempotencyMemory()
    stateTag = nil
    work = []
  }
}
