import StoryLibrary

/// The requests with an `Idempotency-Key` that an account sent, and where their answers stand.
///
/// An answer is the record that the request wrote, and the log keeps that line as long as it is
/// remembered: an entry costs some 90 bytes of memory and no bytes of answer.
struct IdempotencyMemory: Sendable {
  /// How long an answer is kept at least, in milliseconds.
  static let lifetime: Int64 = 7 * 86_400_000

  struct Entry: Sendable {
    var request: HalfDigest
    var status: Int
    var time: Int64
    var answer: LogRange
  }

  private(set) var entries: [HalfDigest: Entry] = [:]
  private var pruneAt = 1024

  /// What was answered to a key.
  func entry(_ key: HalfDigest) -> Entry? { entries[key] }

  /// Remembers an answer, forgetting those that are old enough.
  mutating func remember(_ remembered: RememberedRequest, answer: LogRange) {
    if entries.count >= pruneAt {
      forget(before: remembered.time - Self.lifetime)
      pruneAt = max(1024, 2 * entries.count)
    }
    entries[remembered.key] = Entry(
      request: remembered.request, status: remembered.status, time: remembered.time,
      answer: answer)
  }

  /// Forgets what was answered before a moment, in milliseconds of the server's clock.
  mutating func forget(before time: Int64) {
    entries = entries.filter { $0.value.time >= time }
  }
}
