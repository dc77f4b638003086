import Foundation
package import StoryServer

/// How long a test waits for what surely happens. This ends a hang and is no measure of speed: other
/// tests may keep every core busy for a while.
package let patience = Duration.seconds(600)

/// Waits until something that another thread or program does has happened.
package func eventually(_ condition: () -> Bool) async throws {
  let end = ContinuousClock.now + patience
  while !condition() {
    guard ContinuousClock.now < end else {
      throw ScriptedServer.Failure(what: "it did not happen in \(patience)")
    }
    try await Task.sleep(for: .milliseconds(1))
  }
}

/// Waits on this thread until something has happened; `false` if it does not.
@discardableResult
package func waitUntil(_ condition: () -> Bool) -> Bool {
  let end = ContinuousClock.now + patience
  while !condition() {
    guard ContinuousClock.now < end else { return false }
    usleep(500)
  }
  return true
}

extension ServerLimits {
  /// Limits by which a machine with much to do loses no connection.
  package static var patient: ServerLimits {
    var limits = ServerLimits()
    let milliseconds = Int(patience / .milliseconds(1))
    limits.idleMilliseconds = milliseconds
    limits.headMilliseconds = milliseconds
    limits.bodyMilliseconds = milliseconds
    return limits
  }
}

/// Tries what hangs on a time that is over by itself, with longer and longer times until it comes out:
/// on a busy machine a short one may be over too early.
package func withTime(
  of times: [Duration] = [.milliseconds(100), .seconds(2), .seconds(30)],
  comesOut: (Duration) async throws -> Bool
) async rethrows -> Bool {
  for time in times where try await comesOut(time) { return true }
  return false
}

/// How long this thread works on something, however much else the machine does meanwhile.
package func timeOfWork(_ work: () throws -> Void) rethrows -> Duration {
  func used() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = used()
  try work()
  return used() - start
}
