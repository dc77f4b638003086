import JSONText
import Testing

@Suite("Documents and nodes")
struct JSONDocumentTests {
  private static let text = """
    {
      "name": "L\\u0075na",
      "age": 7.0,
      "traits": ["brave", {"é": null}]
    }

    """

  @Test("tell where each value stands")
  func places() throws {
    let document = try JSONDocument(parsing: Self.text)
    #expect(document.bytes == Array(Self.text.utf8))
    #expect(!document.hasByteOrderMark)
    let root = document.root
    #expect(root.kind == .object)
    #expect(root.position == TextPosition(line: 1, column: 1))
    #expect(root.members.map(\.name) == ["name", "age", "traits"])
    #expect(root["age"]?.position == TextPosition(line: 3, column: 10))
    #expect(root.member("age")?.key.position == TextPosition(line: 3, column: 3))
    #expect(root["age"]?.number?.literal == "7.0")
    #expect(root["name"]?.string == "Luna")
    let deepest = root["traits"]?.elements.last?["é"]
    #expect(deepest?.kind == .null)
    #expect(deepest?.position == TextPosition(line: 4, column: 29))
    #expect(deepest?.value == JSONValue.null)
    #expect(document.position(at: document.bytes.count + 5) == TextPosition(line: 6, column: 1))
  }

  @Test("of other kinds have no members, elements or strings")
  func otherKinds() throws {
    let root = try JSONDocument(parsing: "{\"a\": [1], \"s\": \"x\"}").root
    #expect(root.elements.isEmpty)
    #expect(root.string == nil && root.number == nil)
    #expect(root["x"] == nil)
    let array = try #require(root["a"])
    #expect(array.members.isEmpty)
    #expect(array["0"] == nil)
    #expect(array.elements.count == 1)
    let string = try #require(root["s"])
    #expect(string.number == nil && string.members.isEmpty && string.elements.isEmpty)
  }

  @Test("find members by their scalars, whatever their escapes")
  func members() throws {
    let text = "{\"\\u00e9\": 1, \"e\u{301}\": 2, \"a\\/b\": 3, \"\": 4}"
    let root = try JSONDocument(parsing: text).root
    #expect(root["\u{E9}"]?.value == 1)
    #expect(root["e\u{301}"]?.value == 2)
    #expect(root["a/b"]?.value == 3)
    #expect(root[""]?.value == 4)
    #expect(root["\\u00e9"] == nil)
  }

  @Test(
    "count lines and columns",
    arguments: [
      ("", 0, 1, 1), ("ab", 1, 1, 2), ("a\nb", 2, 2, 1), ("a\nb", 1, 1, 2), ("a\r\nb", 3, 2, 1),
      ("a\r\nb", 2, 1, 2), ("a\rb", 2, 2, 1), ("a\r\rb", 3, 3, 1), ("\n\n", 2, 3, 1),
      ("a\r", 2, 2, 1),
      ("éa", 2, 1, 2), ("é", 1, 1, 2), ("🦊x", 4, 1, 2), ("e\u{301}x", 3, 1, 3), ("\tx", 1, 1, 2),
      ("\u{FEFF}x", 3, 1, 1), ("\u{FEFF}x", 0, 1, 1), ("\u{FEFF}x\ny", 5, 2, 1),
      ("x\u{FEFF}y", 4, 1, 3), ("abc", 99, 1, 4), ("abc", -1, 1, 1), ("a\u{2028}b", 4, 1, 3),
    ] as [(String, Int, Int, Int)])
  func positions(text: String, offset: Int, line: Int, column: Int) {
    let position = TextPosition(offset: offset, in: Array(text.utf8))
    #expect(position == TextPosition(line: line, column: column))
    #expect(position.description == "\(line):\(column)")
  }

  @Test("count on from one position to another as from the start")
  func manyPositions() throws {
    let list = Array(repeating: "\"é🦊\"", count: 400).joined(separator: ",\r\n")
    let text = try JSONDocument(parsing: "\u{FEFF}[" + list + "]")
    for offset in [3_000, -1] + Array(0...text.bytes.count + 1) {
      #expect(text.position(at: offset) == TextPosition(offset: offset, in: text.bytes))
    }
    // From the start each time, this would take minutes.
    let numbers = Array(repeating: "1", count: 100_000).joined(separator: ",\n")
    let elements = try JSONDocument(parsing: "[" + numbers + "]").root.elements
    let lines = elements.reversed().map(\.position.line)
    #expect(lines == Array((1...100_000).reversed()))
  }

  @Test("order positions as the text does")
  func order() {
    #expect(TextPosition(line: 1, column: 9) < TextPosition(line: 2, column: 1))
    #expect(TextPosition(line: 2, column: 1) < TextPosition(line: 2, column: 2))
    #expect(!(TextPosition(line: 2, column: 2) < TextPosition(line: 2, column: 2)))
  }

  @Test(
    "are refused with a message that says what to do",
    arguments: [
      ("[1 2]", "1:4: expected “,” or “]”, but found “2”"),
      ("{\"a\" 1}", "1:6: expected “:”, but found “1”"),
      ("{\"a\": 1", "1:8: the text ends here, but “,” or “}” should follow"),
      (
        "[\"a\nb\"]",
        "1:4: the line ends inside a string: its closing quote is missing, or \\n is needed here"
      ),
      ("[\"a\tb\"]", "1:4: the control character U+0009 must be written as an escape"),
      ("[\u{A0}]", "1:2: expected a value or “]”, but found the character U+00A0"),
      ("[1,]", "1:3: a comma must not come before a closing bracket or brace"),
      (
        "{\"a\\n\":1,\n\"a\\n\":2}",
        "2:1: the name \"a\\n\" occurs twice in this object (first at 1:2)"
      ),
      ("{} x", "1:4: nothing may follow the value"),
      ("[01]", "1:2: a number must not have zeros in front of it"),
      ("[1.]", "1:2: this is not a complete number"), ("[NaN]", "1:2: “NaN” is not a JSON value"),
      ("[1e1000000000000000000]", "1:2: the exponent of this number is too large"),
      ("// x", "1:1: JSON has no comments"),
      (
        "[\"\\x\"]",
        "1:3: a backslash must be followed by one of \" \\ / b f n r t or u and four hex digits"
      ),
      ("[\"\\ud800\"]", "1:3: this \\u escape is one half of a surrogate pair without the other"),
    ])
  func messages(text: String, message: String) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: text) }
    #expect(error?.description == message)
  }
}
