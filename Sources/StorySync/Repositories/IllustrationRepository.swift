public import StoryAPI
import StoryLibrary

/// The illustrations of stories: records that only the server creates.
public struct IllustrationRepository: Sendable {
  private let records: RecordStore<Illustration>

  init(_ core: RepositoryCore) {
    records = RecordStore(core) { try await core.pullIllustrations() }
  }

  /// Returns all illustrations, by story and order; see ``RecordStore/fetchAll(policy:)``.
  public func fetchAll(
    policy: CachePolicy = .cacheAndNetwork
  ) async throws -> Cached<[Illustration]> {
    try await records.fetchAll(policy: policy)
  }

  /// Returns one illustration by name (`first-snow/01`); see ``RecordStore/fetch(_:policy:)``.
  public func fetch(
    _ name: String, policy: CachePolicy = .cacheAndNetwork
  ) async throws -> Cached<Illustration> {
    try await records.fetch(name, policy: policy)
  }
}
