import Dispatch
import Synchronization

/// Work on several threads.
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

  /// Does work on parts of so many elements, on several threads where there are many; the results
  /// have the parts' order.
  ///
  /// - Parameter threads: how many threads at most.
  package static func inParts<Result: Sendable>(
    of total: Int, threads: Int, _ work: @Sendable (Range<Int>) -> Result
  ) -> [Result] {
    let size = 512
    let count = (total + size - 1) / size
    guard threads > 1, count > 1 else { return [work(0..<total)] }
    let results = Mutex([Result?](repeating: nil, count: count))
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
      while true {
        let part = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard part < count else { return }
        let result = work(part * size..<min(total, (part + 1) * size))
        results.withLock { $0[part] = result }
      }
    }
    return results.withLock { $0.compactMap(\.self) }
  }
}
