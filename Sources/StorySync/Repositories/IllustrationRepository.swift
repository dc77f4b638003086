public import StoryAPI
import StoryLibrary

/// The pictures of stories: records that only the server makes.
public struct IllustrationRepository: Sendable {
  private let records: RecordStore<Illustration>

  init(_ core: RepositoryCore) {
    records = RecordStore(core) { try await core.pullIllustrations() }
  }

  /// All pictures, by story and order; see ``RecordStore/fetchAll(policy:)``.
  public func fetchAll(
    policy: CachePolicy = .cacheAndNetwork
  ) async throws -> Cached<[Illustration]> {
    try await records.fetchAll(policy: policy)
  }

  /// One picture by its name (`first-snow/01`); see ``RecordStore/fetch(_:policy:)``.
  public func fetch(
    _ name: String, policy: CachePolicy = .cacheAndNetwork
  ) async throws -> Cached<Illustration> {
    try await records.fetch(name, policy: policy)
  }
}
