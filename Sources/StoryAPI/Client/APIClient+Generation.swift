public import StoryLibrary

extension APIClient {
  /// Requests a picture of a hero, and returns when it is finished.
  ///
  /// - Throws: `APIError`.
  public nonisolated func generateAvatar(
    heroID: String, prompt: String? = nil, idempotencyKey: String? = nil
  ) async throws(APIError) -> AvatarAnswer {
    let dialect = try await dialect()
    let answer = try await answer(
      to: .avatar(heroID: heroID, prompt: prompt, idempotencyKey: idempotencyKey, dialect), dialect)
    return try dialect.avatar(at: answer.place, heroID: heroID)
  }

  /// Requests a new story, and returns when it is finished.
  ///
  /// - Throws: `APIError`.
  public nonisolated func generateStory(
    _ order: StoryOrder, idempotencyKey: String? = nil
  ) async throws(APIError) -> RemoteRecord {
    let dialect = try await dialect()
    let answer = try await answer(
      to: try .generateStory(order, idempotencyKey: idempotencyKey, dialect), dialect,
      kind: .stories)
    return try dialect.record(.stories, at: answer.place["data"])
  }

  /// Requests a narration of a story.
  ///
  /// - Throws: `APIError`.
  public nonisolated func generateAudio(
    storyID: String, language: String, voice: String? = nil, regenerates: Bool = false,
    idempotencyKey: String? = nil
  ) async throws(APIError) -> AudioAnswer {
    let dialect = try await dialect()
    let answer = try await answer(
      to: .generateAudio(
        storyID: storyID, language: language, voice: voice, regenerates: regenerates,
        idempotencyKey: idempotencyKey, dialect), dialect)
    return try dialect.audio(at: answer.place)
  }

  /// Returns the state of a story's narration.
  ///
  /// - Throws: `APIError`.
  public nonisolated func audioStatus(storyID: String) async throws(APIError) -> AudioAnswer {
    let dialect = try await dialect()
    return try dialect.audio(
      at: try await answer(to: .audioStatus(storyID: storyID, dialect), dialect).place)
  }

  /// Requests pictures of a story's scenes, which the server makes in the background; see
  /// ``illustrationStatus(storyID:)``.
  ///
  /// - Throws: `APIError`.
  public nonisolated func generateIllustrations(
    storyID: String, regenerates: Bool = false, idempotencyKey: String? = nil
  ) async throws(APIError) {
    let dialect = try await dialect()
    _ = try await answer(
      to: .generateIllustrations(
        storyID: storyID, regenerates: regenerates, idempotencyKey: idempotencyKey, dialect),
      dialect)
  }

  /// Returns the progress of a story's pictures.
  ///
  /// - Throws: `APIError`.
  public nonisolated func illustrationStatus(
    storyID: String
  ) async throws(APIError) -> IllustrationProgress {
    let dialect = try await dialect()
    return try dialect.illustrationProgress(
      at: try await answer(to: .illustrationStatus(storyID: storyID, dialect), dialect).place)
  }

  /// Returns a story's pictures as records.
  ///
  /// - Throws: `APIError`.
  public nonisolated func illustrations(
    storyID: String
  ) async throws(APIError) -> [RemoteRecord] {
    let dialect = try await dialect()
    return try dialect.illustrations(
      at: try await answer(to: .illustrations(storyID: storyID, dialect), dialect).place)
  }
}
