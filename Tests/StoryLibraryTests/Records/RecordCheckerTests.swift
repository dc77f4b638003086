import JSONText
import Testing

@testable import StoryLibrary

@testable import stories

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
    /// `line:column severity code`, then what the message and the hint contain.
    var found: [(place: String, message: String, hint: String)]
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
            ("1:1 error missing", "“name”", "\"name\""), ("1:1 error missing", "“age”", "\"age\""),
            ("1:1 error missing", "“traits”", "\"traits\""),
          ])),
      NamedCase(
        "null is missing",
        Row(
          text: "{\"name\": null, \"age\": 7, \"traits\": [\"a\"]}",
          found: [("1:10 error missing", "“name” needs a value, but this is null", "")])),
      NamedCase(
        "wrong types",
        Row(
          text: "{\n\"name\": 1,\n\"age\": \"7\",\n\"traits\": \"brave\",\n\"specialAbility\": {}}",
          found: [
            ("2:9 error type", "“name” must be a string, but this is a number", ""),
            ("3:8 error type", "“age” must be a whole number, but this is a string", ""),
            ("4:11 error type", "“traits” must be an array of strings", ""),
            ("5:19 error type", "“specialAbility” must be a string or an array of strings", ""),
          ])),
      NamedCase(
        "an age with a fraction",
        Row(
          text: "{\"name\": \"L\", \"age\": 7.5, \"traits\": [\"a\"]}",
          found: [("1:22 error type", "“age” must be a whole number, but this is 7.5", "")])),
      NamedCase(
        "a whole number however it is written",
        Row(text: "{\"name\": \"L\", \"age\": 0.7e1, \"traits\": [\"a\"]}", found: [])),
      NamedCase(
        "an age out of range",
        Row(
          text: "{\"name\": \"L\", \"age\": 13, \"traits\": [\"a\"]}",
          found: [("1:22 error range", "between 3 and 12, but this is 13", "")])),
      NamedCase(
        "a name that is too long",
        Row(
          text:
            "{\"name\": \"\(String(repeating: "x", count: 201))\", \"age\": 7, \"traits\": [\"a\"]}",
          found: [("1:10 error length", "201 characters, but at most 200", "")])),
      NamedCase(
        "characters are counted as the server counts them",
        Row(
          text:
            "{\"name\": \"\(String(repeating: "🌙", count: 101))\", \"age\": 7, \"traits\": [\"a\"]}",
          found: [("1:10 error length", "202 characters", "")])),
      NamedCase(
        "an empty name",
        Row(
          text: "{\"name\": \"\", \"age\": 7, \"traits\": [\"a\"]}",
          found: [("1:10 error length", "“name” must not be empty", "")])),
      NamedCase(
        "a name and a trait of blanks",
        Row(
          text: "{\"name\": \"  \", \"age\": 7, \"traits\": [\"\u{A0}\"]}",
          found: [
            ("1:10 error length", "“name” must not be empty", ""),
            ("1:37 error length", "“traits[0]” must not be empty", ""),
          ])),
      NamedCase(
        "traits: none, and one that is none",
        Row(
          text: "{\"name\": \"L\", \"age\": 7, \"traits\": []}",
          found: [("1:35 error range", "0 elements, but 1 to 20", "")])),
      NamedCase(
        "one trait that is no string and one that is empty",
        Row(
          text: "{\"name\": \"L\", \"age\": 7, \"traits\": [\n1,\n\"\"]}",
          found: [
            ("2:1 error type", "“traits[0]” must be a string, but this is a number", ""),
            ("3:1 error length", "“traits[1]” must not be empty", ""),
          ])),
      NamedCase(
        "several abilities",
        Row(text: hero("\"specialAbility\": [\"sings\", \"dances\"]"), found: [])),
      NamedCase(
        "a mistyped name",
        Row(
          text: hero("\n  \"hairColour\": \"red\""),
          found: [("2:3 warning unknown-key", "unknown field “hairColour”", "“hairColor”")])
      ),
      NamedCase(
        "a story among the heroes",
        Row(
          text: "{\"title\": \"A\", \"hero\": \"luna\", \"content\": [\"a\"]}",
          found: [
            (
              "1:1 error wrong-folder", "this looks like a story, but it is in heroes/",
              "to stories/"
            )
          ])),
      NamedCase(
        "a hero with a title is no story",
        Row(text: hero("\"title\": \"A\", \"hero\": \"luna\""), found: [])),
      NamedCase(
        "a hero without an age is no story",
        Row(
          text: "{\"name\": \"L\", \"traits\": [\"a\"], \"title\": \"A\", \"hero\": \"luna\"}",
          found: [("1:1 error missing", "“age” is missing", "")])),
      NamedCase(
        "a note does not hide that the text is missing",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"hero\": \"luna\", \"comment\": \"b\"}",
          found: [
            ("1:1 error missing", "“content” is missing", "array of lines"),
            ("1:32 warning unknown-key", "unknown field “comment”", "“content”"),
          ])),
      NamedCase(
        "a mistyped name of what is needed is one problem",
        Row(
          text: "{\"name\": \"L\", \"age\": 7, \"trait\": [\"a\"], \"trits\": [\"b\"]}",
          found: [
            ("1:25 error missing", "“trait” should be “traits”", "every hero needs “traits”"),
            ("1:41 warning unknown-key", "“trits”", "“traits”"),
          ])),
      NamedCase(
        "the name of a schema is no mistake", Row(text: hero("\"$schema\": \"x\""), found: [])),
      NamedCase(
        "a language that is none",
        Row(
          ref: "stories/x", text: story("\"language\": \"em\""),
          found: [("1:62 error choice", "one of en, fr, es, de, it", "“en”")])),
      NamedCase(
        "a language that is no string",
        Row(
          ref: "stories/x", text: story("\"language\": 1"),
          found: [("1:62 error type", "“language” must be a string", "")])),
      NamedCase(
        "a favorite that is neither",
        Row(
          ref: "stories/x", text: story("\"isFavorite\": 1"),
          found: [("1:64 error type", "true or false, but this is a number", "")])),
      NamedCase(
        "a text of empty lines",
        Row(
          ref: "stories/x",
          text: "{\"title\": \"A\", \"hero\": \"luna\", \"content\": [\"\", \"\"]}",
          found: [("1:43 error length", "“content” must not be empty", "")])),
      NamedCase(
        "a text of blank lines",
        Row(
          ref: "stories/x",
          text: "{\"title\": \"A\", \"hero\": \"luna\", \"content\": [\" \", \"\\t\"]}",
          found: [("1:43 error length", "“content” must not be empty", "")])),
      NamedCase(
        "a string of line feeds is no more than that",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"hero\": \"luna\", \"content\": \"\\n\\n\"}",
          found: [("1:43 error length", "“content” must not be empty", "")])),
      NamedCase(
        "a line that is no string",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"hero\": \"luna\", \"content\": [\"a\", 2]}",
          found: [("1:49 error type", "“content[1]” must be a string, but this is a number", "")])),
      NamedCase(
        "a text that is a number",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"hero\": \"luna\", \"content\": 2}",
          found: [("1:43 error type", "an array of lines or a string", "")])),
      NamedCase(
        "a hero that is nowhere",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"content\": \"a\", \"hero\": \"lnua\"}",
          found: [("1:40 error reference", "there is no hero “lnua” in this library", "“luna”")])),
      NamedCase(
        "a hero that is near nothing",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"content\": \"a\", \"hero\": \"somebody\"}",
          found: [("1:40 error reference", "“somebody”", "stories new hero")])),
      NamedCase(
        "a path instead of a name",
        Row(
          ref: "stories/x",
          text: "{\"title\": \"A\", \"content\": \"a\", \"hero\": \"heroes/family/otto.json\"}",
          found: [("1:40 error reference", "no hero", "write “family/otto”")])),
      NamedCase(
        "an id instead of a name",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"content\": \"a\", \"hero\": \"h-luna\"}",
          found: [("1:40 error reference", "no hero “h-luna”", "“heroId”")])),
      NamedCase(
        "a hero without an id is fine",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"content\": \"a\", \"hero\": \"new\"}",
          found: [])),
      NamedCase(
        "an id under its own key is fine",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"content\": \"a\", \"heroId\": \"far\"}",
          found: [])),
      NamedCase(
        "a name and an id",
        Row(
          ref: "stories/x", text: story("\"heroId\": \"h-otto\""),
          found: [("1:50 error ambiguous", "“heroId” means the same as “hero”", "keep one")])),
      NamedCase(
        "an empty name of a hero",
        Row(
          ref: "stories/x", text: "{\"title\": \"A\", \"content\": \"a\", \"hero\": \"\"}",
          found: [("1:40 error length", "“hero” must not be empty", "")])),
      NamedCase(
        "problems come in the order of their places",
        Row(
          ref: "events/x", text: "{\n\"tone\": 1,\n\"titel\": \"A\",\n\"promptSeed\": \"\"\n}",
          found: [
            ("2:9 error type", "“tone”", ""),
            ("3:1 error missing", "“titel” should be “title”", "rename it"),
            ("4:15 error length", "“promptSeed”", ""),
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
    for (problem, found) in zip(problems, row.value.found) {
      #expect(problem.message.contains(found.message), "\(problem.message)")
      #expect(found.hint.isEmpty || problem.advice?.contains(found.hint) == true, "\(problem)")
      #expect(problem.file == row.value.ref.path)
    }
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
