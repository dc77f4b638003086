import TestSupport
import Testing

@testable import StoryMerge

@Suite struct LineMergeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var base: String
    var local: String
    var remote: String
    /// `nil` where the two clash.
    var merged: String?

    var testDescription: String { name }
  }

  /// Each letter is a line.
  static let cases: [Case] = [
    Case(name: "nothing changed", base: "abc", local: "abc", remote: "abc", merged: "abc"),
    Case(name: "only local", base: "abc", local: "aXc", remote: "abc", merged: "aXc"),
    Case(name: "only remote", base: "abc", local: "abc", remote: "abX", merged: "abX"),
    Case(name: "apart", base: "abcde", local: "Xbcde", remote: "abcdY", merged: "XbcdY"),
    Case(name: "one line between", base: "abc", local: "Xbc", remote: "abY", merged: "XbY"),
    Case(name: "neighbours", base: "abc", local: "Xbc", remote: "aYc", merged: nil),
    Case(name: "same line", base: "abc", local: "aXc", remote: "aYc", merged: nil),
    Case(name: "same change", base: "abc", local: "aXc", remote: "aXc", merged: "aXc"),
    Case(name: "same insert", base: "ab", local: "aXb", remote: "aXb", merged: "aXb"),
    Case(name: "different inserts at one place", base: "ab", local: "aXb", remote: "aYb"),
    Case(name: "both append", base: "ab", local: "abX", remote: "abY"),
    Case(
      name: "insert and remove apart", base: "abcd", local: "Xabcd", remote: "abc", merged: "Xabc"),
    Case(name: "remove and edit of the same line", base: "abc", local: "ac", remote: "aXc"),
    Case(name: "both remove the same", base: "abc", local: "ac", remote: "ac", merged: "ac"),
    Case(name: "both remove parts that overlap", base: "abcd", local: "ad", remote: "acd"),
    Case(name: "from nothing", base: "", local: "X", remote: "Y"),
    Case(name: "from nothing, one side", base: "", local: "X", remote: "", merged: "X"),
    Case(name: "to nothing and unchanged", base: "abc", local: "", remote: "abc", merged: ""),
    Case(name: "to nothing and edited", base: "abc", local: "", remote: "abX"),
    Case(
      name: "several hunks", base: "abcdefghi", local: "aXcdefgYi", remote: "abcdZfghi",
      merged: "aXcdZfgYi"),
    Case(
      name: "one paragraph on both sides, another on one", base: "a b", local: "a X b",
      remote: "a X b Y", merged: "a X b Y"),
    Case(
      name: "one paragraph gone on both sides, another on one", base: "a b c d e", local: "a c d e",
      remote: "a c d", merged: "a c d"),
    Case(name: "the same line in two places", base: "abcde", local: "aXbcde", remote: "abcdXe"),
    Case(name: "a line that both moved", base: "abcdef", local: "dabcef", remote: "abcefd"),
    Case(
      name: "a scene break on both sides, and an edit above it on one", base: "a b",
      local: "A * b", remote: "a * b", merged: "A * b"),
    Case(
      name: "moved on one side, edited on the other", base: "abcde", local: "acdeb", remote: "aBcde"
    ),
    Case(
      name: "moved on one side, with a line after it on the other", base: "abc", local: "acb",
      remote: "abcn"),
    Case(
      name: "the same mark in two places", base: "abcde", local: "a*bcde", remote: "abcd*e",
      merged: "a*bcd*e"),
    Case(
      name: "the same changes, cut in two ways", base: "abab", local: "aXab", remote: "aXab",
      merged: "aXab"),
    Case(name: "repeated lines", base: "aaa", local: "aaaa", remote: "aaa", merged: "aaaa"),
  ]

  @Test(arguments: cases) func merges(_ test: Case) {
    func lines(_ text: String) -> [String] { text.map(String.init) }
    let merged = LineMerge.merge(
      base: lines(test.base), local: lines(test.local), remote: lines(test.remote))
    #expect(merged == test.merged.map(lines))
  }

  @Test(arguments: cases) func mergesAlikeFromBothSides(_ test: Case) {
    func lines(_ text: String) -> [String] { text.map(String.init) }
    let merged = LineMerge.merge(
      base: lines(test.base), local: lines(test.remote), remote: lines(test.local))
    #expect(merged == test.merged.map(lines))
  }

  /// What both sides have replaced does not come back with both.
  @Test func unionTakesNothingOfASideThatLeftTheLines() {
    let union = LineMerge.union(
      base: ["a", "b", "c", "d", "e"], local: ["a", "b", "c", "d", "X"],
      remote: ["X", "b", "c", "d", "e"])
    #expect(union == ["X", "b", "c", "d", "X"])
  }

  @Test func comparesLinesByTheirScalars() {
    let merged = LineMerge.merge(
      base: ["e\u{301}", "b"], local: ["\u{E9}", "b"], remote: ["e\u{301}", "b"])
    #expect(merged?.first?.unicodeScalars.count == 1)
  }

  /// Both sides have the same edits, as after a sync and a pull with git, and each some of its own.
  @Test func whatBothSidesHaveIsNeverThereTwice() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var number = 0
    var merges = 0
    func paragraph() -> [String] {
      number += 1
      return (0..<Int.random(in: 1...2, using: &random)).map { "line \(number).\($0)" }
    }
    func edited(_ text: [[String]]) -> [[String]] {
      var text = text
      let place = Int.random(in: 0..<text.count, using: &random)
      switch Int.random(in: 0...3, using: &random) {
      case 0: text.insert(paragraph(), at: place)
      case 1: text[place] = paragraph()
      case 2:
        let moved = text.remove(at: place)
        text.insert(moved, at: Int.random(in: 0...text.count, using: &random))
      default: text.append(paragraph())
      }
      return text
    }
    for _ in 0..<1_000 {
      let base = (0..<Int.random(in: 2...7, using: &random)).map { _ in paragraph() }
      let both = edited(base)
      let (local, remote) = (edited(both), edited(edited(both)))
      func lines(_ text: [[String]]) -> [String] { Array(text.joined(separator: [""])) }
      let regions = LineMerge.regions(
        base: lines(base), local: lines(local), remote: lines(remote))
      if regions.allSatisfy({ $0.merged != nil }) { merges += 1 }
      // Also where somebody chooses one side in each conflict.
      for chosen in [\LineMerge.Region.local, \.remote] {
        let words = regions.flatMap { $0.merged ?? $0[keyPath: chosen] }.filter { !$0.isEmpty }
        #expect(Set(words).count == words.count, "seed \(seed): \(words)")
      }
    }
    #expect(merges > 100, "seed \(seed)")
  }

  /// A side that did not change anything leaves exactly the other side, whatever that did.
  @Test func keepsOneSidedChangesOfRandomTexts() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let base = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        String("abcd".randomElement(using: &random) ?? "a")
      }
      let other = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        String("abcdX".randomElement(using: &random) ?? "a")
      }
      #expect(LineMerge.merge(base: base, local: other, remote: base) == other, "seed \(seed)")
      #expect(LineMerge.merge(base: base, local: base, remote: other) == other, "seed \(seed)")
      #expect(LineMerge.merge(base: base, local: other, remote: other) == other, "seed \(seed)")
    }
  }
}
