import StoryLibrary
import StorySync

/// `stories generate story`: a new story about a hero.
struct GenerateStoryCommand: GeneratingCommand {
  /// The events that every server knows.
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
  var settings = GenerationSettings()

  static let name = "story"
  static let summary = "Have the server write a story"
  static let section = HelpSection.media
  static let discussion = """
    Writes the story as a new record with its sidecar and prints its path. It is about what --event or \
    --event-type says, else about bedtime. --hero can be left out where the library has only one. With \
    --audio it is read aloud as well, with --illustrations its scenes are drawn; both are waited for.
    """
  static let examples = [
    Example("stories generate story --hero luna --event lost-tooth", "about an event of your own"),
    Example("stories generate story --hero luna --language fr --audio", "read aloud as well"),
  ]
  static let parameters: [Parameter<GenerateStoryCommand>] =
    [
      .option(
        "hero", value: "HERO", \.hero, help: "The hero that it is about", completion: .record),
      .option(
        "event", value: "EVENT", \.event, help: "An event of the library", completion: .record),
      .option("event-type", value: "TYPE", \.eventType, help: "One of the built-in events"),
      .option("language", value: "CODE", \.language, help: "The language that it is written in"),
      .flag("audio", \.hasAudio, help: "Have it read aloud as well"),
      .flag("illustrations", \.hasIllustrations, help: "Have its scenes drawn as well"),
      .option("in", value: "FOLDER", \.folder, help: "A folder below stories/"),
    ] + settingsParameters

  func run(_ context: Context) async throws -> ExitCode {
    if event != nil, eventType != nil {
      throw UsageError(.excluded("--event-type", by: "--event"))
    }
    let runner = try GenerationRunner(context, settings)
    let hero = try hero(runner)
    var wish = StoryWish(
      hero: hero.name, language: (language ?? .en).rawValue, withAudio: hasAudio,
      withIllustrations: hasIllustrations, folder: try Self.folder(folder))
    var refs = [hero]
    if let event {
      let ref = try runner.resolver(.events).record(event)
      wish.event = .custom(ref.name)
      refs.append(ref)
    } else {
      wish.event = .builtIn(eventType?.name ?? "bedtime")
    }
    let extras = [hasAudio ? "a narration" : nil, hasIllustrations ? "pictures" : nil]
      .compactMap(\.self)
    let order = wish
    let what =
      "a story about \(hero)" + (extras.isEmpty ? "" : ", with \(Phrases.list(extras))")
    return try await runner.run(.story, of: refs, what: what) { repositories, options in
      repositories.stories.generate(order, options)
    }
  }

  private func hero(_ runner: GenerationRunner) throws -> RecordRef {
    if let hero { return try runner.resolver(.heroes).record(hero) }
    let heroes = runner.records(.heroes)
    guard let only = heroes.first, heroes.count == 1 else {
      throw CommandError.heroNeeded(choices: heroes)
    }
    return only
  }

  private static func folder(_ text: String?) throws(CommandError) -> String {
    var folder = text ?? ""
    while folder.hasSuffix("/") { folder.removeLast() }
    if folder == EntityKind.stories.folder { folder = "" }
    if folder.hasPrefix("stories/") { folder.removeFirst("stories/".count) }
    guard folder.isEmpty || RecordRef.isWellFormed(folder) else {
      throw .badName(text ?? "", what: "a folder below stories/")
    }
    return folder
  }
}
