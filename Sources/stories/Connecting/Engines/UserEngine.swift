import StoryAPI
import StoryServer

/// The user's engines, and placeholders for missing ones.
struct UserEngine: Engine {
  var text: ChatEngine?
  var pictures: PictureEngine?
  var speech: (@Sendable (SpeechRequest) async throws(EngineError) -> Narration)?

  func write(_ request: StoryRequest) async throws(EngineError) -> WrittenStory {
    guard let text else { return try await Placeholder().write(request) }
    return try await text.write(request)
  }

  func draw(_ request: PictureRequest) async throws(EngineError) -> DrawnPicture {
    guard let pictures else { return try await Placeholder().draw(request) }
    return try await pictures.draw(request)
  }

  func speak(_ request: SpeechRequest) async throws(EngineError) -> Narration {
    guard let speech else { throw .notSet(.speech) }
    return try await speech(request)
  }

  /// Creates the engines from settings.
  ///
  /// - Throws: `SettingError`; `ServerAddress.Problem` for an address that must not be connected
  ///   to; `TokenStoreError`.
  init(_ settings: EngineSettings, _ context: Context) async throws {
    let limits = try context.settings()
    // A client's timeout is a little longer, so that it receives the reason for a failure.
    let patience = limits.generationTimeout.components.seconds
    let seconds = max(1, Int(patience) - 10)
    let prompts = Prompts(folder: context.promptFolder)
    for role in EngineRole.allCases {
      guard let setting = settings[role] else { continue }
      if let name = setting.program {
        var program = SpeechProgram(name: name, environment: context.childEnvironment)
        program.voices = setting.voices
        program.model = setting.model
        program.seconds = seconds
        speech = program.speak
        continue
      }
      guard let word = setting.url else { continue }
      var endpoint = EngineEndpoint(
        url: try context.engineURL(word, role), model: setting.model,
        key: try await context.engineKey(setting, role), transport: limits.engineTransport)
      endpoint.seconds = seconds
      switch role {
      case .text: text = ChatEngine(endpoint: endpoint, prompts: prompts)
      case .pictures: pictures = PictureEngine(endpoint: endpoint, prompts: prompts)
      case .speech: speech = SpeechEngine(endpoint: endpoint, voices: setting.voices).speak
      }
    }
  }
}
