import StoryAPI
import StoryLibrary

/// The heroes of a library.
public struct HeroRepository: RecordRepository {
  /// The records.
  public let records: RecordStore<Hero>
  let core: RepositoryCore

  init(_ core: RepositoryCore) {
    self.core = core
    records = RecordStore(core)
  }

  /// Has the server draw a hero. See ``Generation``.
  public func generateAvatar(
    _ name: String, prompt: String? = nil, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).avatar(
      RecordRef(kind: .heroes, name: name), prompt: prompt)
  }
}
