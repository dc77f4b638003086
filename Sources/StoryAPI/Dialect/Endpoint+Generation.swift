import JSONText
import StoryLibrary

extension Endpoint {
  /// Has the server draw a hero.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that no path can hold, `unsupported` if the server
  ///   makes nothing.
  public static func avatar(
    heroID: String, prompt: String?, idempotencyKey: String?, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    var body = JSONObject()
    if let prompt { body["prompt"] = .string(prompt) }
    return Endpoint(
      .post, try item(.heroes, heroID, dialect) + "/avatar", body: .object(body),
      patience: .generation, idempotencyKey: idempotencyKey)
  }

  /// Has the server write a story.
  /// - Throws: `APIError.unsupported` if the server makes nothing.
  public static func generateStory(
    _ order: StoryOrder, idempotencyKey: String?, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return Endpoint(
      .post, dialect.base + "/stories", body: .object(order.wire), patience: .generation,
      idempotencyKey: idempotencyKey)
  }

  /// Has the server read a story aloud.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that no path can hold, `unsupported` if the server
  ///   makes nothing.
  public static func generateAudio(
    storyID: String, language: String, voice: String?, regenerates: Bool, idempotencyKey: String?,
    _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    var body: JSONObject = ["language": .string(language)]
    if let voice { body["voice"] = .string(voice) }
    if regenerates { body["regenerate"] = true }
    return Endpoint(
      .post, try item(.stories, storyID, dialect) + "/audio", body: .object(body),
      patience: .generation, idempotencyKey: idempotencyKey)
  }

  /// How far the narration of a story is.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that no path can hold, `unsupported` if the server
  ///   makes nothing.
  public static func audioStatus(storyID: String, _ dialect: Dialect) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return Endpoint(.get, try item(.stories, storyID, dialect) + "/audio")
  }

  /// Has the server draw a story's scenes, which it does in its own time.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that no path can hold, `unsupported` if the server
  ///   makes nothing.
  public static func generateIllustrations(
    storyID: String, regenerates: Bool, idempotencyKey: String?, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    var body = JSONObject()
    if regenerates { body["regenerate"] = true }
    return Endpoint(
      .post, try item(.stories, storyID, dialect) + "/illustrations", body: .object(body),
      patience: .generation, idempotencyKey: idempotencyKey)
  }

  /// How far the pictures of a story are.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that no path can hold, `unsupported` if the server
  ///   makes nothing.
  public static func illustrationStatus(
    storyID: String, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return Endpoint(.get, try item(.stories, storyID, dialect) + "/illustrations/status")
  }

  /// The pictures of a story.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that no path can hold, `unsupported` if the server
  ///   makes nothing.
  public static func illustrations(
    storyID: String, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return dialect.illustrationsEndpoint(story: try item(.stories, storyID, dialect))
  }
}
