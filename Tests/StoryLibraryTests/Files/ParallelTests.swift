import Synchronization
import Testing

@testable import StoryLibrary

/// Work on many elements is all done, each once, and its results have their order.
@Suite struct ParallelTests {
  @Test("map", arguments: [0, 1, 2, 255, 1_024, 1_025, 5_000], [1, 2, 8])
  func map(_ total: Int, _ threads: Int) {
    let seen = Mutex([Int](repeating: 0, count: total))
    let results = Parallel.map(Array(0..<total), threads: threads) { place in
      seen.withLock { $0[place] += 1 }
      return place * 2
    }
    #expect(results == (0..<total).map { $0 * 2 })
    #expect(seen.withLock { $0.allSatisfy { $0 == 1 } })
  }
}
