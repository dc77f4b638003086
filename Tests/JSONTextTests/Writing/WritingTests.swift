import JSONText
import TestSupport
import Testing

@Suite("Writing")
struct WritingTests {
  @Test(
    "escapes what RFC 8259 asks for and no more",
    arguments: [
      ("", #""""#), ("a/b", #""a/b""#), ("\"\\", #""\"\\""#),
      ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
      ("\0\u{1}\u{B}\u{1F}", #""\u0000\u0001\u000b\u001f""#), ("\u{7F}\u{80}", "\"\u{7F}\u{80}\""),
      ("é€🦊\u{2028}\u{FEFF}", "\"é€🦊\u{2028}\u{FEFF}\""),
      ("12345678\"12345678", #""12345678\"12345678""#),
      ("äöüßäöüß\\äöüß", #""äöüßäöüß\\äöüß""#),
    ])
  func strings(string: String, text: String) {
    #expect(JSONValue.string(string).compactText == text)
  }

  @Test("without spaces keeps order and literals")
  func compact() throws {
    let text = #"{"b":[1.0,1e3,-0,{}],"a":{"x":[],"y":null},"c":true}"#
    #expect(try JSONValue(parsing: Array(text.utf8)).compactText == text)
  }

  @Test(
    "lays out a file",
    arguments: [
      ("1", "1\n"), ("[]", "[]\n"), ("{}", "{}\n"), ("[ ]", "[]\n"), ("[1,2]", "[1, 2]\n"),
      ("[[]]", "[\n  []\n]\n"), ("[{}]", "[\n  {}\n]\n"), ("[1,[2]]", "[\n  1,\n  [2]\n]\n"),
      (
        "{\"a\":[1,\"x\"],\"b\":{\"c\":{}}}",
        "{\n  \"a\": [1, \"x\"],\n  \"b\": {\n    \"c\": {}\n  }\n}\n"
      ),
      ("[{\"a\":1},{\"a\":[]}]", "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": []\n  }\n]\n"),
      ("{\"b\":1,\"a\":2.50}", "{\n  \"b\": 1,\n  \"a\": 2.50\n}\n"),
    ])
  func files(text: String, file: String) throws {
    let document = try JSONDocument(parsing: text)
    #expect(String(decoding: document.root.value.fileBytes(), as: UTF8.self) == file)
    #expect(String(decoding: document.formatted(), as: UTF8.self) == file)
  }

  @Test("keeps an array on its line up to 80 characters, with a comma")
  func width() throws {
    for (scalar, bytes) in [("a", 1), ("é", 2), ("雪", 3), ("🦊", 4), ("e\u{301}", 3)] {
      let scalars = scalar.unicodeScalars.count
      // Two levels of indentation, a name, the brackets, two quotes and the comma.
      let room = (80 - "    \"k\": [\"\"],".count) / scalars
      for (count, isWhole) in [(room, true), (room + 1, false)] {
        let element = String(repeating: scalar, count: count)
        #expect(element.utf8.count == bytes * count)
        let value: JSONValue = ["o": ["k": [.string(element)]]]
        let whole = "{\n  \"o\": {\n    \"k\": [\"\(element)\"]\n  }\n}\n"
        let broken = "{\n  \"o\": {\n    \"k\": [\n      \"\(element)\"\n    ]\n  }\n}\n"
        #expect(value.fileBytes() == Array((isWhole ? whole : broken).utf8))
        // The comma counts whether or not there is one.
        let followed: JSONValue = ["o": ["k": [.string(element)], "l": 1]]
        #expect(
          followed.fileBytes().count == value.fileBytes().count + ",\n    \"l\": 1".utf8.count)
      }
    }
  }

  @Test("follows another layout")
  func layouts() throws {
    let value: JSONValue = ["a": [1, 2], "content": ["x"], "o": ["content": [], "k": [[]]]]
    let layout = JSONLayout(
      indent: "\t", lineEnd: "\r\n", colon: " : ", lineWidth: 12, brokenArrays: ["content"])
    let expected = """
      {
      \t"a" : [
      \t\t1,
      \t\t2
      \t],
      \t"content" : [
      \t\t"x"
      \t],
      \t"o" : {
      \t\t"content" : [],
      \t\t"k" : [
      \t\t\t[]
      \t\t]
      \t}
      }

      """.replacing("\n", with: "\r\n")
    #expect(String(decoding: value.fileBytes(layout: layout), as: UTF8.self) == expected)
  }
}

@Suite("Formatting")
struct FormattingTests {
  @Test("puts known names first, in their order, and keeps the others’")
  func order() throws {
    let document = try JSONDocument(
      parsing:
        "\u{FEFF}{\"z\":1,\"age\" : 7.0,\r\n\"b\":{\"name\":1,\"age\":2},\"name\":\"L\\u0075na\\/\"}"
    )
    let formatted = document.formatted(order: ["name", "age", "name", "missing"])
    let expected = """
      {
        "name": "Luna/",
        "age": 7.0,
        "z": 1,
        "b": {
          "name": 1,
          "age": 2
        }
      }

      """
    #expect(String(decoding: formatted, as: UTF8.self) == expected)
  }

  @Test("breaks the arrays that are named, and joins short ones")
  func arrays() throws {
    let document = try JSONDocument(
      parsing: "{\"content\": [\"a\"], \"traits\": [\n\"x\",\n\"y\"\n], \"keywords\": []}")
    let formatted = document.formatted(brokenArrays: ["content", "keywords"])
    let expected = """
      {
        "content": [
          "a"
        ],
        "traits": ["x", "y"],
        "keywords": []
      }

      """
    #expect(String(decoding: formatted, as: UTF8.self) == expected)
  }

  @Test("changes nothing the second time, and never the value")
  func idempotent() throws {
    let seed: UInt64 = 31
    print("formatting, seed \(seed)")
    var generator = TextGenerator(seed: seed)
    for _ in 0..<2000 {
      let value = JSONValue.object(generator.object(depth: 2, count: generator.random.below(6)))
      let order = (0..<generator.random.below(4)).map { _ in generator.name() }
      let document = try JSONDocument(parsing: generator.text(of: value, style: generator.style()))
      let once = document.formatted(order: order, brokenArrays: ["content"])
      let again = try JSONDocument(parsing: once)
      #expect(again.formatted(order: order, brokenArrays: ["content"]) == once)
      #expect((again.root.value == value) == true)
      let known = again.root.members.map(\.name).prefix { name in
        order.contains { Array($0.utf8) == Array(name.utf8) }
      }
      #expect(
        known.count
          == Set(order.map { Array($0.utf8) }).count {
            value[String(decoding: $0, as: UTF8.self)] != nil
          })
    }
  }
}
