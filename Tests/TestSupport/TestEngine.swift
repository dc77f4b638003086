package import StoryServer

/// An engine within the tests' own process: placeholders, and half a second of silence, unless a test
/// says something else.
package struct TestEngine: Engine {
  package typealias Work<Request, Result> =
    @Sendable (Request) async throws(EngineError) -> Result

  package var writing: Work<StoryRequest, WrittenStory>
  package var drawing: Work<PictureRequest, DrawnPicture>
  package var speaking: Work<SpeechRequest, Narration>

  package init() {
    writing = { (request) async throws(EngineError) in try await Placeholder().write(request) }
    drawing = { (request) async throws(EngineError) in try await Placeholder().draw(request) }
    speaking = { (request) async throws(EngineError) in
      Narration(bytes: SampleSound.wav(), voice: request.voice ?? "test")
    }
  }

  package func write(_ request: StoryRequest) async throws(EngineError) -> WrittenStory {
    try await writing(request)
  }

  package func draw(_ request: PictureRequest) async throws(EngineError) -> DrawnPicture {
    try await drawing(request)
  }

  package func speak(_ request: SpeechRequest) async throws(EngineError) -> Narration {
    try await speaking(request)
  }
}
