import StoryAPI
import Synchronization

/// A clock that moves only when it is told to.
final class ManualClock: Sendable {
  private let state: Mutex<Int64>

  init(_ milliseconds: Int64 = 1_800_000_000_000) { state = Mutex(milliseconds) }

  /// Milliseconds since 1970, UTC.
  var now: Int64 { state.withLock { $0 } }

  func advance(milliseconds: Int64) { state.withLock { $0 += milliseconds } }

  /// A client's clocks that show this one's time, `ahead` milliseconds off, and never wait.
  func time(ahead: Int64 = 0) -> TimeSource {
    TimeSource(
      now: { [self] in
        let now = now + ahead
        return ServerDate(seconds: now / 1_000, nanoseconds: now % 1_000 * 1_000_000)
      },
      uptime: { [self] in .milliseconds(now) },
      sleep: { _ in try Task.checkCancellation() })
  }
}

extension TimeSource {
  /// This machine's clocks, for a client that repeats requests without waiting.
  static let unwaiting = TimeSource(
    now: TimeSource.system.now, uptime: TimeSource.system.uptime,
    sleep: { _ in try Task.checkCancellation() })
}
