import StoryAPI
import Synchronization

/// Clocks that stand still until something sleeps, and then are later at once.
final class SteppingClock: Sendable {
  private struct State {
    var elapsed = Duration.zero
    var slept: [Duration] = []
  }

  private let state = Mutex(State())
  /// 2026-11-20T10:00:00Z.
  private let start = ServerDate(seconds: 1_795_168_800)
  /// Told each sleep with its number from 1, before the clock goes on.
  private let asleep: @Sendable (Int) -> Void

  init(asleep: @escaping @Sendable (Int) -> Void = { _ in }) { self.asleep = asleep }

  /// What was slept so far.
  var slept: [Duration] { state.withLock { $0.slept } }

  func advance(by duration: Duration) { state.withLock { $0.elapsed += duration } }

  var source: TimeSource {
    TimeSource(
      now: { [self] in start.advanced(by: state.withLock { $0.elapsed }) },
      uptime: { [self] in state.withLock { $0.elapsed } },
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
