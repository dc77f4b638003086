import JSONText
import Testing

@Suite("Comparing values in their texts")
struct ComparingTests {
  private static let texts = [
    "null", "true", "false", "1", "1.0", "10e-1", "-1", "9007199254740993", "9007199254740992",
    #""""#, #""a""#, #""\u0061""#, #""é""#, #""\u00e9""#, #""e\u0301""#, #""\n""#, #""\u000a""#,
    "[]", "[1]", "[1.0]", "[1, 2]", #"["1"]"#, "[[]]", "[[1]]", "[[1.0], 2]", "[{}]", "{}",
    #"{"a": 1}"#, #"{"\u0061": 1.0}"#, #"{"a": 1, "b": [2]}"#, #"{"b": [2.0], "a": 1}"#,
    #"{"a": null}"#,
  ]

  @Test("all pairs compare as the values do", arguments: texts)
  func pairs(_ text: String) throws {
    let node = try JSONDocument(parsing: text).root
    for other in Self.texts {
      let other = try JSONDocument(parsing: " " + other).root
      #expect(node.isSame(as: other) == (node.value == other.value), "\(other.value)")
    }
  }

  @Test("deep values take no stack")
  func deep() throws {
    let count = JSONDocument.maximumDepth
    let text = String(repeating: "[", count: count) + String(repeating: "]", count: count)
    let node = try JSONDocument(parsing: text).root
    #expect(node.isSame(as: try JSONDocument(parsing: text + " ").root))
  }

  @Test(
    "lines are compared with the text that they make up",
    arguments: [
      ("[]", #""""#), (#"[""]"#, #""""#), (#"["", ""]"#, #""\n""#), (#"["a", "b"]"#, #""a\nb""#),
      (#"["a", "", "b"]"#, #""a\n\u000ab""#), (#"["a\nb"]"#, #""a\nb""#), (#"["a"]"#, #""a\n""#),
      (#"["a", "b"]"#, #""a\nbc""#), (#"["a", "bc"]"#, #""a\nb""#), (#"["a", "b"]"#, #""a b""#),
      (#"["\"é"]"#, #""\"\u00e9""#),
    ])
  func lines(_ lines: String, _ whole: String) throws {
    let (array, whole) = (
      try JSONDocument(parsing: lines).root, try JSONDocument(parsing: whole).root
    )
    let joined = array.elements.map { $0.string ?? "" }.joined(separator: "\n")
    #expect(array.isSplit(of: whole) == (joined.utf8.elementsEqual((whole.string ?? "").utf8)))
  }

  @Test("only an array of strings is compared with a string")
  func otherKinds() throws {
    let text = try JSONDocument(parsing: #""1""#).root
    for other in ["1", "[1]", #"["1", 1]"#, #"{"1": "1"}"#, #""1""#] {
      #expect(!(try JSONDocument(parsing: other).root.isSplit(of: text)), "\(other)")
    }
    let array = try JSONDocument(parsing: #"["1"]"#).root
    #expect(!array.isSplit(of: array))
  }
}
