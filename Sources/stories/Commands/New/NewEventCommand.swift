import JSONText
import StoryLibrary

struct NewEventCommand: CreatingCommand {
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
    ] + draftParameters(.events, from: "An event to start from")

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context, isWritten: true)
    var members = try draft.members(
      in: opened, options: ["promptSeed": prompt.map { _ in "--prompt" }])
    if let prompt { members["promptSeed"] = .string(prompt) }
    let isGuessed = members["promptSeed"] == nil
    if isGuessed { members["promptSeed"] = .string("A story about this: \(draft.title)") }
    return try draft.create(members, in: opened) { path in
      isGuessed ? "“promptSeed” is a placeholder: change it in \(path)" : nil
    }
  }
}
