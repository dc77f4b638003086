import Foundation
import JSONText
import StoryAPI
import StoryServer

/// Generates pictures with `images/generations`.
struct PictureEngine: Sendable {
  let endpoint: EngineEndpoint
  let prompts: Prompts

  /// The maximum length of a prompt in characters; engines allow 4,000 or more.
  private static let longestPrompt = 4_000

  func draw(_ request: PictureRequest) async throws(EngineError) -> DrawnPicture {
    let response = try await endpoint.post(
      "images/generations",
      ["prompt": .string(String(try prompt(request).prefix(Self.longestPrompt)))],
      wishes: ["n": 1, "size": "1024x1024"])
    return DrawnPicture(bytes: try await picture(in: response.body))
  }

  private func prompt(_ request: PictureRequest) throws(EngineError) -> String {
    var values = request.hero.map(Prompts.values) ?? [:]
    switch request.subject {
    case .avatar(let wish):
      values["wish"] = wish
      return try prompts.text(.avatar, values)
    case .scene(let scene, let story):
      values["scene"] = scene
      values["title"] = story
      return try prompts.text(.scene, values)
    }
  }

  /// Returns the picture in `data[0]`, as base64 or at a URL.
  private func picture(in body: [UInt8]) async throws(EngineError) -> [UInt8] {
    guard let answer = try? JSONValue(parsing: body) else {
      throw .unusable("it is not valid JSON")
    }
    guard let first = answer["data"]?.array?.first else { throw .empty }
    let url = first["url"]?.string
    let base64 =
      first["b64_json"]?.string
      ?? url.flatMap { url in
        url.hasPrefix("data:")
          ? url.firstRange(of: "base64,").map { String(url[$0.upperBound...]) } : nil
      }
    if let base64 {
      guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else {
        throw .unusable("the picture is no base64")
      }
      return Array(data)
    }
    guard let url, !url.isEmpty else { throw .empty }
    return try await endpoint.get(url)
  }
}
