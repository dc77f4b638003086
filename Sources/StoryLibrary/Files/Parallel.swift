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

  /// Returns what `body` makes of each element, in their order.
  ///
  /// - Parameters:
  ///   - elements: what is worked on.
  ///   - threads: the number of threads at most.
  ///   - body: the work on one element.
  package static func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element], threads: Int, _ body: @Sendable (Element) -> Result
  ) -> [Result] {
    // Few elements may each be much work, many are taken in shares.
    let share = elements.count > 1_024 ? 256 : 1
    let count = (elements.count + share - 1) / share
    guard threads > 1, count > 1 else { return elements.map(body) }
    return [Result](unsafeUninitializedCapacity: elements.count) { results, initialized in
      // Each place is written once, by one thread.
      nonisolated(unsafe) let results = results
      let next = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
        while true {
          let start = next.wrappingAdd(1, ordering: .relaxed).oldValue * share
          guard start < elements.count else { return }
          for place in start..<min(elements.count, start + share) {
            results.initializeElement(at: place, to: body(elements[place]))
          }
        }
      }
      initialized = elements.count
    }
  }
}
