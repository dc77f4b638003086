import JSONText
import TestSupport
import Testing

@testable import stories

@Suite struct LineDiffTests {
  private func shown(_ old: String, _ new: String) -> [String] {
    LineDiff(from: old, to: new).hunks.flatMap { hunk in
      ["@\(hunk.line)"]
        + hunk.lines.map { line in
          switch line {
          case .context(let text): "  \(text)"
          case .removed(let text): "- \(text)"
          case .added(let text): "+ \(text)"
          case .changed(let diff): "~ \(diff.text(inColour: false).plain)"
          }
        }
    }
  }

  @Test func equalTextsHaveNoHunks() {
    #expect(shown("a\n\nb", "a\n\nb").isEmpty)
  }

  @Test func editedLineShowsItsWords() {
    #expect(
      shown("one\n\nthe white cat sat\n\nend", "one\n\nthe black cat sat\n\nend") == [
        "@3", "  one", "~ the [-white-]{+black+} cat sat", "  end",
      ])
  }

  @Test func newAndGoneLines() {
    #expect(shown("a\nb\nc", "a\nc") == ["@2", "  a", "- b", "  c"])
    #expect(shown("a\nc", "a\nb\nc") == ["@2", "  a", "+ b", "  c"])
    #expect(shown("a", "a\nb") == ["@2", "  a", "+ b"])
  }

  @Test func anEmptyLineDoesNotPartTwoChanges() {
    let old = "start\n\nthe first paragraph here\n\nthe second paragraph here\n\nend"
    let new = "start\n\nthe first chapter here\n\nthe second chapter here\n\nend"
    #expect(
      shown(old, new) == [
        "@3", "  start", "~ the first [-paragraph-]{+chapter+} here",
        "~ the second [-paragraph-]{+chapter+} here", "  end",
      ])
  }

  @Test func unlikeLinesAreReplaced() {
    #expect(
      shown("completely different words", "nothing in common") == [
        "@1", "- completely different words", "+ nothing in common",
      ])
  }

  @Test func countsLeaveEmptyLinesOut() {
    let diff = LineDiff(from: "a\n\nb", to: "a\n\nx\n\ny\n\nb")
    #expect(diff.addedCount == 2)
    #expect(diff.removedCount == 0)
  }

  /// A text that was replaced whole, too long to be compared in detail, is still told at once.
  @Test func longTextsTakeNoTime() {
    let old = (0..<3_000).map { "old \($0)" }.joined(separator: "\n")
    let new = (0..<3_000).map { "new \($0)" }.joined(separator: "\n")
    let changes = SequenceDifference.changes(
      from: old.split(separator: "\n").map { ExactName(String($0)) },
      to: new.split(separator: "\n").map { ExactName(String($0)) }
    ) { _, _ in false }
    #expect(changes.count == 1)
    #expect(changes.first?.old == 0..<3_000)
    #expect(changes.first?.new == 0..<3_000)
  }

  /// Every line was rewritten, as by a translation or by somebody who changed a word in each.
  @Test(arguments: [true, false])
  func rewrittenLinesTakeNoTime(isTranslated: Bool) {
    let words = ["snow", "window", "cat", "night", "star", "door", "river", "owl", "lamp", "boat"]
    func line(_ number: Int, _ mark: String) -> String {
      (0..<10).map { words[(number * 7 + $0 * (number % 11 + 1)) % 10] + mark }
        .joined(separator: " ") + " \(number)."
    }
    let old = (0..<5_000).map { line($0, "") }.joined(separator: "\n\n")
    let new = (0..<5_000).map { line($0, isTranslated ? "o" : "") + (isTranslated ? "" : " Then.") }
      .joined(separator: "\n\n")
    var diff = LineDiff(from: "", to: "")
    #expect(timeOfWork { diff = LineDiff(from: old, to: new) } < .seconds(8))
    #expect(diff.addedCount == 5_000)
    if !isTranslated {
      let edited = diff.hunks.flatMap(\.lines).count {
        if case .changed = $0 { true } else { false }
      }
      #expect(edited == 5_000)
    }
  }

  @Test(arguments: 0..<40)
  func changesLeadFromOneToTheOther(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    func numbers() -> [Int] {
      (0..<Int.random(in: 0..<20, using: &generator)).map { _ in
        Int.random(in: 0..<6, using: &generator)
      }
    }
    let (old, new) = (numbers(), numbers())
    for joined in -1..<6 {
      var result: [Int] = []
      var end = 0
      let changes = SequenceDifference.changes(from: old, to: new) { number, _ in number == joined }
      for change in changes {
        result += old[end..<change.old.lowerBound] + new[change.new]
        end = change.old.upperBound
      }
      #expect(result + old[end...] == new, "seed \(seed)")
    }
  }
}
