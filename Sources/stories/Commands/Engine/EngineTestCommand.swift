import Foundation
import JSONText
import StoryLibrary
import StoryServer
import Synchronization

struct EngineTestCommand: Command {
  var role: EngineRole?
  var folder: String?
  var language: NewStoryCommand.Language?

  static let name = "test"
  static let summary = "Try each engine and show the result"
  static let discussion = """
    Asks for a short story, a picture and a narration of a made-up hero. The files are put into --out, \
    or into a new folder among the system's temporary ones. No library is needed or changed. What a \
    hosted engine makes may cost money.
    """
  static let examples = [Example("stories engine test speech --out .", "one engine")]
  static let parameters: [Parameter<EngineTestCommand>] = [
    .argument("ROLE", \.role, help: "One engine alone"),
    .option("out", value: "DIR", \.folder, help: "The folder for the files", completion: .folder),
    .option("language", value: "CODE", \.language, help: "The language of the story"),
  ]

  private struct Outcome: Sendable {
    var role: EngineRole
    /// What it made, as members of the document.
    var made: [(name: String, value: any Encodable & Sendable)] = []
    var error: EngineError?
    var lines: [String] = []
    var time = Duration.zero

    var members: Members {
      ["role": role] + Members(made.map { ($0.name, $0.value) }) + ["error": error]
    }
  }

  func run(_ context: Context) async throws -> ExitCode {
    let settings = try EngineSettings(context)
    let engine = try await UserEngine(settings, context)
    let given = folder.map { Path.absolute($0, in: context.folder) }
    let folder = given ?? TemporaryPath.make("engine-test")
    // Before an engine, which may cost money, works in vain.
    try FileSystem.makeFolder(folder)
    defer { if given == nil { FileSystem.removeFolderIfEmpty(folder) } }
    let progress = context.progress()
    var outcomes: [Outcome] = []
    for role in EngineRole.allCases where self.role == nil || self.role == role {
      guard settings[role] != nil else {
        if self.role != nil { outcomes.append(Outcome(role: role, error: .notSet(role))) }
        context.note("\(role.rawValue): no engine is set, so there is nothing to test.")
        continue
      }
      let start = context.uptime()
      var outcome = try await context.interruptible { [self] in
        try await progress.ticking({
          "Waiting for \(role.rawValue), \((context.uptime() - start).components.seconds) s"
        }) { try await attempt(role, engine, folder, context) }
      }
      outcome.time = context.uptime() - start
      outcomes.append(outcome)
    }
    context.tell([
      "schema": "stories.engine-test/1", "engines": outcomes.map(\.members),
    ]) { write(outcomes, context) }
    return outcomes.contains { $0.error != nil } ? .failed : .done
  }

  private static let hero = StoryHero(
    name: "Luna", age: 6, traits: ["brave", "curious"], abilities: ["talks to stars"],
    looks: ["a girl with a red raincoat", "hair: short and black"])

  /// The sentences to read aloud, with each language's special letters.
  private static let sentences = [
    "en": "Good night, Luna. The stars are still awake.",
    "fr": "Bonne nuit, Luna. Les étoiles veillent encore.",
    "es": "Buenas noches, Luna. Las estrellas aún están despiertas.",
    "de": "Gute Nacht, Luna. Die Sterne sind noch wach und grüßen.",
    "it": "Buonanotte, Luna. Le stelle sono ancora sveglie, perché è presto.",
  ]

  private func attempt(
    _ role: EngineRole, _ engine: UserEngine, _ folder: String, _ context: Context
  ) async throws -> Outcome {
    var outcome = Outcome(role: role)
    let language = (language ?? .en).rawValue
    do throws(EngineError) {
      switch role {
      case .text:
        let request = StoryRequest(hero: Self.hero, event: .builtIn(.bedtime), language: language)
        let story = try await engine.write(request)
        outcome.made = [
          ("title", story.title), ("paragraphs", story.paragraphs),
          ("scenes", story.scenes.map(\.description)),
        ]
        let scenes = Phrases.count(story.scenes.count, "scene")
        outcome.lines =
          [story.title] + story.paragraphs.prefix(2)
          + ["(\(Phrases.count(story.paragraphs.count, "paragraph")), \(scenes))"]
      case .pictures:
        let picture = try await engine.draw(PictureRequest(.avatar(wish: nil), hero: Self.hero))
        guard let form = picture.fileExtension else {
          throw .unusable("it is no PNG, JPEG or WebP")
        }
        try keep(picture.bytes, "avatar.\(form)", folder, &outcome, context)
      case .speech:
        let sentence = Self.sentences[language] ?? Self.sentences["en"] ?? ""
        let request = SpeechRequest(paragraphs: [sentence], language: language)
        let narration = try await engine.speak(request)
        guard let file = AudioFile(narration.bytes) else { throw .unusable("it is no WAV or MP3") }
        try keep(
          narration.bytes, "narration.\(file.isWAV ? "wav" : "mp3")", folder, &outcome, context)
        outcome.made += [("voice", narration.voice), ("duration", file.seconds)]
        outcome.lines[0] +=
          ", \(Phrases.time(.seconds(file.seconds))), voice \(narration.voice)"
      }
    } catch {
      if error == .cancelled { throw CancellationError() }
      outcome.error = error
    }
    return outcome
  }

  private func keep(
    _ bytes: [UInt8], _ name: String, _ folder: String, _ outcome: inout Outcome,
    _ context: Context
  ) throws(EngineError) {
    let path = Path.join(folder, name)
    do throws(FileError) {
      try AtomicFile.write(bytes, to: path)
    } catch {
      throw .program("cannot write \(path): \(error.reason)")
    }
    outcome.made = [("path", path), ("size", bytes.count)]
    outcome.lines = ["\(context.shown(path)), \(Phrases.size(bytes.count))"]
  }

  // MARK: Output

  private func write(_ outcomes: [Outcome], _ context: Context) {
    for outcome in outcomes {
      guard outcome.error == nil else { continue }
      context.output.line(
        Text(outcome.role.rawValue, .strong)
          + Text("  \(Phrases.time(outcome.time))", .faint))
      for line in outcome.lines { context.output.wrapped(Text(line), lead: "  ") }
    }
    context.output.sink.flush()
    for outcome in outcomes {
      guard let error = outcome.error else { continue }
      context.errors.line(
        Text("Error: ", .error) + Text("\(outcome.role.rawValue): \(error.message)"))
      context.errors.line(
        Text("Hint: ", .strong) + Text(EngineAdvice.hint(error.code, outcome.role)))
    }
  }
}
