import Synchronization

/// Work that many tasks want at once and that is done once for all of them.
///
/// It goes on where a task that waits for it is cancelled: others may wait as well, and a renewal of
/// a session must not be broken off.
final class SharedWork<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, APIError>

  private struct State {
    var isRunning = false
    var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    var cancelled: Set<Int> = []
    var next = 0
  }

  private let state = Mutex(State())

  /// The outcome of the work under way, or of `work` where there is none.
  ///
  /// - Throws: what the work throws; `APIError.cancelled` as soon as the task is cancelled.
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
