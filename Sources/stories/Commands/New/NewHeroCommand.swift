import JSONText
import StoryLibrary

struct NewHeroCommand: Command {
  var title = ""
  var age: Int?
  var traits: [String] = []
  var fields: [String] = []
  var source: String?
  var folder: String?
  var isDryRun = false

  static let name = "hero"
  static let summary = "Create a hero"
  static let discussion = """
    A hero has a name, an age from 3 to 12 and at least one trait. Fields that you leave out \
    get placeholders, which you can change in the file, or with --from the values of another hero.
    """
  static let examples = [
    Example("stories new hero Luna", "writes heroes/luna.json"),
    Example(
      "stories new hero Otto --age 9 --trait patient --trait loud --in family",
      "with its fields, in a folder"),
    Example(
      "stories new hero Stella --from luna --field hairColor=red", "a copy, with other hair"),
  ]
  static let parameters: [Parameter<NewHeroCommand>] = [
    .argument("NAME", \.title, help: "The hero's name"),
    .option("age", value: "N", \.age, help: "The hero's age in years"),
    .option("trait", value: "WORD", \.traits, help: "A trait of the hero"),
    .option("field", value: "NAME=VALUE", \.fields, help: "Any other field"),
    .option(
      "from", value: "REF", \.source, help: "A hero to start from", completion: .record),
    .option("in", value: "FOLDER", \.folder, help: "A folder below heroes/"),
    .flag("dry-run", \.isDryRun, help: "Show what would be written, without writing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context, isWritten: true)
    var options: [String: String] = [:]
    if age != nil { options["age"] = "--age" }
    if !traits.isEmpty { options["traits"] = "--trait" }
    var members = try opened.members(
      of: .heroes, fields: fields, copied: source, options: options)
    if let age { members["age"] = .number(JSONNumber(age)) }
    if !traits.isEmpty { members["traits"] = .array(traits.map { .string($0) }) }
    let guesses: JSONObject = ["age": 7, "traits": ["curious"]]
    let guessed = guesses.keys.filter { members[$0] == nil }
    for key in guessed { members[key] = guesses[key] }
    let draft = RecordDraft(kind: .heroes, title: title, folder: folder, members: members)
    return try opened.create(draft, isDryRun: isDryRun) { path in
      guard !guessed.isEmpty else { return nil }
      let names = Phrases.list(guessed.map { "“\($0)”" })
      return guessed.count == 1
        ? "\(names) is a placeholder: change it in \(path)"
        : "\(names) are placeholders: change them in \(path)"
    }
  }
}
