import StoryLibrary
import StorySync

/// `stories generate avatar`: a picture of a hero.
struct GenerateAvatarCommand: GeneratingCommand {
  var word = ""
  var prompt: String?
  var settings = GenerationSettings()

  static let name = "avatar"
  static let summary = "Have the server draw a hero"
  static let section = HelpSection.media
  static let discussion = """
    Draws the hero by what its record says, and by --prompt. A hero that has a picture keeps it, unless \
    --regenerate or a prompt asks for another one.
    """
  static let examples = [
    Example("stories generate avatar luna --prompt \"in a red raincoat\"", "with a wish")
  ]
  static let parameters: [Parameter<GenerateAvatarCommand>] =
    [
      .argument("HERO", \.word, help: "The hero", completion: .record),
      .option("prompt", value: "TEXT", \.prompt, help: "What the picture should show"),
    ] + [regenerate] + settingsParameters

  func run(_ context: Context) async throws -> ExitCode {
    let runner = try GenerationRunner(context, settings)
    let ref = try runner.resolver(.heroes).record(word)
    return try await runner.run(.avatar, of: [ref], what: "a picture of \(ref)") {
      $0.heroes.generateAvatar(ref.name, prompt: prompt, $1)
    }
  }
}

/// `stories generate audio`: a story, read aloud.
struct GenerateAudioCommand: GeneratingCommand {
  var word = ""
  var voice: String?
  var settings = GenerationSettings()

  static let name = "audio"
  static let summary = "Have the server read a story aloud"
  static let section = HelpSection.media
  static let discussion = """
    Reads the story in its own language. One that has a narration keeps it, unless --regenerate asks for \
    another.
    """
  static let examples = [
    Example("stories generate audio stories/first-snow --voice nova", "a voice")
  ]
  static let parameters: [Parameter<GenerateAudioCommand>] =
    [
      .argument("STORY", \.word, help: "The story", completion: .record),
      .option("voice", value: "NAME", \.voice, help: "Who reads, by the server's names"),
    ] + [regenerate] + settingsParameters

  func run(_ context: Context) async throws -> ExitCode {
    let runner = try GenerationRunner(context, settings)
    let ref = try runner.resolver(.stories).record(word)
    return try await runner.run(.audio, of: [ref], what: "a narration of \(ref)") {
      $0.stories.generateAudio(ref.name, voice: voice, $1)
    }
  }
}

/// `stories generate illustrations`: pictures of a story's scenes.
struct GenerateIllustrationsCommand: GeneratingCommand {
  var word = ""
  var settings = GenerationSettings()

  static let name = "illustrations"
  static let summary = "Have the server draw a story's scenes"
  static let section = HelpSection.media
  static let discussion = """
    The server draws in its own time and is asked how far it is: after one second, then less often, up \
    to every ten. A picture that cannot be made is told with its reason, and the command ends with 1. \
    Pictures that are being made are waited for, not asked for again.
    """
  static let examples = [
    Example("stories generate illustrations stories/first-snow", "or join in again later")
  ]
  static let parameters: [Parameter<GenerateIllustrationsCommand>] =
    [.argument("STORY", \.word, help: "The story", completion: .record)]
    + [regenerate] + settingsParameters

  func run(_ context: Context) async throws -> ExitCode {
    let runner = try GenerationRunner(context, settings)
    let ref = try runner.resolver(.stories).record(word)
    return try await runner.run(.illustrations, of: [ref], what: "pictures of \(ref)") {
      $0.stories.generateIllustrations(ref.name, $1)
    }
  }
}
