import StoryAPI
import Synchronization

/// Clocks that stand still until something sleeps, and then are later at once.
final class SteppingClock: Sendable {
  private struct State {
    var elapsed = Duration.zero
    var slept: [Duration] = []
  }

  private let state = Mutex(State())
  let start: ServerDate

  /// Clocks that start at 2026-11-20T10:00:00Z.
  init(start: ServerDate = ServerDate(seconds: 1_795_168_800)) { self.start = start }

  /// What was slept so far.
  var slept: [Duration] { state.withLock { $0.slept } }
  var now: ServerDate { start.advanced(by: state.withLock { $0.elapsed }) }

  func advance(by duration: Duration) { state.withLock { $0.elapsed += duration } }

  var source: TimeSource {
    TimeSource(
      now: { self.now }, uptime: { self.state.withLock { $0.elapsed } },
      sleep: { duration in
        try Task.checkCancellation()
        self.state.withLock {
          $0.elapsed += duration
          $0.slept.append(duration)
        }
      })
  }
}
