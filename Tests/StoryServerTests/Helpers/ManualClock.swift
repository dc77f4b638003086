import Synchronization

/// A clock that stands still until it is moved.
final class ManualClock: Sendable {
  private let time: Mutex<Int64>

  /// 2026-11-20T10:00:00Z unless told otherwise.
  init(_ milliseconds: Int64 = 1_795_168_800_000) { time = Mutex(milliseconds) }

  var now: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }

  func advance(days: Int64 = 0, milliseconds: Int64 = 0) {
    time.withLock { $0 += days * 86_400_000 + milliseconds }
  }
}
