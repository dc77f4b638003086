import Foundation

/// The clocks of a client, which tests replace so that they need not wait.
public struct TimeSource: Sendable {
  /// This machine's calendar clock.
  public var now: @Sendable () -> ServerDate
  /// A monotonic clock with an arbitrary start.
  public var uptime: @Sendable () -> Duration
  /// Waits. Throws `CancellationError` as soon as the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void

  /// Creates a time source.
  public init(
    now: @escaping @Sendable () -> ServerDate, uptime: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.uptime = uptime
    self.sleep = sleep
  }

  /// The system's clocks.
  public static let system: TimeSource = {
    let start = ContinuousClock.now
    return TimeSource(
      now: {
        let seconds = Date().timeIntervalSince1970
        return ServerDate(
          seconds: Int64(seconds.rounded(.down)),
          nanoseconds: Int64((seconds - seconds.rounded(.down)) * 1_000_000_000))
      },
      uptime: { ContinuousClock.now - start },
      sleep: { try await Task.sleep(for: $0) })
  }()
}
