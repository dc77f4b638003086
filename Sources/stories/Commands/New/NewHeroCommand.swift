import JSONText
import StoryLibrary

/// `stories new hero`: creates a hero.
struct NewHeroCommand: Command {
  var title = ""
  var age: Int?
  var traits: [String] = []
  var folder: String?
  var isDryRun = false

  static let name = "hero"
  static let summary = "Create a hero"
  static let section = HelpSection.records
  static let discussion = """
    A hero has a name, an age from 3 to 12 and at least one trait. What you leave out gets a \
    placeholder that you can change in the file.
    """
  static let examples = [
    Example("stories new hero Luna", "writes heroes/luna.json"),
    Example(
      "stories new hero Otto --age 9 --trait patient --trait loud --in family",
      "with its fields, in a folder"),
  ]
  static let parameters: [Parameter<NewHeroCommand>] = [
    .argument("NAME", \.title, help: "The hero's name"),
    .option("age", value: "N", \.age, help: "The hero's age in years"),
    .option("trait", value: "WORD", \.traits, help: "A trait of the hero"),
    .option("in", value: "FOLDER", \.folder, help: "A folder below heroes/"),
    .flag("dry-run", \.isDryRun, help: "Show what would be written, without writing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let draft = RecordDraft(
      kind: .heroes, title: title, folder: folder,
      members: [
        "age": .number(JSONNumber(age ?? 7)),
        "traits": .array((traits.isEmpty ? ["curious"] : traits).map { .string($0) }),
      ])
    var notes: [String] = []
    let guessed = [age == nil ? "age" : nil, traits.isEmpty ? "traits" : nil].compactMap(\.self)
    if !guessed.isEmpty {
      let names = guessed.map { "“\($0)”" }
      notes.append(
        Phrases.list(names)
          + (names.count == 1
            ? " is a placeholder: change it in the file."
            : " are placeholders: change them in the file."))
    }
    let writer = try RecordDraftWriter(context)
    return try writer.write(draft, isDryRun: isDryRun, notes: notes)
  }
}
