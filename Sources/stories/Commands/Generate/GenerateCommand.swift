import StoryLibrary
import StoryMedia
import StorySync

struct GenerateCommand: CommandFamily {
  static let name = "generate"
  static let summary = "Have the server write a story, draw, or read aloud"
  static let discussion = """
    The server does the work; this program sends the request, shows the progress and stores the \
    result. A record that the server does not have yet is sent first. Ctrl-C only stops waiting: \
    run the same command again to continue. Get the files with `stories media pull`.
    """
  static let examples = [
    Example("stories generate story --hero luna --event-type bedtime", "a new story"),
    Example("stories generate illustrations stories/first-snow", "pictures of its scenes"),
  ]
  static let subcommands: [any Command.Type] = [
    GenerateStoryCommand.self, GenerateAvatarCommand.self, GenerateAudioCommand.self,
    GenerateIllustrationsCommand.self,
  ]
}

struct GenerationSettings: Sendable {
  var regenerates = false
  var staysLocal = false
  var limit: Count?
  var isDryRun = false

  /// The parameters except ``regenerates``.
  static let parameters: [Parameter<GenerationSettings>] = [
    .flag("no-push", \.staysLocal, help: "Stop instead of sending records that the server lacks"),
    .option(
      "wait", value: "SECONDS", \.limit,
      help: "How long to wait for work in the background (default: 600)"),
    .flag("dry-run", \.isDryRun, help: "Show what would be requested, without requesting it"),
  ]
  static let allParameters =
    [.flag("regenerate", \.regenerates, help: "Make it again if it exists")] + parameters

  var options: GenerationOptions {
    var options = GenerationOptions()
    options.regenerates = regenerates
    options.pushes = !staysLocal
    if let limit { options.polling.limit = .seconds(limit.value) }
    return options
  }
}

struct GenerateAvatarCommand: Command {
  var word = ""
  var prompt: String?
  var settings = GenerationSettings()

  static let name = "avatar"
  static let summary = "Have the server draw a hero"
  static let discussion = """
    The picture follows the hero's record and --prompt. If the hero already has a picture, it \
    keeps it, unless you use --regenerate or --prompt.
    """
  static let examples = [
    Example("stories generate avatar luna --prompt \"in a red raincoat\"", "with your own prompt")
  ]
  static let parameters: [Parameter<GenerateAvatarCommand>] =
    [
      .argument("HERO", \.word, help: "The hero", completion: .record),
      .option("prompt", value: "TEXT", \.prompt, help: "What the picture should show"),
    ] + GenerationSettings.allParameters.stored(in: \.settings)

  func run(_ context: Context) async throws -> ExitCode {
    let runner = try GenerationRunner(context, settings)
    let ref = try runner.opened.resolver(.heroes).record(word)
    return try await runner.run(.avatar, of: [ref], what: "a picture of \(ref)") {
      $0.heroes.generateAvatar(ref.name, prompt: prompt, $1)
    }
  }
}

struct GenerateAudioCommand: Command {
  var word = ""
  var voice: String?
  var settings = GenerationSettings()

  static let name = "audio"
  static let summary = "Have the server read a story aloud"
  static let discussion = """
    The story is read in its own language. If it already has a narration, it keeps it, unless you \
    use --regenerate.
    """
  static let examples = [
    Example("stories generate audio stories/first-snow --voice nova", "with another voice")
  ]
  static let parameters: [Parameter<GenerateAudioCommand>] =
    [
      .argument("STORY", \.word, help: "The story", completion: .record),
      .option("voice", value: "NAME", \.voice, help: "The voice, by the server's names"),
    ] + GenerationSettings.allParameters.stored(in: \.settings)

  func run(_ context: Context) async throws -> ExitCode {
    let runner = try GenerationRunner(context, settings)
    let ref = try runner.opened.resolver(.stories).record(word)
    return try await runner.run(.audio, of: [ref], what: "a narration of \(ref)") {
      $0.stories.generateAudio(ref.name, voice: voice, $1)
    }
  }
}

struct GenerateIllustrationsCommand: Command {
  var word = ""
  var settings = GenerationSettings()

  static let name = "illustrations"
  static let summary = "Have the server draw a story's scenes"
  static let discussion = """
    The server draws in the background and is asked for its progress: after one second, then less \
    often, up to every ten. If a picture cannot be made, the reason is shown and the command exits \
    with 1. Pictures that are already being made are waited for, not requested again.
    """
  static let examples = [
    Example("stories generate illustrations stories/first-snow", "or run it again to wait for them")
  ]
  static let parameters: [Parameter<GenerateIllustrationsCommand>] =
    [.argument("STORY", \.word, help: "The story", completion: .record)]
    + GenerationSettings.allParameters.stored(in: \.settings)

  func run(_ context: Context) async throws -> ExitCode {
    let runner = try GenerationRunner(context, settings)
    let ref = try runner.opened.resolver(.stories).record(word)
    return try await runner.run(.illustrations, of: [ref], what: "pictures of \(ref)") {
      $0.stories.generateIllustrations(ref.name, $1)
    }
  }
}
