import StoryLibrary
import StoryMedia
import StorySync

struct GenerateIllustrationsCommand: GeneratingCommand {
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
    Example("stories generate illustrations stories/first-snow", "or join in again later")
  ]
  static let parameters: [Parameter<GenerateIllustrationsCommand>] =
    [.argument("STORY", \.word, help: "The story", completion: .record)]
    + [regenerate] + settingsParameters

  func run(_ context: Context) async throws -> ExitCode {
    let runner = try GenerationRunner(context, settings)
    let ref = try runner.opened.resolver(.stories).record(word)
    return try await runner.run(.illustrations, of: [ref], what: "pictures of \(ref)") {
      $0.stories.generateIllustrations(ref.name, $1)
    }
  }
}
