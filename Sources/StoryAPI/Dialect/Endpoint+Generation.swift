import JSONText
import StoryLibrary

extension Endpoint {
  /// Generates a hero's avatar.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that cannot be part of a path, or
  ///   `unsupported` if the server does not generate anything.
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

  /// Generates a story.
  ///
  /// - Throws: `APIError.unsupported` if the server does not generate anything.
  public static func generateStory(
    _ order: StoryOrder, idempotencyKey: String?, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return Endpoint(
      .post, dialect.base + "/stories", body: .object(order.wire), patience: .generation,
      idempotencyKey: idempotencyKey)
  }

  /// Generates a story's narration.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that cannot be part of a path, or
  ///   `unsupported` if the server does not generate anything.
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

  /// Requests the state of a story's narration.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that cannot be part of a path, or
  ///   `unsupported` if the server does not generate anything.
  public static func audioStatus(storyID: String, _ dialect: Dialect) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return Endpoint(.get, try item(.stories, storyID, dialect) + "/audio")
  }

  /// Generates a story's illustrations, in the background.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that cannot be part of a path, or
  ///   `unsupported` if the server does not generate anything.
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

  /// Requests the progress of a story's illustrations.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that cannot be part of a path, or
  ///   `unsupported` if the server does not generate anything.
  public static func illustrationStatus(
    storyID: String, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return Endpoint(.get, try item(.stories, storyID, dialect) + "/illustrations/status")
  }

  /// Requests a story's illustrations.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that cannot be part of a path, or
  ///   `unsupported` if the server does not generate anything.
  public static func illustrations(
    storyID: String, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return dialect.illustrationsEndpoint(story: try item(.stories, storyID, dialect))
  }
}
