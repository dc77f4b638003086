import JSONText
import StoryLibrary

struct NewCommand: CommandFamily {
  static let name = "new"
  static let summary = "Create a hero, story or event"
  static let discussion = """
    Writes a small valid file and prints its path. The file is named after the record; fill in the \
    rest in an editor.
    """
  static let examples = [
    Example("stories new hero Luna", "writes heroes/luna.json"),
    Example(
      "stories new story \"The First Snow\" --hero luna", "writes stories/the-first-snow.json"),
  ]
  static let subcommands: [any Command.Type] = [
    NewHeroCommand.self, NewStoryCommand.self, NewEventCommand.self,
  ]
}

struct NewHeroCommand: Command {
  var age: Int?
  var traits: [String] = []
  var draft = RecordDraft(.heroes)

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
    Example("stories new hero Stella --from luna --field hairColor=red", "a copy, with other hair"),
  ]
  static let parameters: [Parameter<NewHeroCommand>] =
    [
      .argument("NAME", \.draft.title, help: "The hero's name"),
      .option("age", value: "N", \.age, help: "The hero's age in years"),
      .option("trait", value: "WORD", \.traits, help: "A trait of the hero"),
    ] + RecordDraft.parameters(.heroes, from: "A hero to start from").stored(in: \.draft)

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context, isWritten: true)
    var members = try draft.members(
      in: opened,
      options: [
        ("--age", "age", age.map { .number($0) }),
        ("--trait", "traits", traits.isEmpty ? nil : .array(traits.map { .string($0) })),
      ])
    let guesses: JSONObject = ["age": 7, "traits": ["curious"]]
    let guessed = guesses.keys.filter { members[$0] == nil }
    for key in guessed { members[key] = guesses[key] }
    return try draft.create(members, in: opened) { path in
      guard !guessed.isEmpty else { return nil }
      let names = Phrases.list(guessed.map { "“\($0)”" })
      return guessed.count == 1
        ? "\(names) is a placeholder: change it in \(path)"
        : "\(names) are placeholders: change them in \(path)"
    }
  }
}

struct NewEventCommand: Command {
  var prompt: String?
  var draft = RecordDraft(.events)

  static let name = "event"
  static let summary = "Create an event for stories"
  static let discussion = """
    An event has a title and a promptSeed, which tells a storyteller what the story should be \
    about.
    """
  static let examples = [
    Example("stories new event \"Lost Tooth\"", "writes events/lost-tooth.json"),
    Example(
      "stories new event \"Lost Shoe\" --from lost-tooth --field tone=funny",
      "a copy, in another tone"),
  ]
  static let parameters: [Parameter<NewEventCommand>] =
    [
      .argument("TITLE", \.draft.title, help: "The event's title"),
      .option("prompt", value: "TEXT", \.prompt, help: "The event's promptSeed"),
    ] + RecordDraft.parameters(.events, from: "An event to start from").stored(in: \.draft)

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context, isWritten: true)
    var members = try draft.members(
      in: opened, options: [("--prompt", "promptSeed", prompt.map { .string($0) })])
    let isGuessed = members["promptSeed"] == nil
    if isGuessed { members["promptSeed"] = .string("A story about this: \(draft.title)") }
    return try draft.create(members, in: opened) { path in
      isGuessed ? "“promptSeed” is a placeholder: change it in \(path)" : nil
    }
  }
}
