import StoryLibrary
import Testing

@testable import stories

@Suite struct TextTests {
  @Test(arguments: [
    ("plain", "plain"),
    ("Zoë, 雪, 🦊", "Zoë, 雪, 🦊"),
    ("a\u{1B}[31mred", "a\\u{1b}[31mred"),
    ("two\nlines\r\n\ttab", "two\\nlines\\r\\n\\ttab"),
    ("bell\u{07}", "bell\\u{7}"),
    ("C1 \u{9B}31m", "C1 \\u{9b}31m"),
    ("\u{202E}gnp.exe", "\\u{202e}gnp.exe"),
    ("line\u{2028}separator", "line\\u{2028}separator"),
  ])
  func nothingSteersTheTerminal(raw: String, shown: String) {
    #expect(VisibleText.escaping(raw) == shown)
    let text: Text = "\(raw, .strong)"
    #expect(text.plain == shown)
    #expect(text.rendered(inColour: true) == "\u{1B}[1m\(shown)\u{1B}[0m")
    #expect(Text(raw).wrapped(to: 200).map(\.plain) == [shown])
  }

  @Test func `lines of a text stay lines`() {
    let text = "one\n\ttwo\r\nthree\rfour\u{9B}2J\u{202E}"
    #expect(
      VisibleText.escapingLines(text)
        == "one\n\ttwo\r\nthree\\rfour\\u{9b}2J\\u{202e}")
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("Zoë", 3), ("Zoe\u{0308}", 3), ("雪だるま", 8), ("🦊", 2), ("👩‍👧", 2), ("é", 1),
    ("ﬁ", 1), ("–", 1),
  ])
  func widthOnATerminal(text: String, columns: Int) {
    #expect(Text(text).width == columns)
  }

  @Test func wrapsAtSpacesAndKeepsStyles() {
    let text: Text = "one \("two three", .added) four"
    let lines = text.wrapped(to: 9)
    #expect(lines.map(\.plain) == ["one two", "three", "four"])
    #expect(lines[0].spans.map(\.style) == [.plain, .added])
    #expect(lines[1].spans.map(\.style) == [.added])
  }

  @Test func wordAcrossStylesIsNotBroken() {
    let text: Text = "aaaa bb\("cc", .added)dd"
    #expect(text.wrapped(to: 6).map(\.plain) == ["aaaa", "bbccdd"])
  }

  @Test(arguments: [
    ("", [""]), ("  indented text", ["  indented", "text"]), ("two  spaces", ["two", "spaces"]),
    ("averyveryverylongword x", ["averyveryverylongword", "x"]),
  ])
  func wraps(text: String, lines: [String]) {
    #expect(Text(text).wrapped(to: 10).map(\.plain) == lines)
  }

  /// A command that breaks could not be copied.
  @Test func aCommandInBackquotesStaysWhole() {
    let text = Text("take (`git -C 'my lib' log`), or `stories undo` and no `quoted word`")
    #expect(
      text.wrapped(to: 12).map(\.plain) == [
        "take", "(`git -C 'my lib' log`),", "or", "`stories undo`", "and no", "`quoted", "word`",
      ])
  }

  @Test(arguments: [
    ("short", 10, "short"), ("exactly 10", 10, "exactly 10"), ("one too many", 11, "one too ma…"),
    ("雪雪雪", 5, "雪雪…"), ("雪雪雪", 4, "雪…"),
  ])
  func truncates(text: String, width: Int, shown: String) {
    let cut = Text(text).truncated(to: width)
    #expect(cut.plain == shown)
    #expect(cut.width <= width)
  }

  @Test func partsAreFilledWhole() {
    let parts: [Text] = ["a", "[--max N]", "[--x]", "b"]
    #expect(Text.filling(parts, to: 11).map(\.plain) == ["a [--max N]", "[--x] b"])
  }
}
