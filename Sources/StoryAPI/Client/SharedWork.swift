import Synchronization

/// Work that many tasks request at the same time and that is done once for all of them.
///
/// It continues if a waiting task is cancelled: others may wait too, and the renewal of a session
/// must not be interrupted.
final class SharedWork<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, APIError>

  private struct State {
    var isRunning = false
    var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    var cancelled: Set<Int> = []
    var next = 0
  }

  private let state = Mutex(State())

  /// Returns the result of the running work, or of `work` if nothing is running.
  ///
  /// - Throws: The errors of the work; `APIError.cancelled` as soon as the task is cancelled.
  func value(_ work: @escaping @Sendable () async -> Outcome) async throws(APIError) -> Value {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isCancelled, starts) = state.withLock { state in
          guard !state.cancelled.contains(number) else { return (true, false) }
          state.waiting[number] = continuation
          defer { state.isRunning = true }
          return (false, !state.isRunning)
        }
        if isCancelled { continuation.resume(returning: .failure(.cancelled)) }
        if starts { Task { finish(await work()) } }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.cancelled.insert(number)
        return state.waiting.removeValue(forKey: number)
      }
      waiter?.resume(returning: .failure(.cancelled))
    }
    state.withLock { _ = $0.cancelled.remove(number) }
    return try outcome.get()
  }

  private func finish(_ outcome: Outcome) {
    let waiting = state.withLock { state in
      state.isRunning = false
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume(returning: outcome) }
  }
}
