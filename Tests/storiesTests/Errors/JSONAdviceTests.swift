import JSONText
import StoryLibrary
import Testing

@testable import stories

/// The advice for a record that cannot be parsed.
@Suite struct JSONAdviceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var code = Problem.Code.syntax
    var at: String
    var hint: String?

    init(
      _ name: String, text: String, code: Problem.Code = .syntax, at: String, hint: String?
    ) {
      (testDescription, self.text, self.code) = (name, text, code)
      (self.at, self.hint) = (at, hint)
    }
  }

  private func problem(_ bytes: [UInt8]) throws -> Problem {
    try #require(throws: Problem.self) {
      try RecordFile(ref: RecordRef(kind: .heroes, name: "x"), bytes: bytes)
    }
  }

  @Test(arguments: [
    Row("empty", text: "", code: .empty, at: "1:1", hint: "git checkout -- heroes/x.json"),
    Row(
      "empty, with a last synced version", text: "", code: .empty, at: "1:1",
      hint: "stories restore heroes/x"),
    Row("white space", text: " \r\n\t\n", code: .empty, at: "1:1", hint: "write the record"),
    Row("a byte order mark alone", text: "\u{FEFF}\n", code: .empty, at: "1:1", hint: "write"),
    Row(
      "conflict markers",
      text: "{\n<<<<<<< HEAD\n\"age\": 7\n=======\n\"age\": 8\n>>>>>>> other\n}\n",
      code: .conflictMarkers, at: "2:1", hint: "stories resolve heroes/x"),
    Row(
      "a conflict marker that was left",
      text: "{\n\"age\": 7\n=======\n>>>>>>> other\n}\n", code: .conflictMarkers, at: "4:1",
      hint: "remove the lines"),
    Row(
      "conflict markers without names", text: "{\r\n<<<<<<<\r\n}", code: .conflictMarkers,
      at: "2:1", hint: "resolve"),
    Row("eight signs are no marker", text: "<<<<<<<<\n", at: "1:1", hint: "a record starts with"),
    Row("a trailing comma", text: "{\n  \"age\": 7,\n}", at: "2:11", hint: "remove this comma"),
    Row("a comment", text: "{\n  // yes\n}", at: "2:3", hint: "member of your own"),
    Row("single quotes", text: "{'age': 7}", at: "1:2", hint: "double quotes"),
    Row("a single-quoted text", text: "{\"name\": 'Luna'}", at: "1:10", hint: "double quotes"),
    Row("typographic quotes", text: "{“name”: 7}", at: "1:2", hint: "plain quotes (\")"),
    Row(
      "typographic quotes around a text", text: "{\"name\": „Luna“}", at: "1:10",
      hint: "plain quotes (\")"),
    Row(
      "a straight quote that ends a typographic one",
      text: "[\n\"„Hallo\", sagte sie.\",\n\"b\"]", at: "2:11", hint: "write \\\" for a quote"),
    Row("a word without quotes", text: "[\"a\", b, \"c\"]", at: "1:7", hint: "double quotes"),
    Row("a line end in a text", text: "{\"name\": \"Lu\nna\"}", at: "1:13", hint: "array of lines"),
    Row("a tab in a text", text: "{\"name\": \"a\tb\"}", at: "1:12", hint: #"write \t"#),
    Row("another control character", text: "{\"name\": \"a\u{1}\"}", at: "1:12", hint: nil),
    Row(
      "a comma missing between lines",
      text: "{\n  \"age\": 7\n\n  \"name\": \"x\"\n}", at: "4:3",
      hint: "a comma at the end of line 2"),
    Row(
      "a comma missing behind a bracket", text: "{\n\"traits\": []\n\"name\": \"x\"\n}", at: "3:1",
      hint: "the end of line 2"),
    Row(
      "a comma missing on a line", text: "[\"a\" \"b\"]", at: "1:6", hint: "a comma in front of it"),
    Row(
      "a comma missing between lines of a text", text: "[\n\"a\"\n\"b\"\n]", at: "3:1",
      hint: "a comma at the end of line 2"),
    Row(
      "quotes in a text", text: "{\"name\": \"The \"big\" one\"}", at: "1:16",
      hint: #"write \" for"#),
    Row("a bare name", text: "{age: 7}", at: "1:2", hint: "the name in double quotes"),
    Row("a bare text", text: "{\"name\": Luna}", at: "1:10", hint: "the text in double quotes"),
    Row("another letter", text: "{\"name\": Éva}", at: "1:10", hint: "the text in double quotes"),
    Row("an equals sign", text: "{\"age\" = 7}", at: "1:8", hint: "“:” instead of “=”"),
    Row("Python's true", text: "{\"a\": True}", at: "1:7", hint: "write true"),
    Row("Python's none", text: "{\"a\": None}", at: "1:7", hint: "write null"),
    Row("not a number", text: "{\"a\": NaN}", at: "1:7", hint: nil),
    Row("a plus", text: "{\"a\": +1}", at: "1:7", hint: "without “+”"),
    Row("a point in front", text: "{\"a\": .5}", at: "1:7", hint: "a zero in front"),
    Row("leading zeros", text: "{\"a\": 07}", at: "1:7", hint: "without them"),
    Row("a name that stands twice", text: "{\"a\": 1, \"a\": 2}", at: "1:10", hint: "keep one"),
    Row("an unknown escape", text: #"{"a": "C:\docs"}"#, at: "1:10", hint: #"\\ for a backslash"#),
    Row("an object that does not end", text: "{\"a\": 1", at: "1:8", hint: "“}”"),
    Row("an array that does not end", text: "[1", at: "1:3", hint: "“]”"),
    Row("two records", text: "{}\n{}", at: "2:1", hint: "second file"),
    Row("a brace too early", text: "{\"a\": 1},\n\"b\": 2}", at: "1:9", hint: "too early"),
    Row("a wrong bracket", text: "{\"a\": [1}", at: "1:9", hint: "array with “]” first"),
    Row("a bracket too many", text: "{\"a\": [1]]}", at: "1:10", hint: "open an array"),
    Row("a brace too many", text: "{}\n}", at: "2:1", hint: "nothing is open"),
    Row("a comma after the record", text: "{},\n", at: "1:3", hint: "remove it"),
    Row(
      "fields without braces", text: "\"a\": 1,\n\"b\": 2", at: "1:4", hint: "between “{” and “}”"),
    Row("prose", text: "Once upon a time\n", at: "1:1", hint: "starts with “{”"),
    Row("a semicolon", text: "{\"a\": 1;\n\"b\": 2}", at: "1:8", hint: "“,” instead of “;”"),
    Row("another semicolon", text: "{\"a\": 1,;}", at: "1:9", hint: "remove it"),
    Row("two commas", text: "[1,,2]", at: "1:4", hint: "remove it"),
    Row("a missing colon", text: "{\"a\" 1}", at: "1:6", hint: "put a colon"),
    Row("a missing value", text: "{\"a\": }", at: "1:7", hint: "write a value"),
    Row(
      "a word after a number", text: "{\"a\": 7 years}", at: "1:9",
      hint: "the whole value in double quotes"),
    Row(
      "a quote in a text, before a full stop", text: #"["She said \"hi"."]"#, at: "1:17",
      hint: #"write \" for"#),
    Row("half a fraction", text: "{\"a\": 1.}", at: "1:7", hint: "after the point"),
    Row("a decimal comma", text: "{\"a\": 1,5}", at: "1:9", hint: "with a point"),
    Row(
      "a space from a word processor", text: "{\u{A0}\"a\": 1}", at: "1:2",
      hint: "an ordinary space"),
  ])
  func `a text that does not parse is reported with its place and advice`(_ row: Row) throws {
    let problem = try problem(Array(row.text.utf8))
    #expect(problem.code == row.code)
    #expect(problem.severity == .error)
    #expect(problem.file == "heroes/x.json")
    #expect(problem.position?.description == row.at)
    #expect(problem.text.hasPrefix("heroes/x.json:\(row.at): "))
    if let hint = row.hint {
      #expect(problem.advice?.contains(hint) == true, "\(problem.advice ?? "no hint")")
    } else {
      #expect(problem.advice == nil)
    }
  }

  @Test func `bytes that are not UTF-8`() throws {
    let problem = try problem(Array("{\"name\": \"".utf8) + [0xE9] + Array("\"}".utf8))
    #expect(problem.position?.description == "1:11")
    #expect(problem.advice == "save the file as UTF-8")
  }

  @Test(arguments: [true, false])
  func `a text in UTF-16, with and without a byte order mark`(hasMark: Bool) throws {
    let problem = try problem((hasMark ? [0xFF, 0xFE] : []) + "{}".utf8.flatMap { [$0, 0] })
    #expect(problem.advice?.hasSuffix("save the file as UTF-8") == true)
    #expect(problem.advice?.contains("UTF-16") == hasMark)
  }

  @Test(arguments: ["{", "[", "\"", "{\"a\"", "{\"a\":", "[1,", "-", "t"])
  func `advice never runs past the text`(_ text: String) throws {
    let problem = try problem(Array(text.utf8))
    #expect(problem.code == .syntax)
    #expect(problem.advice?.isEmpty != true)
  }
}
