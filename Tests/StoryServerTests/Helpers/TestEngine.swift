import StoryServer
import TestSupport

/// An engine within the tests' own process: placeholders, and half a second of silence, unless a test
/// says something else.
struct TestEngine: Engine {
  typealias Work<Request, Result> =
    @Sendable (Request) async throws(EngineError) -> Result

  var writing: Work<StoryRequest, WrittenStory>
  var drawing: Work<PictureRequest, DrawnPicture>
  var speaking: Work<SpeechRequest, Narration>

  init() {
    writing = { (request) async throws(EngineError) in try await Placeholder().write(request) }
    drawing = { (request) async throws(EngineError) in try await Placeholder().draw(request) }
    speaking = { (request) async throws(EngineError) in
      Narration(bytes: SampleSound.wav(), voice: request.voice ?? "test")
    }
  }

  func write(_ request: StoryRequest) async throws(EngineError) -> WrittenStory {
    try await writing(request)
  }

  func draw(_ request: PictureRequest) async throws(EngineError) -> DrawnPicture {
    try await drawing(request)
  }

  func speak(_ request: SpeechRequest) async throws(EngineError) -> Narration {
    try await speaking(request)
  }
}
