public import StoryLibrary

extension APIClient {
  /// Has the server draw a hero; answers when it is drawn.
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

  /// Has the server write a story; answers when it is written.
  ///
  /// - Throws: `APIError`.
  public nonisolated func generateStory(
    _ order: StoryOrder, idempotencyKey: String? = nil
  ) async throws(APIError) -> RemoteRecord {
    let dialect = try await dialect()
    let answer = try await answer(
      to: .generateStory(order, idempotencyKey: idempotencyKey, dialect), dialect, kind: .stories)
    return try dialect.record(.stories, at: dialect.recordPlace(answer.place))
  }

  /// Has the server read a story aloud.
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

  /// How far the narration of a story is.
  ///
  /// - Throws: `APIError`.
  public nonisolated func audioStatus(storyID: String) async throws(APIError) -> AudioAnswer {
    let dialect = try await dialect()
    return try dialect.audio(
      at: try await answer(to: .audioStatus(storyID: storyID, dialect), dialect).place)
  }

  /// Has the server draw a story's scenes, which it does in its own time; see
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

  /// How far the pictures of a story are.
  ///
  /// - Throws: `APIError`.
  public nonisolated func illustrationStatus(
    storyID: String
  ) async throws(APIError) -> IllustrationProgress {
    let dialect = try await dialect()
    return try dialect.illustrationProgress(
      at: try await answer(to: .illustrationStatus(storyID: storyID, dialect), dialect).place)
  }

  /// The pictures of a story, as records.
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
