import StoryLibrary
public import StorySync

extension StoryRepository {
  /// Requests a new story from the server, which becomes a new record. See ``Generation``.
  public func generate(
    _ order: StoryWish, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).story(order)
  }

  /// Requests a rewrite of a story in place. The old text is kept in a run. See ``Generation``.
  public func regenerate(
    _ name: String, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).rewriting(RecordRef(kind: .stories, name: name))
  }

  /// Requests a narration of a story. See ``Generation``.
  public func generateAudio(
    _ name: String, voice: String? = nil, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).audio(
      RecordRef(kind: .stories, name: name), voice: voice)
  }

  /// Requests pictures of a story's scenes. See ``Generation``.
  public func generateIllustrations(
    _ name: String, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).illustrations(RecordRef(kind: .stories, name: name))
  }
}

extension HeroRepository {
  /// Requests a picture of a hero. See ``Generation``.
  public func generateAvatar(
    _ name: String, prompt: String? = nil, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).avatar(
      RecordRef(kind: .heroes, name: name), prompt: prompt)
  }
}
