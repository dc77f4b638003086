/// Runs a task on the thread that waits for its result.
///
/// The default pool has as many threads as there are processors. Callers that stop a server or send
/// it a request may be blocking all of them, and then a task that needs one would never finish.
final class WaitingExecutor<Result: Sendable>: TaskExecutor {
  private let state = Monitor((jobs: [UnownedJob](), result: Result?.none))

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.change { $0.jobs.append(job) }
  }

  /// Sets the result. This is the last thing that the task does.
  func finish(_ result: Result) { state.change { $0.result = result } }

  func run() -> Result {
    while true {
      let next = state.wait { state -> (job: UnownedJob?, result: Result?)? in
        if !state.jobs.isEmpty { return (state.jobs.removeFirst(), nil) }
        return state.result.map { (nil, $0) }
      }
      if let result = next?.result { return result }
      next?.job?.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
