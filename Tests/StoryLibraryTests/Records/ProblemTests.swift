import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

@Suite("Problems of files")
struct ProblemTests {
  @Test(
    "of texts that do not parse",
    arguments: [
      NamedCase("empty", ("", .empty(isJSON: true), "1:1")),
      NamedCase("white space", (" \r\n\t\n", .empty(isJSON: true), "1:1")),
      NamedCase("a byte order mark alone", ("\u{FEFF}\n", .empty(isJSON: true), "1:1")),
      NamedCase(
        "conflict markers",
        (
          "{\n<<<<<<< HEAD\n\"age\": 7\n=======\n\"age\": 8\n>>>>>>> other\n}\n",
          .conflictMarkers(labels: ["HEAD", "other"]), "2:1"
        )),
      NamedCase(
        "a conflict marker that was left",
        (
          "{\n\"age\": 7\n=======\n>>>>>>> other\n}\n", .conflictMarkers(labels: []), "4:1"
        )),
      NamedCase(
        "conflict markers without names",
        ("{\r\n<<<<<<<\r\n}", .conflictMarkers(labels: []), "2:1")),
    ] as [NamedCase<(String, Problem.What, String)>])
  func texts(_ row: NamedCase<(String, Problem.What, String)>) throws {
    let problem = try #require(throws: Problem.self) { try RecordFile("heroes/x", row.value.0) }
    #expect(problem.what == row.value.1)
    #expect(problem.severity == .error)
    #expect(problem.file == "heroes/x.json")
    #expect(problem.position?.description == row.value.2)
    #expect(problem.description == "heroes/x.json:\(row.value.2): \(problem.code.rawValue)")
  }

  @Test("a syntax error carries the text around it")
  func excerpt() throws {
    let text = "{\n  \"age\": 7\n\n  \"name\": \"\(String(repeating: "x", count: 300))\"\n}"
    let problem = try #require(throws: Problem.self) { try RecordFile("heroes/x", text) }
    guard case .syntax(let error, let excerpt) = problem.what else {
      Issue.record("\(problem)")
      return
    }
    #expect(error.reason == .expected(.commaOrBrace, found: "“\"”"))
    #expect(excerpt.before == "7\n\n  ".bytes)
    #expect(excerpt.after == Array(text.bytes.dropFirst(error.offset).prefix(200)))
    #expect(problem.fix == .addComma(offset: 12))
  }

  @Test("a text that is no object", arguments: ["[]", "7", "\"x\"", "null", " \n true"])
  func noObject(_ text: String) throws {
    let problem = try #require(throws: Problem.self) { try RecordFile("heroes/x", text) }
    #expect(problem.what == .notAnObject(try JSONDocument(parsing: text.bytes).root.kind))
    #expect(problem.position == (text.hasPrefix(" ") ? .init(line: 2, column: 2) : .start))
  }

  @Test("files that cannot be read say what stands there")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("a.json")
    try folder.link("b.json", to: "a.json")
    for (name, obstacle) in [("a.json", "a folder"), ("b.json", "a symbolic link")] {
      let error = try #require(throws: FileError.self) {
        try FileSystem.read(folder.path(name))
      }
      let problem = Problem(error, file: "heroes/" + name)
      #expect(problem.code == .notAFile)
      #expect(problem.what == .notAFile(error))
      #expect(error.obstacle == obstacle)
    }
    let denied = FileError(.read, path: "/x", code: 13)
    #expect(Problem(denied, file: "heroes/x.json").what == .unreadable(denied))
    #expect(Problem(denied, file: "heroes/x.json").code == .unreadable)
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
    #expect(try problem(["1", "1"]).what == .markedSidecar)
    #expect(try problem(["1", "2"]).what == .twoSidecars(areReadable: true))
    #expect(try problem(["1", "2"]).code == .conflictMarkers)
    let inseparable = try problem(["1", "2"], rest: "<<<<<<<< c\n\(whole)")
    #expect(inseparable.what == .twoSidecars(areReadable: false))
  }
}
