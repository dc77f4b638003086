import JSONText
import StoryAPI
import StoryServer

/// Has texts read aloud by `audio/speech`.
struct SpeechEngine: Sendable {
  let endpoint: EngineEndpoint
  let voices: Voices

  /// The most characters that one request may have (OpenAI's API reference: 4,096).
  private static let longestInput = 4_000

  /// - Throws: `EngineError`.
  func speak(_ request: SpeechRequest) async throws(EngineError) -> Narration {
    let voice = request.voice ?? voices.voice(for: request.language) ?? "alloy"
    var files: [[UInt8]] = []
    for input in Self.inputs(request.paragraphs) {
      var body: JSONObject = ["input": .string(input), "voice": .string(voice)]
      if let speed = voices.speed, let number = JSONNumber(literal: "\(speed)") {
        body["speed"] = .number(number)
      }
      let response = try await endpoint.post(
        "audio/speech", body, wishes: ["response_format": "mp3"])
      guard !response.body.isEmpty else { throw .empty }
      guard AudioFile(response.body) != nil else { throw .unusable("it is no WAV or MP3") }
      files.append(response.body)
    }
    guard let bytes = AudioFile.joined(files) else {
      throw .unusable("its parts do not fit together")
    }
    return Narration(bytes: bytes, voice: voice)
  }

  /// The paragraphs in as few requests as they fit into.
  static func inputs(_ paragraphs: [String]) -> [String] {
    var inputs: [String] = []
    for paragraph in paragraphs {
      // A paragraph that is too long by itself is cut between words.
      var pieces = [""]
      for word in paragraph.split(separator: " ") {
        if pieces[pieces.count - 1].count + word.count >= longestInput { pieces.append("") }
        pieces[pieces.count - 1] += (pieces[pieces.count - 1].isEmpty ? "" : " ") + word
      }
      for piece in pieces where !piece.isEmpty {
        if let last = inputs.last, last.count + piece.count + 2 <= longestInput {
          inputs[inputs.count - 1] += "\n\n" + piece
        } else {
          inputs.append(piece)
        }
      }
    }
    return inputs
  }
}

/// Which voice reads, and how fast.
struct Voices: Sendable, Equatable {
  /// The voices by language; under an empty text the one for every other.
  var names: [String: String] = [:]
  /// How fast, 1 being the voice's own speed.
  var speed: Double?

  /// The voice for a language; `nil` if none was chosen.
  func voice(for language: String) -> String? { names[language] ?? names[""] }
}
