import Synchronization

/// A value that closures on other threads read and write.
package final class Box<Value: Sendable>: Sendable {
  private let held: Mutex<Value>

  package init(_ value: Value) { held = Mutex(value) }

  package var value: Value {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }

  package func change(_ body: @Sendable (inout Value) -> Void) { held.withLock { body(&$0) } }
}

/// Waits until something another thread does has happened, for ten minutes at most: other tests
/// may keep every core busy for a while.
package func eventually(_ condition: () -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(600)
  while !condition() {
    guard ContinuousClock.now < end else {
      throw ScriptedServer.Failure(what: "it did not happen in ten minutes")
    }
    try await Task.sleep(for: .milliseconds(1))
  }
}
