import JSONText
import StoryLibrary

struct NewEventCommand: Command {
  var title = ""
  var prompt: String?
  var fields: [String] = []
  var source: String?
  var folder: String?
  var isDryRun = false

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
  static let parameters: [Parameter<NewEventCommand>] = [
    .argument("TITLE", \.title, help: "The event's title"),
    .option("prompt", value: "TEXT", \.prompt, help: "The event's promptSeed"),
    .option("field", value: "NAME=VALUE", \.fields, help: "Any other field"),
    .option(
      "from", value: "REF", \.source, help: "An event to start from", completion: .record),
    .option("in", value: "FOLDER", \.folder, help: "A folder below events/"),
    .flag("dry-run", \.isDryRun, help: "Show what would be written, without writing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context, isWritten: true)
    let options = prompt == nil ? [:] : ["promptSeed": "--prompt"]
    var members = try opened.members(
      of: .events, fields: fields, copied: source, options: options)
    if let prompt { members["promptSeed"] = .string(prompt) }
    let isGuessed = members["promptSeed"] == nil
    if isGuessed { members["promptSeed"] = .string("A story about this: \(title)") }
    let draft = RecordDraft(kind: .events, title: title, folder: folder, members: members)
    return try opened.create(draft, isDryRun: isDryRun) { path in
      isGuessed ? "“promptSeed” is a placeholder: change it in \(path)" : nil
    }
  }
}
