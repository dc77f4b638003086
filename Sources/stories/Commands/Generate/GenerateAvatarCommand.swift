import StoryLibrary
import StoryMedia
import StorySync

struct GenerateAvatarCommand: GeneratingCommand {
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
    ] + [regenerate] + settingsParameters

  func run(_ context: Context) async throws -> ExitCode {
    let runner = try GenerationRunner(context, settings)
    let ref = try runner.opened.resolver(.heroes).record(word)
    return try await runner.run(.avatar, of: [ref], what: "a picture of \(ref)") {
      $0.heroes.generateAvatar(ref.name, prompt: prompt, $1)
    }
  }
}
