import StoryAPI
import StoryLibrary

/// The heroes of a library.
public struct HeroRepository: RecordRepository {
  /// The records.
  public let records: RecordStore<Hero>
  package let core: RepositoryCore

  init(_ core: RepositoryCore) {
    self.core = core
    records = RecordStore(core)
  }
}
