import Dispatch
import Synchronization
package import Testing

/// Lets at most sixteen tests that have it run at once.
///
/// Swift Testing starts all tests together. Hundreds that each start a server or a program would starve
/// each other on two cores, and wait for answers for longer than any client does.
package struct TakingTurns: SuiteTrait, TestTrait, TestScoping {
  private static let turns = Turns(16)

  /// Whether its tests go to the head of the line.
  fileprivate var isFirst = false

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // A suite as a whole takes no turn: its tests do.
    guard testCase != nil else { return try await function() }
    await Self.turns.take(isFirst: isFirst)
    defer { Self.turns.give() }
    try await withTaskExecutorPreference(OwnThreads.shared) { try await function() }
  }
}

/// Gives each job a thread, so that tests that wait for programs leave no core idle.
private final class OwnThreads: TaskExecutor {
  static let shared = OwnThreads()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The global queue has a thread per core, and the next one a second after all wait; a serial queue
    // gets one at once.
    DispatchQueue(label: "stories.test").async {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }
}

extension Trait where Self == TakingTurns {
  /// For suites whose tests start servers or programs, or work at the same time on purpose.
  package static var inTurn: Self { Self() }

  /// For those of them that take long by themselves: begun last, they would go on alone in the end.
  package static var firstInTurn: Self { Self(isFirst: true) }
}

/// So many turns; who finds none waits in line.
private final class Turns: Sendable {
  private struct State {
    var free: Int
    var first: [CheckedContinuation<Void, Never>] = []
    var line: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  func take(isFirst: Bool) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          return true
        }
        if isFirst { state.first.append(continuation) } else { state.line.append(continuation) }
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func give() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if !state.first.isEmpty { return state.first.removeFirst() }
      if !state.line.isEmpty { return state.line.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
