import CStopPoints
import Synchronization

/// Ends the changes to a folder at a chosen system call, as if the process had been killed there.
final class StopPoints: Sendable {
  /// Whether this system has them.
  #if os(Linux)
    static let areAvailable = true
  #else
    static let areAvailable = false
  #endif

  private let slot: Int32
  private let hook = Mutex<(@Sendable () -> Void)?>(nil)

  /// Watches a folder; nothing fails yet.
  init(_ root: String) throws {
    slot = stop_points_watch(root)
    guard slot >= 0 else { throw Unexpected("too many folders are watched") }
  }

  deinit { stop_points_forget(slot) }

  /// Counts anew; from the `call`-th change on everything fails, for 0 nothing does.
  func arm(_ call: Int = 0) { stop_points_arm(slot, call) }

  /// Runs code right before the `call`-th change from now on; its own changes are not counted.
  func interrupt(at call: Int, _ code: @escaping @Sendable () -> Void) {
    hook.withLock { $0 = code }
    let context = Unmanaged.passUnretained(self).toOpaque()
    stop_points_interrupt(
      slot, call,
      { context in
        guard let context else { return }
        Unmanaged<StopPoints>.fromOpaque(context).takeUnretainedValue().runHook()
      }, context)
  }

  private func runHook() {
    let code = hook.withLock { $0 }
    code?()
  }

  /// Lets everything fail from now on.
  func stop() { stop_points_stop(slot) }

  /// The changes that were tried since ``arm(_:)``.
  var count: Int { stop_points_count(slot) }

  /// Whether changes fail.
  var isStopped: Bool { stop_points_is_stopped(slot) != 0 }
}
