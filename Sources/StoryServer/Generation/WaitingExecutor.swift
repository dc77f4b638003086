/// Runs a task on the thread that waits for its result.
///
/// The pool that tasks run on by themselves has as many threads as there are processors, and whoever
/// stops a server, or asks it something, may be blocking all of them: a task that needed one would
/// never end.
final class WaitingExecutor<Result: Sendable>: TaskExecutor {
  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    var result: Result?
  }

  private enum Next {
    case job(UnownedJob)
    case result(Result)
  }

  private let state = Monitor(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.change { $0.jobs.append(job) }
  }

  /// Notes the result; what the task does last.
  func finish(_ result: Result) { state.change { $0.result = result } }

  /// Runs the task's steps until it has a result.
  func run() -> Result {
    while true {
      let next: Next? = state.wait { state in
        if !state.jobs.isEmpty { return .job(state.jobs.removeFirst()) }
        return state.result.map { .result($0) }
      }
      switch next {
      case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .result(let result): return result
      case nil: continue
      }
    }
  }
}
