public import StoryAPI
import StoryLibrary

/// The account on the server.
public struct UserRepository: Sendable {
  private let core: RepositoryCore

  init(_ core: RepositoryCore) { self.core = core }

  /// Returns the signed-in user.
  ///
  /// - Throws: as `APIClient.currentUser(policy:)`, and errors from opening the server.
  public func profile(policy: CachePolicy = .networkFirst) async throws -> Cached<User> {
    try await core.connection().client.currentUser(policy: policy)
  }

  /// Returns the remaining generation limits, in the server's order.
  ///
  /// - Throws: as ``profile(policy:)``.
  public func usage(policy: CachePolicy = .networkFirst) async throws -> Cached<[UsageLimit]> {
    try await core.connection().client.usage(policy: policy)
  }

  /// Changes the account's name on the server at once.
  ///
  /// - Throws: `APIError`.
  public func rename(to name: String) async throws -> User {
    try await core.connection().client.updateProfile(name: name)
  }
}
