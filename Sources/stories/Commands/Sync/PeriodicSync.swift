import StoryAPI
import StoryLibrary
import StorySync

/// `stories sync --every`: repeats syncs until it is stopped.
///
/// A round starts after the previous one has ended, so rounds never overlap. The pause is the
/// interval, randomly varied by a tenth so that machines started together drift apart. After a
/// round that could not reach the server, small requests check whether it is back, and then the
/// next round starts at once; otherwise it starts when the pause is over.
struct PeriodicSync: Sendable {
  struct Round: Sendable {
    var startedAt: ServerDate
    var duration: Duration
    /// The report, or the error that prevented the round.
    var outcome: Result<SyncReport, any Error>
    /// The maximum time until the next round.
    var pause: Duration

    /// Whether the server could not be reached and is checked during the pause.
    var isOutage: Bool { outcome.isOutage }
  }

  /// The average time from the end of one round to the start of the next.
  let interval: Duration
  let time: TimeSource
  let random: @Sendable () -> Double
  let sync: @Sendable () async throws -> SyncReport
  let isReachable: @Sendable () async -> Bool
  let tell: @Sendable (Round) -> Void

  /// The maximum variation of a pause, as a share of the interval.
  private static let jitter = 0.1
  /// The first and the longest time between two checks whether the server is back.
  private static let probes = (first: Duration.seconds(2), longest: Duration.seconds(30))

  /// Syncs until the task is cancelled, which ends a pause at once and a round when it can stop.
  ///
  /// - Throws: errors of the first round that are the command line's fault, because they would
  ///   prevent all others too. `APIError.network(.headTooSlow)` after the round with that error:
  ///   open reads from such a server are released only when the program ends.
  func run() async throws {
    var probe = Self.probes.first
    var isFirst = true
    while !Task.isCancelled {
      let (startedAt, start) = (time.now(), time.uptime())
      let outcome: Result<SyncReport, any Error>
      do { outcome = .success(try await sync()) } catch { outcome = .failure(error) }
      if Task.isCancelled { return }
      if isFirst, case .failure(let error) = outcome, error.isMisuse { throw error }
      isFirst = false
      let pause = interval * (1 - Self.jitter + 2 * Self.jitter * random())
      tell(
        Round(
          startedAt: startedAt, duration: time.uptime() - start, outcome: outcome, pause: pause))
      if let error = outcome.apiError, case .network(.headTooSlow) = error { throw error }
      do {
        if outcome.isOutage {
          try await waitForServer(pause, &probe)
        } else {
          probe = Self.probes.first
          try await time.sleep(pause)
        }
      } catch { return }
    }
  }

  /// Waits until the server responds or the pause is over. A server that responds and then fails is
  /// checked less and less often.
  private func waitForServer(_ pause: Duration, _ probe: inout Duration) async throws {
    let end = time.uptime() + pause
    while true {
      let left = end - time.uptime()
      guard left > probe else { return try await time.sleep(max(left, .zero)) }
      try await time.sleep(probe)
      probe = min(probe * 2, Self.probes.longest)
      if await isReachable() { return }
    }
  }
}

extension Result<SyncReport, any Error> {
  fileprivate var apiError: APIError? {
    switch self {
    case .success(let report): report.error
    case .failure(let error): error as? APIError
    }
  }

  fileprivate var isOutage: Bool {
    switch apiError {
    case .network(let failure): return failure.isPassing
    case .server(let status, _): return status >= 500
    default: return false
    }
  }
}

extension Error {
  /// Whether the command line or its environment is the cause.
  fileprivate var isMisuse: Bool {
    self is UsageError || self is CommandError || self is SettingError
      || self is ServerAddress.Problem || (self as? AdvisedError)?.error.isMisuse == true
  }
}
