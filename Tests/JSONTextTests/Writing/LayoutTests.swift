import JSONText
import Testing

@Suite("Layouts")
struct LayoutTests {
  @Test(
    "are found in a text",
    arguments: [
      ("1", "  ", "\n", ": "), ("{}", "  ", "\n", ": "), ("{\"a\": 1}", "  ", "\n", ": "),
      ("{\"a\":1}", "  ", "\n", ":"), ("{\"a\" : 1}", "  ", "\n", " : "),
      ("{\n    \"a\": 1\n}", "    ", "\n", ": "), ("{\n\t\"a\": 1\n}", "\t", "\n", ": "),
      ("{\r\n \"a\":  1\r\n}", " ", "\r\n", ":  "), ("{\r\"a\": 1\r}", "", "\r", ": "),
      ("[\n   [\n      1\n   ]\n]", "   ", "\n", ": "),
      ("{\"a\": {\n\t\"b\": 1\n}}", "\t", "\n", ": "),
      ("  {\n      \"a\": 1\n  }", "    ", "\n", ": "),
      ("[{},\n{\n        \"b\": 1\n}]", "        ", "\n", ": "),
      ("\u{FEFF}{\n \"a\": 1\n}", " ", "\n", ": "), ("{\n\n    \"a\": 1}", "    ", "\n", ": "),
      ("{ \"a\":1\n, \"b\":2\n}", "  ", "\n", ":"),
      ("{\"a\"\n:\n1, \"b\": {\"c\":2}}", "  ", "\n", ":"),
      ("{\"x\": \"\\n\\t\"}\r\n", "  ", "\r\n", ": "),
    ])
  func detection(text: String, indent: String, lineEnd: String, colon: String) throws {
    let layout = try JSONDocument(parsing: text).layout
    #expect(layout == JSONLayout(indent: indent, lineEnd: lineEnd, colon: colon))
  }

  @Test("that were written are found again")
  func written() throws {
    let value: JSONValue = ["a": [[1]], "b": ["c": nil]]
    for indent in ["", " ", "  ", "\t", "    "] {
      for lineEnd in ["\n", "\r\n", "\r"] {
        for colon in [":", ": ", " : ", "\t:\t"] {
          let layout = JSONLayout(indent: indent, lineEnd: lineEnd, colon: colon)
          let document = try JSONDocument(parsing: value.fileBytes(layout: layout))
          #expect(document.layout == layout)
          #expect(document.root.value == value)
        }
      }
    }
  }
}
