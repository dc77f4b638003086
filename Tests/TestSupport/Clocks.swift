package import StoryAPI
import Synchronization

/// Clocks that stand still until something sleeps, and then are later at once.
package final class SteppingClock: Sendable {
  private struct State {
    var elapsed = Duration.zero
    var slept: [Duration] = []
  }

  private let state = Mutex(State())
  package let start: ServerDate
  /// Told each sleep with its number from 1, before the clock goes on.
  private let asleep: @Sendable (Int) -> Void

  /// Clocks that start at 2026-11-20T10:00:00Z unless told otherwise.
  package init(
    start: ServerDate = ServerDate(seconds: 1_795_168_800),
    asleep: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.start = start
    self.asleep = asleep
  }

  /// What was slept so far.
  package var slept: [Duration] { state.withLock { $0.slept } }
  package var now: ServerDate { start.advanced(by: state.withLock { $0.elapsed }) }

  package func advance(by duration: Duration) { state.withLock { $0.elapsed += duration } }

  package var source: TimeSource {
    TimeSource(
      now: { [self] in now }, uptime: { [self] in state.withLock { $0.elapsed } },
      sleep: { [self] duration in
        try Task.checkCancellation()
        let number = state.withLock { state in
          state.elapsed += duration
          state.slept.append(duration)
          return state.slept.count
        }
        asleep(number)
        // Whoever was told may have asked the program to end, which takes a moment to arrive.
        await Task.yield()
        try Task.checkCancellation()
      })
  }
}

/// A clock that stands still until it is moved: a server's, in milliseconds since 1970, UTC.
package final class ManualClock: Sendable {
  private let time: Mutex<Int64>

  /// 2026-11-20T10:00:00Z unless told otherwise.
  package init(_ milliseconds: Int64 = 1_795_168_800_000) { time = Mutex(milliseconds) }

  package var now: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }

  package func advance(days: Int64 = 0, milliseconds: Int64 = 0) {
    time.withLock { $0 += days * 86_400_000 + milliseconds }
  }

  /// A client's clocks that show this one's time, `ahead` milliseconds off, and never wait.
  package func time(ahead: Int64 = 0) -> TimeSource {
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
  package static let unwaiting = TimeSource(
    now: TimeSource.system.now, uptime: TimeSource.system.uptime,
    sleep: { _ in try Task.checkCancellation() })
}
