import JSONText
import StoryLibrary

/// `stories new story`: creates a story without its text.
struct NewStoryCommand: Command {
  /// The languages of stories.
  enum Language: String, ChoiceArgument {
    case en, fr, es, de, it
  }

  var title = ""
  var hero: String?
  var event: String?
  var language: Language?
  var folder: String?
  var isDryRun = false

  static let name = "story"
  static let summary = "Create a story"
  static let section = HelpSection.records
  static let discussion = """
    Writes everything but the story itself, which goes into "content": an array of lines, one per \
    paragraph. A story without text is a draft and is not sent. --hero is optional if the library \
    has only one.
    """
  static let examples = [
    Example(
      "stories new story \"The First Snow\" --hero luna", "writes stories/the-first-snow.json")
  ]
  static let parameters: [Parameter<NewStoryCommand>] = [
    .argument("TITLE", \.title, help: "The story's title"),
    .option(
      "hero", value: "HERO", \.hero, help: "The story's hero", completion: .record),
    .option(
      "event", value: "EVENT", \.event, help: "The story's event", completion: .record),
    .option("language", value: "CODE", \.language, help: "The story's language"),
    .option("in", value: "FOLDER", \.folder, help: "A folder below stories/"),
    .flag("dry-run", \.isDryRun, help: "Show what would be written, without writing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let writer = try RecordDraftWriter(context)
    var members: JSONObject = ["hero": .string(try hero(writer).name)]
    if let event {
      members["event"] = .string(try writer.resolver(.events).record(event).name)
    }
    members["language"] = .string((language ?? .en).rawValue)
    members["content"] = [""]
    let draft = RecordDraft(kind: .stories, title: title, folder: folder, members: members)
    return try writer.write(
      draft, isDryRun: isDryRun,
      notes: ["“content” is empty: write the story there. It is not sent until it has text."])
  }

  private func hero(_ writer: RecordDraftWriter) throws -> RecordRef {
    if let hero { return try writer.resolver(.heroes).record(hero) }
    let heroes = writer.records(.heroes)
    guard let only = heroes.first, heroes.count == 1 else {
      throw CommandError.heroNeeded(choices: heroes)
    }
    return only
  }
}
