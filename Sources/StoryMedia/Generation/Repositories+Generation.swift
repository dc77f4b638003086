import StoryLibrary
public import StorySync

extension StoryRepository {
  /// Has the server write a story, which becomes a new record. See ``Generation``.
  public func generate(
    _ order: StoryWish, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).story(order)
  }

  /// Has the server write a story anew, which keeps its name and its place. The old text is kept in a
  /// run. See ``Generation``.
  public func regenerate(
    _ name: String, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).rewriting(RecordRef(kind: .stories, name: name))
  }

  /// Has the server read a story aloud. See ``Generation``.
  public func generateAudio(
    _ name: String, voice: String? = nil, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).audio(
      RecordRef(kind: .stories, name: name), voice: voice)
  }

  /// Has the server draw a story's scenes. See ``Generation``.
  public func generateIllustrations(
    _ name: String, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).illustrations(RecordRef(kind: .stories, name: name))
  }
}

extension HeroRepository {
  /// Has the server draw a hero. See ``Generation``.
  public func generateAvatar(
    _ name: String, prompt: String? = nil, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).avatar(
      RecordRef(kind: .heroes, name: name), prompt: prompt)
  }
}
