import StoryLibrary
import StoryMedia
import StorySync

struct GenerateAudioCommand: GeneratingCommand {
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
    ] + [regenerate] + settingsParameters

  func run(_ context: Context) async throws -> ExitCode {
    let runner = try GenerationRunner(context, settings)
    let ref = try runner.opened.resolver(.stories).record(word)
    return try await runner.run(.audio, of: [ref], what: "a narration of \(ref)") {
      $0.stories.generateAudio(ref.name, voice: voice, $1)
    }
  }
}
