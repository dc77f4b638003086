import StoryLibrary
import StoryServer
import Testing

@testable import stories

/// Narration by `espeak-ng`. Only the first test needs the program; all others of the suite pass with it
/// and without it.
@Suite struct SpeechProgramTests {
  private static let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"]

  private static var isInstalled: Bool {
    ["/usr/local/bin", "/usr/bin", "/bin"].contains { FileSystem.exists($0 + "/espeak-ng") }
  }

  /// What each language sounds like: the first sentence of a story.
  private static let texts = [
    "en": "The house had grown quiet, room by room.",
    "fr": "La maison s’était endormie, pièce après pièce.",
    "es": "La casa se fue quedando en silencio, cuarto por cuarto.",
    "de": "Das Haus war still geworden, Zimmer für Zimmer.",
    "it": "La casa si era fatta silenziosa, stanza dopo stanza.",
  ]

  @Test(
    .enabled(if: isInstalled, "espeak-ng is not installed: apt-get install espeak-ng"),
    arguments: StoryRequest.languages)
  func readsEachLanguageInItsVoice(_ language: String) throws {
    let folder = try TemporaryFolder()
    let speech = SpeechProgram(environment: Self.environment)
    let text = try #require(Self.texts[language])
    let path = folder.path("\(language).wav")
    let voice = speech.narrate(text, language: language, voice: nil, to: path)
    #expect(voice == "espeak-ng \(language)")
    let bytes = try FileSystem.read(path)
    #expect(bytes.prefix(4).elementsEqual("RIFF".utf8))
    #expect(bytes[8..<12].elementsEqual("WAVE".utf8))
    // A second of speech at least: 16 bits at 22,050 Hz.
    #expect(bytes.count > 44_100)
    // Another language's voice reads the same text in another way.
    let other = folder.path("other.wav")
    let stranger = language == "en" ? "de" : "en"
    #expect(speech.narrate(text, language: stranger, voice: nil, to: other) != nil)
    #expect(try FileSystem.read(other) != bytes)
  }

  @Test func saysNothingWhereItIsNotInstalled() throws {
    let folder = try TemporaryFolder()
    let speech = SpeechProgram(environment: ["PATH": folder.path])
    #expect(speech.narrate("Hello", language: "en", voice: nil, to: folder.path("a.wav")) == nil)
    #expect(!FileSystem.exists(folder.path("a.wav")))
  }
}
