import Synchronization
import Testing

@testable import StoryLibrary

/// Work in parts is all done, each part once, and its results have their order.
@Suite struct ParallelTests {
  @Test(
    "parts", arguments: [0, 1, 511, 512, 513, 1_024, 5_000], [1, 2, 8])
  func parts(_ total: Int, _ threads: Int) {
    let seen = Mutex([Int](repeating: 0, count: total))
    let parts = Parallel.inParts(of: total, threads: threads) { range in
      seen.withLock { seen in for place in range { seen[place] += 1 } }
      return Array(range)
    }
    #expect(parts.flatMap { $0 } == Array(0..<total))
    #expect(seen.withLock { $0.allSatisfy { $0 == 1 } })
  }
}
