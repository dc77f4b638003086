import StoryAPI
import StoryLibrary

/// The stories of a library.
public struct StoryRepository: RecordRepository {
  /// The records.
  public let records: RecordStore<Story>
  package let core: RepositoryCore

  init(_ core: RepositoryCore) {
    self.core = core
    records = RecordStore(core)
  }
}
