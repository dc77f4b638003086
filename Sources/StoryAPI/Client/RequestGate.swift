import Synchronization

/// Limits the number of concurrent requests; the others wait in order.
final class RequestGate: Sendable {
  private struct State {
    var free: Int
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var cancelled: Set<Int> = []
    var next = 0
  }

  private let state: Mutex<State>

  init(limit: Int) { state = Mutex(State(free: max(1, limit))) }

  /// Waits for capacity. Returns `false` if the task was cancelled; then there is no ``leave()``.
  func enter() async -> Bool {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    let isIn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Bool? in
          if state.cancelled.contains(number) { return false }
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append((number, continuation))
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        state.cancelled.insert(number)
        guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
          return nil
        }
        return state.waiting.remove(at: place).continuation
      }
      waiter?.resume(returning: false)
    }
    state.withLock { _ = $0.cancelled.remove(number) }
    return isIn
  }

  /// Passes the capacity on to the next waiting request.
  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
