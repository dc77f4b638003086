import JSONText
import StoryLibrary

/// Requests for stories, pictures and narrations.
///
/// All throw `APIError.unsupported` if the server does not generate anything, and those with an id
/// `invalidIdentifier` if it cannot be part of a path.
extension Endpoint {
  /// Generates a hero's avatar.
  package static func avatar(
    heroID: String, prompt: String?, idempotencyKey: String?, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    var body = JSONObject()
    if let prompt { body["prompt"] = .string(prompt) }
    return Endpoint(
      method: .post, path: try item(.heroes, heroID, dialect) + "/avatar", body: .object(body),
      patience: .generation, idempotencyKey: idempotencyKey)
  }

  /// Generates a story.
  package static func generateStory(
    _ order: StoryOrder, idempotencyKey: String?, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return Endpoint(
      method: .post, path: dialect.base + "/stories", body: .object(order.wire),
      patience: .generation, idempotencyKey: idempotencyKey)
  }

  /// Generates a story's narration.
  package static func generateAudio(
    storyID: String, language: String, voice: String?, regenerates: Bool, idempotencyKey: String?,
    _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    var body: JSONObject = ["language": .string(language)]
    if let voice { body["voice"] = .string(voice) }
    if regenerates { body["regenerate"] = true }
    return Endpoint(
      method: .post, path: try item(.stories, storyID, dialect) + "/audio", body: .object(body),
      patience: .generation, idempotencyKey: idempotencyKey)
  }

  /// Requests the state of a story's narration.
  package static func audioStatus(
    storyID: String, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return Endpoint(method: .get, path: try item(.stories, storyID, dialect) + "/audio")
  }

  /// Generates a story's illustrations, in the background.
  package static func generateIllustrations(
    storyID: String, regenerates: Bool, idempotencyKey: String?, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    var body = JSONObject()
    if regenerates { body["regenerate"] = true }
    return Endpoint(
      method: .post, path: try item(.stories, storyID, dialect) + "/illustrations",
      body: .object(body), patience: .generation, idempotencyKey: idempotencyKey)
  }

  /// Requests the progress of a story's illustrations.
  package static func illustrationStatus(
    storyID: String, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return Endpoint(
      method: .get, path: try item(.stories, storyID, dialect) + "/illustrations/status")
  }

  /// Requests a story's illustrations.
  package static func illustrations(
    storyID: String, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    let story = try item(.stories, storyID, dialect)
    return dialect == .v1
      ? Endpoint(method: .get, path: story, query: [("includeIllustrations", "true")])
      : Endpoint(method: .get, path: story + "/illustrations")
  }
}
