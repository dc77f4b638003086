import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

@testable import stories

@Suite("Problems of files")
struct ProblemTests {
  struct Row: Sendable {
    var text: String
    var code = Problem.Code.syntax
    var at: String
    var hint: String?
  }

  @Test(
    "of texts that do not parse",
    arguments: [
      NamedCase(
        "empty", Row(text: "", code: .empty, at: "1:1", hint: "git checkout -- heroes/x.json")),
      NamedCase(
        "empty, with a last synced version",
        Row(text: "", code: .empty, at: "1:1", hint: "stories restore heroes/x")),
      NamedCase(
        "white space", Row(text: " \r\n\t\n", code: .empty, at: "1:1", hint: "write the record")),
      NamedCase(
        "a byte order mark alone", Row(text: "\u{FEFF}\n", code: .empty, at: "1:1", hint: "write")),
      NamedCase(
        "conflict markers",
        Row(
          text: "{\n<<<<<<< HEAD\n\"age\": 7\n=======\n\"age\": 8\n>>>>>>> other\n}\n",
          code: .conflictMarkers, at: "2:1", hint: "stories resolve heroes/x")),
      NamedCase(
        "a conflict marker that was left",
        Row(
          text: "{\n\"age\": 7\n=======\n>>>>>>> other\n}\n", code: .conflictMarkers, at: "4:1",
          hint: "remove the lines")),
      NamedCase(
        "conflict markers without names",
        Row(text: "{\r\n<<<<<<<\r\n}", code: .conflictMarkers, at: "2:1", hint: "resolve")),
      NamedCase(
        "eight signs are no marker",
        Row(text: "<<<<<<<<\n", at: "1:1", hint: "a record starts with")),
      NamedCase(
        "a trailing comma", Row(text: "{\n  \"age\": 7,\n}", at: "2:11", hint: "remove this comma")),
      NamedCase("a comment", Row(text: "{\n  // yes\n}", at: "2:3", hint: "member of your own")),
      NamedCase("single quotes", Row(text: "{'age': 7}", at: "1:2", hint: "double quotes")),
      NamedCase(
        "a single-quoted text", Row(text: "{\"name\": 'Luna'}", at: "1:10", hint: "double quotes")),
      NamedCase(
        "typographic quotes", Row(text: "{“name”: 7}", at: "1:2", hint: "plain quotes (\")")),
      NamedCase(
        "typographic quotes around a text",
        Row(text: "{\"name\": „Luna“}", at: "1:10", hint: "plain quotes (\")")),
      NamedCase(
        "a line end in a text",
        Row(text: "{\"name\": \"Lu\nna\"}", at: "1:13", hint: "array of lines")),
      NamedCase(
        "a tab in a text", Row(text: "{\"name\": \"a\tb\"}", at: "1:12", hint: #"write \t"#)),
      NamedCase(
        "another control character", Row(text: "{\"name\": \"a\u{1}\"}", at: "1:12", hint: nil)),
      NamedCase(
        "a comma missing between lines",
        Row(
          text: "{\n  \"age\": 7\n\n  \"name\": \"x\"\n}", at: "4:3",
          hint: "a comma at the end of line 2")),
      NamedCase(
        "a comma missing behind a bracket",
        Row(text: "{\n\"traits\": []\n\"name\": \"x\"\n}", at: "3:1", hint: "the end of line 2")),
      NamedCase(
        "a comma missing on a line",
        Row(text: "[\"a\" \"b\"]", at: "1:6", hint: "a comma in front of it")),
      NamedCase(
        "a comma missing between lines of a text",
        Row(text: "[\n\"a\"\n\"b\"\n]", at: "3:1", hint: "a comma at the end of line 2")),
      NamedCase(
        "quotes in a text",
        Row(text: "{\"name\": \"The \"big\" one\"}", at: "1:16", hint: #"write \" for"#)),
      NamedCase("a bare name", Row(text: "{age: 7}", at: "1:2", hint: "the name in double quotes")),
      NamedCase(
        "a bare text", Row(text: "{\"name\": Luna}", at: "1:10", hint: "the text in double quotes")),
      NamedCase(
        "another letter",
        Row(text: "{\"name\": Éva}", at: "1:10", hint: "the text in double quotes")),
      NamedCase(
        "an equals sign", Row(text: "{\"age\" = 7}", at: "1:8", hint: "“:” instead of “=”")),
      NamedCase("Python's true", Row(text: "{\"a\": True}", at: "1:7", hint: "write true")),
      NamedCase("Python's none", Row(text: "{\"a\": None}", at: "1:7", hint: "write null")),
      NamedCase("not a number", Row(text: "{\"a\": NaN}", at: "1:7", hint: nil)),
      NamedCase("a plus", Row(text: "{\"a\": +1}", at: "1:7", hint: "without “+”")),
      NamedCase("a point in front", Row(text: "{\"a\": .5}", at: "1:7", hint: "a zero in front")),
      NamedCase("leading zeros", Row(text: "{\"a\": 07}", at: "1:7", hint: "without them")),
      NamedCase(
        "a name that stands twice", Row(text: "{\"a\": 1, \"a\": 2}", at: "1:10", hint: "keep one")),
      NamedCase(
        "an unknown escape",
        Row(text: #"{"a": "C:\docs"}"#, at: "1:10", hint: #"\\ for a backslash"#)),
      NamedCase("an object that does not end", Row(text: "{\"a\": 1", at: "1:8", hint: "“}”")),
      NamedCase("an array that does not end", Row(text: "[1", at: "1:3", hint: "“]”")),
      NamedCase("two records", Row(text: "{}\n{}", at: "2:1", hint: "second file")),
      NamedCase(
        "a brace too early", Row(text: "{\"a\": 1},\n\"b\": 2}", at: "1:9", hint: "too early")),
      NamedCase(
        "a wrong bracket", Row(text: "{\"a\": [1}", at: "1:9", hint: "array with “]” first")),
      NamedCase(
        "a bracket too many", Row(text: "{\"a\": [1]]}", at: "1:10", hint: "open an array")),
      NamedCase("a brace too many", Row(text: "{}\n}", at: "2:1", hint: "nothing is open")),
      NamedCase("a comma after the record", Row(text: "{},\n", at: "1:3", hint: "remove it")),
      NamedCase(
        "fields without braces",
        Row(text: "\"a\": 1,\n\"b\": 2", at: "1:4", hint: "between “{” and “}”")),
      NamedCase("prose", Row(text: "Once upon a time\n", at: "1:1", hint: "starts with “{”")),
      NamedCase(
        "a semicolon", Row(text: "{\"a\": 1;\n\"b\": 2}", at: "1:8", hint: "“,” instead of “;”")),
      NamedCase("another semicolon", Row(text: "{\"a\": 1,;}", at: "1:9", hint: "remove it")),
      NamedCase("two commas", Row(text: "[1,,2]", at: "1:4", hint: "remove it")),
      NamedCase("a missing colon", Row(text: "{\"a\" 1}", at: "1:6", hint: "put a colon")),
      NamedCase("a missing value", Row(text: "{\"a\": }", at: "1:7", hint: "write a value")),
      NamedCase(
        "a word after a number",
        Row(text: "{\"a\": 7 years}", at: "1:9", hint: "the whole value in double quotes")),
      NamedCase(
        "a quote in a text, before a full stop",
        Row(text: #"["She said \"hi"."]"#, at: "1:17", hint: #"write \" for"#)),
      NamedCase("half a fraction", Row(text: "{\"a\": 1.}", at: "1:7", hint: "after the point")),
      NamedCase("a decimal comma", Row(text: "{\"a\": 1,5}", at: "1:9", hint: "with a point")),
      NamedCase(
        "a space from a word processor",
        Row(text: "{\u{A0}\"a\": 1}", at: "1:2", hint: "an ordinary space")),
    ])
  func texts(_ row: NamedCase<Row>) throws {
    let problem = try #require(throws: Problem.self) {
      try RecordFile("heroes/x", row.value.text)
    }
    #expect(problem.code == row.value.code)
    #expect(problem.severity == .error)
    #expect(problem.file == "heroes/x.json")
    #expect(problem.position?.description == row.value.at)
    #expect(problem.description.hasPrefix("heroes/x.json:\(row.value.at): "))
    if let hint = row.value.hint {
      #expect(problem.advice?.contains(hint) == true, "\(problem.advice ?? "no hint")")
    } else {
      #expect(problem.advice == nil)
    }
  }

  @Test("bytes that are not UTF-8")
  func encoding() throws {
    let problem = try #require(throws: Problem.self) {
      try RecordFile(ref: "heroes/x", bytes: "{\"name\": \"".bytes + [0xE9] + "\"}".bytes)
    }
    #expect(problem.position?.description == "1:11")
    #expect(problem.advice == "save the file as UTF-8")
  }

  @Test("a text in UTF-16, with and without a byte order mark", arguments: [true, false])
  func utf16(hasMark: Bool) throws {
    let bytes: [UInt8] = (hasMark ? [0xFF, 0xFE] : []) + "{}".bytes.flatMap { [$0, 0] }
    let problem = try #require(throws: Problem.self) {
      try RecordFile(ref: "heroes/x", bytes: bytes)
    }
    #expect(problem.advice?.hasSuffix("save the file as UTF-8") == true)
    #expect(problem.advice?.contains("UTF-16") == hasMark)
  }

  @Test("a text that is no object", arguments: ["[]", "7", "\"x\"", "null", " \n true"])
  func noObject(_ text: String) throws {
    let problem = try #require(throws: Problem.self) { try RecordFile("heroes/x", text) }
    #expect(problem.code == .notAnObject)
    #expect(problem.position == (text.hasPrefix(" ") ? .init(line: 2, column: 2) : .start))
  }

  @Test(
    "hints never run past the text",
    arguments: ["{", "[", "\"", "{\"a\"", "{\"a\":", "[1,", "-", "t"])
  func ends(_ text: String) {
    let problem = #expect(throws: Problem.self) { try RecordFile("heroes/x", text) }
    #expect(problem?.code == .syntax)
  }

  @Test("files that cannot be read say what stands there")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("a.json")
    try folder.link("b.json", to: "a.json")
    for (name, what) in [("a.json", "a folder"), ("b.json", "a symbolic link")] {
      let error = try #require(throws: FileError.self) {
        try FileSystem.read(folder.path(name))
      }
      let problem = Problem(error, file: "heroes/" + name)
      #expect(problem.code == .notAFile)
      #expect(problem.message.contains(what))
    }
    let denied = Problem(FileError(.read, path: "/x", code: 13), file: "heroes/x.json")
    #expect(denied.code == .unreadable)
    #expect(denied.message == "cannot be read: Permission denied")
  }

  @Test("git's markers in a sidecar are for a sync, or for a decision, never for an editor")
  func markersInSidecars() throws {
    let whole = "  \"updatedAt\": \"u\",\n  \"base\": {}\n"
    func problem(_ ids: [String], rest: String = whole) throws -> Problem {
      let sides = ids.map { "  \"id\": \"\($0)\",\n" }
      let text = "{\n<<<<<<< a\n\(sides[0])=======\n\(sides[1])>>>>>>> b\n\(rest)}\n"
      let error = try #require(throws: JSONSyntaxError.self) {
        try JSONDocument(parsing: Array(text.utf8))
      }
      return Problem(error, file: "heroes/family/.sync/otto.json", bytes: Array(text.utf8))
    }
    let one = try problem(["1", "1"])
    #expect(one.code == .conflictMarkers)
    #expect(one.advice == "`stories sync` repairs it")
    let two = try problem(["1", "2"])
    #expect(two.code == .conflictMarkers)
    #expect(two.message == "git left two sidecars in this file, which belong to different records")
    #expect(two.advice == "choose one: stories resolve heroes/family/otto")
    let inseparable = try problem(["1", "2"], rest: "<<<<<<<< c\n\(whole)")
    #expect(inseparable.message == two.message)
    let checkout = "`git checkout --ours -- heroes/family/.sync/otto.json` or `--theirs`"
    #expect(inseparable.advice?.hasPrefix(checkout) == true)
  }
}
