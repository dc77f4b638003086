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
