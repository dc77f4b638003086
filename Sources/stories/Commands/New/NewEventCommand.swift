import JSONText
import StoryLibrary

/// `stories new event`: creates an event.
struct NewEventCommand: Command {
  var title = ""
  var prompt: String?
  var folder: String?
  var isDryRun = false

  static let name = "event"
  static let summary = "Create an event for stories"
  static let section = HelpSection.records
  static let discussion = """
    An event has a title and a promptSeed, which tells a storyteller what the story should be \
    about.
    """
  static let examples = [
    Example("stories new event \"Lost Tooth\"", "writes events/lost-tooth.json")
  ]
  static let parameters: [Parameter<NewEventCommand>] = [
    .argument("TITLE", \.title, help: "The event's title"),
    .option("prompt", value: "TEXT", \.prompt, help: "The event's promptSeed"),
    .option("in", value: "FOLDER", \.folder, help: "A folder below events/"),
    .flag("dry-run", \.isDryRun, help: "Show what would be written, without writing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let draft = RecordDraft(
      kind: .events, title: title, folder: folder,
      members: ["promptSeed": .string(prompt ?? "A story about this: \(title)")])
    let notes = prompt == nil ? ["“promptSeed” is a placeholder: change it in the file."] : []
    let writer = try RecordDraftWriter(context)
    return try writer.write(draft, isDryRun: isDryRun, notes: notes)
  }
}
