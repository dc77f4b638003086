import StoryLibrary
import StoryServer

/// Reads stories aloud with `espeak-ng`, where it is installed.
struct SpeechProgram: Narrator {
  /// The environment that the program gets; `PATH` says where it is looked for.
  let environment: [String: String]
  var program = "espeak-ng"
  /// How long it may take, in seconds; it is ended then.
  var seconds = 60

  private static let voices = ["en": "en", "fr": "fr", "es": "es", "de": "de", "it": "it"]

  /// Where the program lies by the `PATH` that it would get, which need not be this process's own.
  private var installed: String? {
    (environment["PATH"] ?? "").split(separator: ":")
      .map { Path.join(String($0), program) }.first(where: FileSystem.exists)
  }

  func narrate(_ text: String, language: String, voice: String?, to path: String) -> String? {
    guard let installed else { return nil }
    let spoken = Self.voices[language] ?? "en"
    // A little slower than it would speak by itself: it is a bedtime story.
    let run = ChildProcess(
      [installed, "-v", spoken, "-s", "145", "-w", path, "--stdin"], environment: environment)
    guard let result = try? run.run(input: Array(text.utf8), seconds: seconds), result.status == 0
    else { return nil }
    return "\(program) \(spoken)"
  }
}
