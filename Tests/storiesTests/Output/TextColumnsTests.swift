import Testing

@testable import stories

@Suite struct TextColumnsTests {
  @Test(
    arguments: [
      ("one two", 7, ["one two"]), ("one two", 5, ["one", "two"]),
      ("unbreakable", 4, ["unbr", "eaka", "ble"]),
      ("ab unbreakable", 5, ["ab", "unbre", "akabl", "e"]),
      ("界界界", 4, ["界界", "界"]), ("", 4, [""]),
    ])
  func staysWithinItsColumn(text: String, width: Int, lines: [String]) {
    #expect(Text(text).broken(to: width).map(\.plain) == lines)
  }

  @Test func keepsStyles() {
    let text = Text("abc", .added) + Text("def", .removed)
    let lines = text.broken(to: 2)
    #expect(lines.map(\.plain) == ["ab", "cd", "ef"])
    #expect(lines[1].spans.map(\.style) == [.added, .removed])
  }
}
