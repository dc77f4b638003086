import StoryAPI
import StoryLibrary

/// The custom events of a library.
public struct CustomEventRepository: RecordRepository {
  /// The records.
  public let records: RecordStore<CustomEvent>

  init(_ core: RepositoryCore) { records = RecordStore(core) }
}
