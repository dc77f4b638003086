import Dispatch
import Synchronization

/// Runs work on several elements at a time.
package enum Parallel {
  /// Returns the results of two closures that run in parallel if a second thread is free.
  ///
  /// Neither may use anything that the other changes.
  package static func both<First, Second>(
    _ first: () -> First, and second: () -> Second
  ) -> (First, Second) {
    var one: First?
    var two: Second?
    withoutActuallyEscaping({ one = first() }) { first in
      withoutActuallyEscaping({ two = second() }) { second in
        // Each closure is called once and does not escape this call.
        nonisolated(unsafe) let work = (first, second)
        DispatchQueue.concurrentPerform(iterations: 2) { $0 == 0 ? work.0() : work.1() }
      }
    }
    guard let one, let two else { preconditionFailure("both closures were called") }
    return (one, two)
  }

  /// Returns the results of `body` for all elements, in order, on at most `threads` threads.
  package static func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element], threads: Int, _ body: @Sendable (Element) -> Result
  ) -> [Result] {
    // With few elements, each may be much work; many are taken in batches.
    let share = elements.count > 1_024 ? 256 : 1
    let count = (elements.count + share - 1) / share
    guard threads > 1, count > 1 else { return elements.map(body) }
    return [Result](unsafeUninitializedCapacity: elements.count) { results, initialized in
      // Each element is written once, by one thread.
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

  /// Runs `work` for each element, and returns the results in the order of the elements.
  ///
  /// - Parameters:
  ///   - width: The maximum number of elements in progress at a time.
  ///   - stops: Called with each result as it arrives; after `true`, no further element is started.
  /// - Returns: `nil` for each element that was not started, including after cancellation of the task.
  package static func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element], width: Int, stops: (Result) -> Bool = { _ in false },
    _ work: @escaping @Sendable (Element) async -> Result
  ) async -> [Result?] {
    await withTaskGroup(of: (Int, Result).self) { group in
      var results = [Result?](repeating: nil, count: elements.count)
      var next = 0
      func start() {
        guard next < elements.count, !Task.isCancelled else { return }
        let (place, element) = (next, elements[next])
        next += 1
        group.addTask { (place, await work(element)) }
      }
      for _ in 0..<max(1, width) { start() }
      var isStopped = false
      while let (place, result) = await group.next() {
        results[place] = result
        if stops(result) { isStopped = true }
        if !isStopped { start() }
      }
      return results
    }
  }
}
