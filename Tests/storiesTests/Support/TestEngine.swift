import StoryServer
import TestSupport

/// An engine that reads everything aloud as half a second of silence; the rest are placeholders.
struct TestEngine: Engine {
  func write(_ request: StoryRequest) async throws(EngineError) -> WrittenStory {
    try await Placeholder().write(request)
  }

  func draw(_ request: PictureRequest) async throws(EngineError) -> DrawnPicture {
    try await Placeholder().draw(request)
  }

  func speak(_ request: SpeechRequest) async throws(EngineError) -> Narration {
    Narration(bytes: SampleSound.wav(), voice: request.voice ?? "test")
  }
}
