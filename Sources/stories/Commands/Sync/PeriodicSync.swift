import StoryAPI
import StoryLibrary
import StorySync

/// `stories sync --every`: one sync after the other, until it is told to end.
///
/// A round begins once the one before it has ended, so there are never two. The pause is the interval,
/// a tenth more or less at random, so that machines that were started together do not stay together.
/// After a round that found no server, a small request asks now and then whether it is back, and the
/// next round follows at once; without an answer it comes when the pause is over.
struct PeriodicSync: Sendable {
  /// How one round ended.
  struct Round: Sendable {
    var startedAt: ServerDate
    var duration: Duration
    /// The report, or what kept the round from beginning.
    var outcome: Result<SyncReport, any Error>
    /// How long until the next round, at most.
    var pause: Duration
    /// Whether the server could not be reached, and is asked for before the pause is over.
    var isOutage: Bool
  }

  /// The time from the end of one round to the beginning of the next, on average.
  let interval: Duration
  let time: TimeSource
  let random: @Sendable () -> Double
  /// Syncs once.
  let sync: @Sendable () async throws -> SyncReport
  /// Whether the server answers.
  let isReachable: @Sendable () async -> Bool
  /// Told the end of each round.
  let tell: @Sendable (Round) -> Void

  /// How much longer or shorter than the interval a pause is at most.
  private static let jitter = 0.1
  /// The first and the longest time between two requests that ask whether the server is back.
  private static let probes = (first: Duration.seconds(2), longest: Duration.seconds(30))

  /// Syncs until the task is cancelled, which ends a pause at once and a round as soon as it can leave
  /// everything in order.
  ///
  /// - Throws: what keeps the first round from beginning where the command line is to blame: it would
  ///   keep all others as well. `APIError.network(.headTooSlow)` after the round that met it: what is
  ///   still read from such a server is let go of only when the program ends.
  func run() async throws {
    var probe = Self.probes.first
    var isFirst = true
    while !Task.isCancelled {
      let (startedAt, start) = (time.now(), time.uptime())
      let outcome = await Result { try await sync() }
      if Task.isCancelled { return }
      if isFirst, case .failure(let error) = outcome, error.isMisuse { throw error }
      isFirst = false
      let isOutage = outcome.isOutage
      let pause = interval * (1 - Self.jitter + 2 * Self.jitter * random())
      tell(
        Round(
          startedAt: startedAt, duration: time.uptime() - start, outcome: outcome, pause: pause,
          isOutage: isOutage))
      if let error = outcome.apiError, case .network(.headTooSlow) = error { throw error }
      do {
        if isOutage {
          try await waitForServer(pause, &probe)
        } else {
          probe = Self.probes.first
          try await time.sleep(pause)
        }
      } catch { return }
    }
  }

  /// Waits until the server answers or the pause is over. A server that answers and then fails is
  /// asked ever less often.
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

extension Result where Failure == any Error {
  fileprivate init(_ work: () async throws -> Success) async {
    do { self = .success(try await work()) } catch { self = .failure(error) }
  }
}

extension Result<SyncReport, any Error> {
  /// The error of the server that ended the round; `nil` for none.
  fileprivate var apiError: APIError? {
    switch self {
    case .success(let report): report.error
    case .failure(let error): error as? APIError
    }
  }

  /// Whether the server could not be reached, or had trouble of its own.
  fileprivate var isOutage: Bool {
    switch apiError {
    case .network(let failure): return failure.isPassing
    case .server(let status, _): return status >= 500
    default: return false
    }
  }
}

extension Error {
  /// Whether the command line, or where it was typed, is to blame.
  fileprivate var isMisuse: Bool {
    switch self {
    case is UsageError, is CommandError, is SettingError, is ServerAddress.Problem: true
    default: false
    }
  }
}
