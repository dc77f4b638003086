import StoryLibrary

/// An account's requests with an `Idempotency-Key`, each with the position of its answer in the
/// log.
///
/// An answer is the record that the request wrote, and the log keeps that line as long as the
/// answer is remembered. An entry takes about 110 bytes of memory and no copy of the answer.
struct IdempotencyMemory: Sendable {
  /// The minimum time to keep an answer, in milliseconds.
  static let lifetime: Int64 = 7 * 86_400_000

  /// The requests by their keys.
  private(set) var entries: [HalfDigest: (request: RememberedRequest, answer: Range<Int>)] = [:]
  private var pruneAt = 1024

  /// Remembers an answer. From time to time, forgets those older than ``lifetime``.
  mutating func remember(_ remembered: RememberedRequest, answer: Range<Int>) {
    if entries.count >= pruneAt {
      forget(before: remembered.time - Self.lifetime)
      pruneAt = max(1024, 2 * entries.count)
    }
    entries[remembered.key] = (remembered, answer)
  }

  /// Forgets all but the given answers.
  mutating func forget(except answers: Set<Range<Int>>) {
    entries = entries.filter { answers.contains($0.value.answer) }
  }

  /// Forgets answers given before a time, in milliseconds of the server's clock.
  mutating func forget(before time: Int64) {
    entries = entries.filter { $0.value.request.time >= time }
  }
}
