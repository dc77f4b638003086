import Synchronization

final class RequestGate: Sendable {
  private struct State {
    var free: Int
    var waiting: [(number: Int, turn: AsyncStream<Void>.Continuation)] = []
    var next = 0
  }

  private let state: Mutex<State>

  init(limit: Int) { state = Mutex(State(free: max(1, limit))) }

  /// Waits for capacity. Returns `false` if the task was cancelled; then there is no ``leave()``.
  func enter() async -> Bool {
    if Task.isCancelled { return false }
    let (turns, turn) = AsyncStream.makeStream(of: Void.self)
    let number = state.withLock { state -> Int? in
      if state.free > 0 {
        state.free -= 1
        return nil
      }
      state.next += 1
      state.waiting.append((state.next, turn))
      return state.next
    }
    guard let number else { return true }
    // A stream ends when the task that iterates over it is cancelled.
    for await _ in turns { return true }
    let hadTurn = state.withLock { state in
      guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
        return true
      }
      state.waiting.remove(at: place)
      return false
    }
    if hadTurn { leave() }
    return false
  }

  func leave() {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.free += 1
      } else {
        state.waiting.removeFirst().turn.yield()
      }
    }
  }
}
