import Synchronization

/// Work that many tasks request at the same time and that is done once for all of them.
///
/// It continues if a waiting task is cancelled: others may wait too, and the renewal of a session
/// must not be interrupted.
final class SharedWork<Value: Sendable>: Sendable {
  private typealias Outcome = Result<Value, APIError>

  /// Those who wait for the running work; empty if nothing is running.
  private let waiting = Mutex<[AsyncStream<Outcome>.Continuation]>([])

  /// Returns the result of the running work, or of `work` if nothing is running.
  ///
  /// - Throws: The errors of the work; `APIError.cancelled` as soon as the task is cancelled.
  func value(
    _ work: @escaping @Sendable () async throws(APIError) -> Value
  ) async throws(APIError) -> Value {
    guard !Task.isCancelled else { throw .cancelled }
    let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
    let isFirst = waiting.withLock { waiting in
      waiting.append(continuation)
      return waiting.count == 1
    }
    if isFirst { Task { finish(await Outcome.catching(work)) } }
    // A stream ends when the task that iterates over it is cancelled.
    for await outcome in outcomes { return try outcome.get() }
    throw .cancelled
  }

  private func finish(_ outcome: Outcome) {
    let waiting = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for continuation in waiting { continuation.yield(outcome) }
  }
}

extension Result {
  /// Returns the result of `work`, or its error.
  package static func catching(
    _ work: () async throws(Failure) -> Success
  ) async -> Result<Success, Failure> {
    do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
  }
}
