import TestSupport
import Testing

@testable import StoryLibrary

@Suite("Similar texts")
struct SimilarTextsTests {
  private static func digests(_ lines: [String]) -> [ContentDigest] {
    lines.map { ContentDigest($0.utf8) }
  }

  /// The share by counting, pair by pair: what must be found.
  private static func areSimilar(_ left: [String], _ right: [String]) -> Bool {
    var counts: [String: Int] = [:]
    for line in left { counts[line, default: 0] += 1 }
    var common = 0
    for line in right where counts[line, default: 0] > 0 {
      counts[line, default: 0] -= 1
      common += 1
    }
    return common > 0 && 100 * common >= 70 * max(left.count, right.count)
  }

  private static func slowPairs(_ left: [[String]], _ right: [[String]]) -> [String] {
    var matches: [(Int, Int)] = []
    for (place, text) in left.enumerated() {
      for (other, candidate) in right.enumerated() where areSimilar(text, candidate) {
        matches.append((place, other))
      }
    }
    return matches.filter { match in
      matches.count { $0.0 == match.0 } == 1 && matches.count { $0.1 == match.1 } == 1
    }.map { "\($0.0)-\($0.1)" }
  }

  @Test("what comparing each with each finds is found", arguments: 0..<40 as Range<UInt64>)
  func agrees(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = 2 + random.below(12)
    func text(_ random: inout SeededGenerator) -> [String] {
      (0..<random.below(14)).map { _ in
        random.oneIn(3) ? "own \(random.below(1_000))" : "word \(random.below(words))"
      }
    }
    let left = (0..<20).map { _ in text(&random) }
    var right = (0..<20).map { _ in text(&random) }
    // Edited versions of the left ones, so that there is something to find.
    for place in left.indices where random.oneIn(2) {
      var edited = left[place]
      for index in edited.indices where random.oneIn(5) { edited[index] = "edit \(index)" }
      right[random.below(right.count)] = edited
    }
    let found = SimilarTexts.pairs(left.map(Self.digests), right.map(Self.digests))
    #expect(found.map { "\($0.left)-\($0.right)" } == Self.slowPairs(left, right), "seed \(seed)")
  }

  @Test(
    "how many lines have to be common",
    arguments: [(1, 1, 1), (3, 3, 3), (4, 4, 3), (10, 10, 7), (10, 7, 7), (10, 1, 7), (0, 0, 0)])
  func least(_ left: Int, _ right: Int, _ common: Int) {
    #expect(SimilarTexts.leastCommon(left, right) == common)
    #expect(SimilarTexts.leastCommon(right, left) == common)
  }

  @Test("texts without lines are similar to none")
  func empty() {
    #expect(SimilarTexts.pairs([[]], [[]]).isEmpty)
    #expect(SimilarTexts.pairs([], [Self.digests(["a"])]).isEmpty)
  }

  /// A thousand texts are compared by what they share: comparing each with each would take minutes here.
  @Test("cost", arguments: [true, false])
  func cost(_ areAlike: Bool) {
    let count = 1_000
    func text(_ number: Int, _ version: String) -> [ContentDigest] {
      let shared = (0..<30).map { "The same line \($0)" }
      let own = (0..<(areAlike ? 3 : 15)).map { "Line \($0) of \(number)" }
      return Self.digests(shared + own + [version])
    }
    var found = 0
    let time = timeOfWork {
      found =
        SimilarTexts.pairs(
          (0..<count).map { text($0, "old") }, (0..<count).map { text($0, "new") }
        ).count
    }
    #expect(found == (areAlike ? 0 : count))
    #expect(time < .seconds(30))
  }
}
