import JSONText
import StoryAPI
import StoryServer

/// Generates narrations with `audio/speech`.
struct SpeechEngine: Sendable {
  let endpoint: EngineEndpoint
  let voices: Voices

  /// The maximum number of characters per request (OpenAI's API reference: 4,096).
  private static let longestInput = 4_000

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

  /// Splits the paragraphs into as few requests as possible.
  static func inputs(_ paragraphs: [String]) -> [String] {
    var inputs: [String] = []
    for paragraph in paragraphs {
      // A paragraph that is too long for one request is split between words.
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

struct Voices: Sendable, Equatable {
  /// The voices by language; the empty string is for all others.
  var names: [String: String] = [:]
  /// The speed relative to the voice's own.
  var speed: Double?

  /// Returns the voice for a language, or `nil` if none was chosen.
  func voice(for language: String) -> String? { names[language] ?? names[""] }
}
