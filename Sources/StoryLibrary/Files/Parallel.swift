import Dispatch

/// Work on two threads.
package enum Parallel {
  /// Does two pieces of work, at the same time where a second thread is free; returns when both are
  /// done.
  ///
  /// Nothing that one of them changes may be used by the other.
  package static func both(_ first: () -> Void, and second: () -> Void) {
    withoutActuallyEscaping(first) { first in
      withoutActuallyEscaping(second) { second in
        // Each is called once, and neither is alive after this call.
        nonisolated(unsafe) let work = (first, second)
        DispatchQueue.concurrentPerform(iterations: 2) { $0 == 0 ? work.0() : work.1() }
      }
    }
  }
}
