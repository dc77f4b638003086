import JSONText
import Testing

@testable import StoryLibrary

@Suite("Validation")
struct RecordCheckerTests {
  private static let table: ReferenceTable = {
    var table = ReferenceTable()
    table.add("heroes/luna", id: "h-luna")
    table.add("heroes/family/otto", id: "h-otto")
    table.add("heroes/new", id: nil)
    table.add("events/lost-tooth", id: "e-tooth")
    return table
  }()

  struct Row: Sendable {
    var ref: RecordRef = "heroes/x"
    var text: String
    /// `line:column severity code`, then what is wrong.
    var found: [(place: String, what: Problem.What)]
  }

  private static let fraction = JSONNumber(literal: "7.5") ?? JSONNumber(0)
  private static let languages = ["en", "fr", "es", "de", "it"]

  private static func missing(
    _ key: String, _ kind: EntityKind = .heroes, isNull: Bool = false
  ) -> Problem.What { .missing(kind.field(key), isNull: isNull, in: .record) }

  private static func unknown(_ name: String, nearest: String) -> Problem.What {
    .unknownField(name, nearest: nearest, in: .record)
  }

  private static func hero(_ member: String) -> String {
    "{\"name\": \"Luna\", \"age\": 7, \"traits\": [\"brave\"], \(member)}"
  }

  private static func story(_ member: String) -> String {
    "{\"title\": \"A\", \"hero\": \"luna\", \"content\": [\"a\"], \(member)}"
  }

  @Test(
    "each field",
    arguments: [
      NamedCase("all is well", Row(text: hero("\"height\": null, \"note\": 1"), found: [])),
      NamedCase(
        "everything is missing",
        Row(
          text: "{}",
          found: [
            ("1:1 error missing", missing("name")), ("1:1 error missing", missing("age")),
            ("1:1 error missing", missing("traits")),
          ])),
      NamedCase(
        "null is missing",
        Row(
          text: "{\"name\": null, \"age\": 7, \"traits\": [\"a\"]}",
          found: [("1:10 error missing", missing("name", isNull: true))])),
      NamedCase(
        "wrong types",
        Row(
          text: "{\n\"name\": 1,\n\"age\": \"7\",\n\"traits\": \"brave\",\n\"specialAbility\": {}}",
          found: [
            ("2:9 error type", .wrongType("name", .string, found: .number)),
            ("3:8 error type", .wrongType("age", .wholeNumber, found: .string)),
            ("4:11 error type", .wrongType("traits", .strings, found: .string)),
            ("5:19 error type", .wrongType("specialAbility", .stringOrStrings, found: .object)),
          ])),
      NamedCase(
        "an age with a fraction",
        Row(
          text: "{\"name\": \"L\", \"age\": 7.5, \"traits\": [\"a\"]}",
          found: [("1:22 error type", .notWhole("age", fraction))])),
      NamedCase(
        "a whole number however it is written",
        Row(text: "{\"name\": \"L\", \"age\": 0.7e1, \"traits\": [\"a\"]}", found: [])),
      NamedCase(
        "an age out of range",
        Row(
          text: "{\"name\": \"L\", \"age\": 13, \"traits\": [\"a\"]}",
          found: [("1:22 error range", .outOfRange("age", 3...12, JSONNumber(13)))])),
      NamedCase(
        "a name that is too long",
        Row(
          text:
            "{\"name\": \"\(String(repeating: "x", count: 201))\", \"age\": 7, \"traits\": [\"a\"]}",
          found: [("1:10 error length", .tooLong("name", count: 201, limit: 200))])),
      NamedCase(
        "characters are counted as the server counts them",
        Row(
          text:
            "{\"name\": \"\(String(repeating: "🌙", count: 101))\", \"age\": 7, \"traits\": [\"a\"]}",
          found: [("1:10 error length", .tooLong("name", count: 202, limit: 200))])),
      NamedCase(
        "an empty name",
        Row(
          text: "{\"name\": \"\", \"age\": 7, \"traits\": [\"a\"]}",
          found: [("1:10 error length", .blank("name"))])),
      NamedCase(
        "a name and a trait of blanks",
        Row(
          text: "{\"name\": \"  \", \"age\": 7, \"traits\": [\"\u{A0}\"]}",
          found: [
            ("1:10 error length", .blank("name")),
            ("1:37 error length", .blank("traits[0]")),
          ])),
      NamedCase(
        "traits: none, and one that is none",
        Row(
          text: "{\"name\": \"L\", \"age\": 7, \"traits\": []}",
          found: [("1:35 error range", .wrongCount("traits", 1...20, 0))])),
      NamedCase(
        "one trait that is no string and one that is empty",
        Row(
          text: "{\"name\": \"L\", \"age\": 7, \"traits\": [\n1,\n\"\"]}",
          found: [
            ("2:1 error type", .wrongType("traits[0]", .string, found: .number)),
            ("3:1 error length", .blank("traits[1]")),
          ])),
      NamedCase(
        "several abilities",
        Row(text: hero("\"specialAbility\": [\"sings\", \"dances\"]"), found: [])),
      NamedCase(
        "a mistyped name",
        Row(
          text: hero("\n  \"hairColour\": \"red\""),
          found: [("2:3 warning unknown-key", unknown("hairColour", nearest: "hairColor"))])
      ),
      NamedCase(
        "a story among the heroes",
        Row(
          text: "{\"title\": \"A\", \"hero\": \"luna\", \"content\": [\"a\"]}",
          found: [
            ("1:1 error wrong-folder", .wrongFolder(.stories, in: .heroes))
          ])),
      NamedCase(
        "a hero with a title is no story",
        Row(text: hero("\"title\": \"A\", \"hero\": \"luna\""), found: [])),
      NamedCase(
        "a hero without an age is no story",
        Row(
          text: "{\"name\": \"L\", \"traits\": [\"a\"], \"title\": \"A\", \"hero\": \"luna\"}",
          found: [("1:1 error missing", missing("age"))])),
      NamedCase(
        "a note does not hide that the text is missing",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"hero\": \"luna\", \"comment\": \"b\"}",
          found: [
            ("1:1 error missing", missing("content", .stories)),
            ("1:32 warning unknown-key", unknown("comment", nearest: "content")),
          ])),
      NamedCase(
        "a mistyped name of what is needed is one problem",
        Row(
          text: "{\"name\": \"L\", \"age\": 7, \"trait\": [\"a\"], \"trits\": [\"b\"]}",
          found: [
            ("1:25 error missing", .misspelt("trait", field: "traits", .heroes)),
            ("1:41 warning unknown-key", unknown("trits", nearest: "traits")),
          ])),
      NamedCase(
        "the name of a schema is no mistake", Row(text: hero("\"$schema\": \"x\""), found: [])),
      NamedCase(
        "a language that is none",
        Row(
          ref: "stories/x", text: story("\"language\": \"em\""),
          found: [("1:62 error choice", .choice("language", value: "em", allowed: languages))])),
      NamedCase(
        "a language that is no string",
        Row(
          ref: "stories/x", text: story("\"language\": 1"),
          found: [("1:62 error type", .wrongType("language", .string, found: .number))])),
      NamedCase(
        "a favorite that is neither",
        Row(
          ref: "stories/x", text: story("\"isFavorite\": 1"),
          found: [("1:64 error type", .wrongType("isFavorite", .boolean, found: .number))])),
      NamedCase(
        "a text of empty lines",
        Row(
          ref: "stories/x",
          text: "{\"title\": \"A\", \"hero\": \"luna\", \"content\": [\"\", \"\"]}",
          found: [("1:43 error length", .blank("content"))])),
      NamedCase(
        "a text of blank lines",
        Row(
          ref: "stories/x",
          text: "{\"title\": \"A\", \"hero\": \"luna\", \"content\": [\" \", \"\\t\"]}",
          found: [("1:43 error length", .blank("content"))])),
      NamedCase(
        "a string of line feeds is no more than that",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"hero\": \"luna\", \"content\": \"\\n\\n\"}",
          found: [("1:43 error length", .blank("content"))])),
      NamedCase(
        "a line that is no string",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"hero\": \"luna\", \"content\": [\"a\", 2]}",
          found: [("1:49 error type", .wrongType("content[1]", .string, found: .number))])),
      NamedCase(
        "a text that is a number",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"hero\": \"luna\", \"content\": 2}",
          found: [("1:43 error type", .wrongType("content", .lines, found: .number))])),
      NamedCase(
        "a hero that is nowhere",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"content\": \"a\", \"hero\": \"lnua\"}",
          found: [("1:40 error reference", .unknownReference("heroes/lnua", .similar("luna")))])),
      NamedCase(
        "a hero that is near nothing",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"content\": \"a\", \"hero\": \"somebody\"}",
          found: [("1:40 error reference", .unknownReference("heroes/somebody", nil))])),
      NamedCase(
        "a path instead of a name",
        Row(
          ref: "stories/x",
          text: "{\"title\": \"A\", \"content\": \"a\", \"hero\": \"heroes/family/otto.json\"}",
          found: [
            (
              "1:40 error reference",
              .unknownReference("heroes/heroes/family/otto.json", .path("family/otto"))
            )
          ])),
      NamedCase(
        "an id instead of a name",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"content\": \"a\", \"hero\": \"h-luna\"}",
          found: [
            ("1:40 error reference", .unknownReference("heroes/h-luna", .id(field: "heroId")))
          ])),
      NamedCase(
        "a hero without an id is fine",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"content\": \"a\", \"hero\": \"new\"}",
          found: [])),
      NamedCase(
        "an id under its own key is fine",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"content\": \"a\", \"heroId\": \"h-otto\"}",
          found: [])),
      NamedCase(
        "an id that no hero here has may be the server's",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"content\": \"a\", \"heroId\": \"far\"}",
          found: [("1:42 warning reference", .unknownID("heroId", .heroes))])),
      NamedCase(
        "a name and an id",
        Row(
          ref: "stories/x", text: story("\"heroId\": \"h-otto\""),
          found: [("1:50 error ambiguous", .ambiguous("heroId", with: "hero"))])),
      NamedCase(
        "an empty name of a hero",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"content\": \"a\", \"hero\": \"\"}",
          found: [("1:40 error length", .blank("hero"))])),
      NamedCase(
        "problems come in the order of their places",
        Row(
          ref: "events/x", text: "{\n\"tone\": 1,\n\"titel\": \"A\",\n\"promptSeed\": \"\"\n}",
          found: [
            ("2:9 error type", .wrongType("tone", .string, found: .number)),
            ("3:1 error missing", .misspelt("titel", field: "title", .events)),
            ("4:15 error length", .blank("promptSeed")),
          ])),
      NamedCase(
        "illustrations are nobody's to check", Row(ref: "illustrations/a/01", text: "{}", found: [])
      ),
    ])
  func fields(_ row: NamedCase<Row>) throws {
    let file = try RecordFile(row.value.ref, row.value.text)
    let problems = file.problems(references: Self.table)
    #expect(
      problems.map {
        "\($0.position?.description ?? "-") \($0.severity.rawValue) \($0.code.rawValue)"
      }
        == row.value.found.map(\.place))
    #expect(problems.map(\.what) == row.value.found.map(\.what))
    #expect(problems.allSatisfy { $0.file == row.value.ref.path })
  }

  @Test("what the server holds as well is only a warning")
  func agreed() throws {
    let sidecar = Sidecar(
      id: "1", updatedAt: "u",
      base: FieldValues(kind: .heroes, wire: ["name": "Luna", "age": 99, "height": ""]))
    let file = try RecordFile("heroes/x", #"{"name": "Mond", "age": 99.0, "height": ""}"#)
    let problems = file.problems(references: Self.table, sidecar: sidecar)
    #expect(problems.map(\.severity) == [.warning, .warning])
    #expect(problems.map(\.code) == [.missing, .range])
    let changed = try RecordFile("heroes/x", #"{"name": "Luna", "age": 98, "traits": 7}"#)
    #expect(
      changed.problems(references: Self.table, sidecar: sidecar).map(\.severity) == [
        .error, .error,
      ])
  }

  @Test("an id that the server's version has too is no problem")
  func agreedID() throws {
    let sidecar = Sidecar(
      id: "1", updatedAt: "u", base: FieldValues(kind: .stories, wire: ["heroId": "far"]))
    let file = try RecordFile("stories/x", #"{"title": "A", "content": "a", "heroId": "far"}"#)
    #expect(file.problems(references: Self.table, sidecar: sidecar).isEmpty)
  }

  @Test("a name that only the sidecar remembers is worth a look, but keeps nothing from being sent")
  func remembered() throws {
    let sidecar = Sidecar(
      id: "1", updatedAt: "u", base: FieldValues(kind: .stories, wire: ["heroId": "h9"]),
      refs: ["hero": "gone"])
    let file = try RecordFile("stories/x", #"{"title": "A", "hero": "gone", "content": "a"}"#)
    let problems = file.problems(references: Self.table, sidecar: sidecar)
    #expect(problems.map(\.code) == [.reference])
    #expect(problems.map(\.severity) == [.warning])
    #expect(file.problems(references: Self.table).map(\.severity) == [.error])
  }
}
