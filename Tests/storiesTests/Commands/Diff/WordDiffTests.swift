import TestSupport
import Testing

@testable import stories

@Suite struct WordDiffTests {
  @Test(arguments: [
    ("same", "same", "same"),
    ("", "new", "{+new+}"),
    ("old", "", "[-old-]"),
    ("one two three", "one three", "one [-two -]three"),
    ("It was white.", "It was black.", "It was [-white-]{+black+}."),
    ("a quick brown fox", "a slow red fox", "a [-quick brown-]{+slow red+} fox"),
    ("the cat", "the old cat", "the {+old +}cat"),
    ("don't stop", "don’t stop", "[-don't-]{+don’t+} stop"),
    ("Zo\u{EB}", "Zoe\u{308}", "[-Zo\u{EB}-]{+Zoe\u{308}+}"),
  ])
  func marksWords(old: String, new: String, marked: String) {
    #expect(WordDiff(from: old, to: new).text(inColour: false).plain == marked)
  }

  @Test func coloursNeedNoMarks() {
    let text = WordDiff(from: "a b c", to: "a x c").text(inColour: true)
    #expect(text.plain == "a bx c")
    #expect(text.spans.map(\.style) == [.plain, .struck, .added, .plain])
  }

  /// Both texts can be read out of the marks again.
  @Test(arguments: 0..<40)
  func losesNothing(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let words = ["snow", "and", "ice", "–", "Zoë", " ", "  ", ",", "'", "雪", "\n"]
    func text() -> String {
      (0..<Int.random(in: 0..<30, using: &generator)).map { _ in
        words.randomElement(using: &generator) ?? ""
      }.joined(separator: Bool.random(using: &generator) ? " " : "")
    }
    let (old, new) = (text(), text())
    let diff = WordDiff(from: old, to: new)
    let without: ((String) -> WordDiff.Segment) -> String = { kind in
      diff.segments.filter { $0 != kind($0.text) }.map(\.text).joined()
    }
    #expect(without(WordDiff.Segment.added) == old, "seed \(seed)")
    #expect(without(WordDiff.Segment.removed) == new, "seed \(seed)")
    #expect((0...1).contains(diff.similarity))
  }
}
