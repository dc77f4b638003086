import StoryLibrary
import StoryMedia
import StorySync

struct GenerateStoryCommand: Command {
  struct EventType: ArgumentValue {
    var name: String

    static let choices = Schema.eventTypes

    static func parse(_ word: String) throws(ValueProblem) -> EventType {
      guard choices.contains(word) else { throw .oneOf(choices, not: word) }
      return EventType(name: word)
    }
  }

  var hero: String?
  var event: String?
  var eventType: EventType?
  var language: NewStoryCommand.Language?
  var hasAudio = false
  var hasIllustrations = false
  var folder: String?
  var rewritten: String?
  var settings = GenerationSettings()

  static let name = "story"
  static let summary = "Have the server write a story"
  static let discussion = """
    Writes the story as a new record with its sidecar and prints its path. It is about --event or \
    --event-type, or else about bedtime. --hero is optional if the library has only one. --audio \
    has it read aloud too, and --illustrations has its scenes drawn; the command waits for both.

    --regenerate rewrites a story in place, about the same hero and event in the same language. \
    `stories undo` brings the old text back. The narration is removed; the pictures stay until \
    they are made again. If you or a sync changed its title or text meanwhile, it stays as it is, \
    and the new text becomes a story of its own.
    """
  static let examples = [
    Example("stories generate story --hero luna --event lost-tooth", "about an event of your own"),
    Example("stories generate story --hero luna --language fr --audio", "read aloud too"),
    Example("stories generate story --regenerate stories/first-snow", "another text in its place"),
  ]
  static let parameters: [Parameter<GenerateStoryCommand>] =
    [
      .option("hero", value: "HERO", \.hero, help: "The story's hero", completion: .record),
      .option(
        "event", value: "EVENT", \.event, help: "An event of the library", completion: .record),
      .option("event-type", value: "TYPE", \.eventType, help: "One of the built-in events"),
      .option("language", value: "CODE", \.language, help: "The story's language"),
      .flag("audio", \.hasAudio, help: "Have it read aloud too"),
      .flag("illustrations", \.hasIllustrations, help: "Have its scenes drawn too"),
      .option("in", value: "FOLDER", \.folder, help: "A folder in stories/"),
      .option(
        "regenerate", value: "STORY", \.rewritten, help: "Rewrite this story instead",
        completion: .record),
    ] + GenerationSettings.parameters.stored(in: \.settings)

  func run(_ context: Context) async throws -> ExitCode {
    if let rewritten { return try await rewrite(rewritten, context) }
    if event != nil, eventType != nil { throw UsageError(.excluded("--event-type", by: "--event")) }
    let runner = try GenerationRunner(context, settings)
    let hero = try runner.opened.hero(hero)
    var wish = StoryWish(
      hero: hero.name, language: (language ?? .en).rawValue, withAudio: hasAudio,
      withIllustrations: hasIllustrations, folder: try Self.folder(folder))
    var refs = [hero]
    if let event {
      let ref = try runner.opened.resolver(.events).record(event)
      wish.event = .custom(ref.name)
      refs.append(ref)
    } else {
      wish.event = .builtIn(eventType?.name ?? "bedtime")
    }
    let extras: [(what: GenerationRunner.What, name: String)] =
      (hasAudio ? [(.audio, "a narration")] : [])
      + (hasIllustrations ? [(.illustrations, "pictures")] : [])
    let order = wish
    let what =
      "a story about \(hero)" + (extras.isEmpty ? "" : ", with \(Phrases.list(extras.map(\.name)))")
    return try await runner.run(.story, of: refs, what: what, then: extras.map(\.what)) {
      repositories, options in
      repositories.stories.generate(order, options)
    }
  }

  private func rewrite(_ word: String, _ context: Context) async throws -> ExitCode {
    let others = [
      ("--hero", hero != nil), ("--event", event != nil), ("--event-type", eventType != nil),
      ("--language", language != nil), ("--audio", hasAudio), ("--illustrations", hasIllustrations),
      ("--in", folder != nil),
    ]
    for (name, isGiven) in others where isGiven {
      throw UsageError(.excluded(name, by: "--regenerate"))
    }
    let runner = try GenerationRunner(context, settings)
    let ref = try runner.opened.resolver(.stories).record(word)
    return try await runner.run(.story, of: [ref], what: "a new text of \(ref)") {
      $0.stories.regenerate(ref.name, $1)
    }
  }

  private static func folder(_ text: String?) throws(CommandError) -> String {
    let folder = EntityKind.stories.inner(text ?? "")
    guard RecordRef.isWellFormed(Path.join(folder, "story")) else {
      throw .badName(text ?? "", what: "a folder in stories/")
    }
    return folder
  }
}
