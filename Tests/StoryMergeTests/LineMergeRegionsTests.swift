import TestSupport
import Testing

@testable import StoryMerge

@Suite struct LineMergeRegionsTests {
  private func lines(_ text: String) -> [String] { text.map(String.init) }

  /// Each letter is a line; a conflict is written `(base/local/remote)`.
  private func written(_ regions: [LineMerge.Region]) -> String {
    regions.map { region in
      region.merged?.joined()
        ?? "(\(region.base.joined())/\(region.local.joined())/\(region.remote.joined()))"
    }.joined()
  }

  @Test(
    arguments: [
      ("abc", "aXc", "aYc", "a(b/X/Y)c"),
      ("abc", "Xbc", "aYc", "(ab/Xb/aY)c"),
      ("ab", "aXb", "aYb", "a(/X/Y)b"),
      ("abcdefg", "aXcdefg", "aYcdeZg", "a(b/X/Y)cdeZg"),
      ("abcde", "aXcYe", "aZZZe", "a(bcd/XcY/ZZZ)e"),
      ("abc", "", "abX", "(abc//abX)"),
      ("abc", "aXc", "aXc", "aXc"),
    ])
  func marksWhatClashes(base: String, local: String, remote: String, expected: String) {
    let regions = LineMerge.regions(
      base: lines(base), local: lines(local), remote: lines(remote))
    #expect(written(regions) == expected)
  }

  @Test func unionHasBothSidesWhereTheyClash() {
    let union = LineMerge.union(base: lines("abc"), local: lines("aXc"), remote: lines("aYcZ"))
    #expect(union.joined() == "aXYcZ")
  }

  /// The regions hold all three texts, and agree with the merge.
  @Test func regionsOfRandomTexts() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    func text() -> [String] {
      (0..<Int.random(in: 0...10, using: &random)).map { _ in
        String("abcdX".randomElement(using: &random) ?? "a")
      }
    }
    var conflicts = 0
    for _ in 0..<3_000 {
      let (base, local, remote) = (text(), text(), text())
      let regions = LineMerge.regions(base: base, local: local, remote: remote)
      #expect(regions.flatMap(\.base) == base, "seed \(seed)")
      #expect(regions.flatMap(\.local) == local, "seed \(seed)")
      #expect(regions.flatMap(\.remote) == remote, "seed \(seed)")
      let merged = LineMerge.merge(base: base, local: local, remote: remote)
      if regions.contains(where: { $0.kind == .conflict }) {
        conflicts += 1
        #expect(merged == nil, "seed \(seed)")
      } else {
        #expect(regions.flatMap { $0.merged ?? [] } == merged, "seed \(seed)")
      }
    }
    #expect(conflicts > 100 && conflicts < 3_000, "seed \(seed)")
  }
}
