import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import StoryMerge

@Suite struct RecordFileMergeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var kind: EntityKind = .stories
    var base: String
    var ours: String
    var theirs: String
    var result: String
    var conflicts: [String] = []

    var testDescription: String { name }
  }

  private static let marks: MarkedText = {
    var marks = MarkedText(size: 7)
    marks.names = ("HEAD", "base", "branch")
    marks.showsBase = false
    return marks
  }()

  private func merge(
    _ kind: EntityKind, _ base: String, _ ours: String, _ theirs: String,
    marks: MarkedText = Self.marks
  ) throws -> RecordFileMerge.Outcome {
    let merge = RecordFileMerge(
      kind, base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8),
      marks: marks)
    return try #require(merge).outcome()
  }

  static let cases: [Case] = [
    Case(
      name: "different members, our layout", kind: .heroes,
      base: "{\"name\": \"A\", \"age\": 5, \"height\": \"tall\"}",
      ours: "{\n\t\"height\": \"small\",\n\t\"name\": \"A\",\n\t\"age\": 5.0\n}\n",
      theirs: "{\"name\": \"A\", \"age\": 6, \"height\": \"tall\", \"traits\": [\"brave\"]}",
      result:
        "{\n\t\"height\": \"small\",\n\t\"name\": \"A\",\n\t\"age\": 6,\n\t\"traits\": [\"brave\"]\n}\n"
    ),
    Case(
      name: "a set takes both sides' changes", kind: .heroes,
      base: "{\"traits\": [\"a\", \"b\"]}", ours: "{\"traits\": [\"a\", \"b\", \"c\"]}",
      theirs: "{\"traits\": [\"b\", \"d\"]}", result: "{\"traits\": [\"b\", \"c\", \"d\"]}"),
    Case(
      name: "counts add up", base: "{\"playCount\": 5}", ours: "{\"playCount\": 7}",
      theirs: "{\"playCount\": 6}", result: "{\"playCount\": 8}"),
    Case(
      name: "the same count counts once", base: "{\"playCount\": 5, \"title\": \"A\"}",
      ours: "{\"playCount\": 7, \"title\": \"A\"}", theirs: "{\"playCount\": 7, \"title\": \"B\"}",
      result: "{\"playCount\": 7, \"title\": \"B\"}"),
    Case(
      name: "lines apart", base: "{\n  \"content\": [\n    \"a\",\n    \"b\",\n    \"c\"\n  ]\n}\n",
      ours: "{\n  \"content\": [\n    \"A\",\n    \"b\",\n    \"c\"\n  ]\n}\n",
      theirs: "{\n  \"content\": [\n    \"a\",\n    \"b\",\n    \"C\",\n    \"d\"\n  ]\n}\n",
      result: "{\n  \"content\": [\n    \"A\",\n    \"b\",\n    \"C\",\n    \"d\"\n  ]\n}\n"),
    Case(
      name: "a string of lines and an array of them",
      base: "{\"content\": \"a\\nb\\nc\"}", ours: "{\"content\": \"A\\nb\\nc\"}",
      theirs: "{\"content\": [\"a\", \"b\", \"C\"]}", result: "{\"content\": \"A\\nb\\nC\"}"),
    Case(
      name: "removed there, untouched here", kind: .heroes,
      base: "{\n  \"name\": \"A\",\n  \"height\": \"tall\"\n}\n",
      ours: "{\n  \"name\": \"B\",\n  \"height\": \"tall\"\n}\n",
      theirs: "{\n  \"name\": \"A\"\n}\n", result: "{\n  \"name\": \"B\"\n}\n"),
    Case(
      name: "a default that goes says nothing", base: "{\"title\": \"A\", \"language\": \"en\"}",
      ours: "{\"title\": \"A\"}", theirs: "{\"title\": \"B\", \"language\": \"fr\"}",
      result: "{\"title\": \"B\", \"language\": \"fr\"}"),
    Case(
      name: "a reference by name and by id", base: "{\"hero\": \"luna\", \"title\": \"A\"}",
      ours: "{\"hero\": \"luna\", \"title\": \"B\"}",
      theirs: "{\"heroId\": \"h1\", \"title\": \"A\"}",
      result: "{\"title\": \"B\", \"heroId\": \"h1\"}"),
    Case(
      name: "members of no field", base: "{\"note\": {\"a\": 1}, \"title\": \"A\"}",
      ours: "{\"note\": {\"a\": 1}, \"title\": \"B\"}",
      theirs: "{\"note\": {\"a\": 2}, \"title\": \"A\", \"mine\": true}",
      result: "{\"note\": {\"a\": 2}, \"title\": \"B\", \"mine\": true}"),
    Case(
      name: "one member clashes", kind: .heroes,
      base: "{\n  \"name\": \"A\",\n  \"age\": 5,\n  \"height\": \"tall\"\n}\n",
      ours: "{\n  \"name\": \"B\",\n  \"age\": 6,\n  \"height\": \"tall\"\n}\n",
      theirs: "{\n  \"name\": \"C\",\n  \"age\": 5,\n  \"height\": \"small\"\n}\n",
      result: """
        {
        <<<<<<< HEAD
          "name": "B",
        =======
          "name": "C",
        >>>>>>> branch
          "age": 6,
          "height": "small"
        }

        """, conflicts: ["name"]),
    Case(
      name: "the last member clashes with its absence", kind: .heroes,
      base: "{\n  \"name\": \"A\",\n  \"height\": \"tall\"\n}\n",
      ours: "{\n  \"name\": \"A\",\n  \"height\": \"small\"\n}\n",
      theirs: "{\n  \"name\": \"A\"\n}\n",
      result: """
        {
        <<<<<<< HEAD
          "name": "A",
          "height": "small"
        =======
          "name": "A"
        >>>>>>> branch
        }

        """, conflicts: ["height"]),
    Case(
      name: "only the lines that clash are marked",
      base: "{\n  \"content\": [\n    \"a\",\n    \"b\",\n    \"c\",\n    \"d\"\n  ]\n}\n",
      ours: "{\n  \"content\": [\n    \"A\",\n    \"b\",\n    \"X\",\n    \"d\"\n  ]\n}\n",
      theirs: "{\n  \"content\": [\n    \"a\",\n    \"b\",\n    \"Y\",\n    \"d\"\n  ]\n}\n",
      result: """
        {
          "content": [
            "A",
            "b",
        <<<<<<< HEAD
            "X",
        =======
            "Y",
        >>>>>>> branch
            "d"
          ]
        }

        """, conflicts: ["content"]),
    Case(
      name: "added on both sides", kind: .heroes, base: "",
      ours: "{\n  \"name\": \"A\",\n  \"age\": 5,\n  \"traits\": [\"a\"]\n}\n",
      theirs: "{\n  \"name\": \"A\",\n  \"age\": 6,\n  \"traits\": [\"b\"]\n}\n",
      result: """
        {
          "name": "A",
        <<<<<<< HEAD
          "age": 5,
          "traits": ["a"]
        =======
          "age": 6,
          "traits": ["b"]
        >>>>>>> branch
        }

        """, conflicts: ["age", "traits"]),
  ]

  @Test(arguments: cases)
  func merges(_ item: Case) throws {
    let outcome = try merge(item.kind, item.base, item.ours, item.theirs)
    #expect(String(decoding: outcome.bytes, as: UTF8.self) == item.result)
    #expect(outcome.conflicts == item.conflicts)
  }

  @Test func markersFollowTheFileAndTheCall() throws {
    var marks = Self.marks
    marks.size = 9
    marks.showsBase = true
    let text = { (title: String) in "\u{FEFF}{\r\n  \"title\": \"\(title)\"\r\n}\r\n" }
    let outcome = try merge(.stories, text("A"), text("B"), text("C"), marks: marks)
    #expect(
      Array(outcome.bytes)
        == Array(
          "\u{FEFF}{\r\n<<<<<<<<< HEAD\r\n  \"title\": \"B\"\r\n||||||||| base\r\n  \"title\": \"A\"\r\n=========\r\n  \"title\": \"C\"\r\n>>>>>>>>> branch\r\n}\r\n"
            .utf8))
  }

  @Test func whatIsNoRecordIsLeftToGit() {
    let record = Array("{}".utf8)
    for broken in ["", "[]", "{\"a\": ", "<<<<<<< HEAD\n"].map({ Array($0.utf8) }) {
      for (ours, theirs) in [(broken, record), (record, broken)] {
        #expect(
          RecordFileMerge(.heroes, base: record, ours: ours, theirs: theirs, marks: Self.marks)
            == nil)
      }
    }
    #expect(
      RecordFileMerge(
        .heroes, base: Array("{".utf8), ours: record, theirs: record, marks: Self.marks) == nil)
  }

  /// Whatever two people did to a record: each side of what clashes is a record, nothing that one of
  /// them alone changed is lost, and what nobody changed stays.
  @Test(arguments: UInt64(1)...40)
  func randomEdits(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let base = Self.record(&random)
    var (ours, theirs) = (base, base)
    Self.change(&ours, &random, "ours")
    Self.change(&theirs, &random, "theirs")
    let texts = [base, ours, theirs].map { JSONValue.object($0).fileBytes() }
    let merge = try #require(
      RecordFileMerge(
        .stories, base: texts[0], ours: texts[1], theirs: texts[2], marks: Self.marks))
    let outcome = try merge.outcome()
    for side in [true, false] {
      let text = Self.side(outcome.bytes, isOurs: side)
      let value = try JSONValue(parsing: text)
      let object = try #require(value.object)
      for key in ["title", "eventType", "note", "isFavorite"] {
        let (before, mine, other) = (base[key], ours[key], theirs[key])
        if mine == other || other == before { #expect(object[key] == mine, "seed \(seed)") }
        if mine == before { #expect(object[key] == other, "seed \(seed)") }
        if mine != before, other != before, mine != other {
          #expect(object[key] == (side ? mine : other), "seed \(seed)")
        }
      }
    }
  }

  private static func record(_ random: inout SeededGenerator) -> JSONObject {
    [
      "title": "T", "eventType": "bedtime",
      "content": .array((0..<Int.random(in: 1...8, using: &random)).map { .string("line \($0)") }),
      "note": ["a": 1], "isFavorite": true,
    ]
  }

  private static func change(
    _ record: inout JSONObject, _ random: inout SeededGenerator, _ name: String
  ) {
    if Bool.random(using: &random) { record["title"] = .string("title of \(name)") }
    if Bool.random(using: &random) { record["eventType"] = "birthday" }
    if Bool.random(using: &random) { record["note"] = .string(name) }
    var lines = record["content"]?.array ?? []
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let place = Int.random(in: 0..<lines.count, using: &random)
      lines[place] = .string("\(name) \(Int.random(in: 0...9, using: &random))")
    }
    if Bool.random(using: &random) { lines.append(.string("end")) }
    record["content"] = .array(lines)
  }

  private static func side(_ bytes: [UInt8], isOurs: Bool) -> [UInt8] {
    var part = 0
    var result: [UInt8] = []
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.starts(with: "<<<<<<<".utf8) {
        part = 1
      } else if line.starts(with: "=======".utf8) {
        part = 2
      } else if line.starts(with: ">>>>>>>".utf8) {
        part = 0
      } else if part == 0 || (part == 1) == isOurs {
        result += line + [0x0A]
      }
    }
    return result
  }
}
