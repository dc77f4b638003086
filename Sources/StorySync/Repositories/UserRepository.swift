public import StoryAPI
import StoryLibrary

/// The account on the server.
public struct UserRepository: Sendable {
  private let core: RepositoryCore

  init(_ core: RepositoryCore) { self.core = core }

  /// Whose account it is.
  ///
  /// - Throws: as `APIClient.currentUser(policy:)`, and what keeps the server from being opened.
  public func profile(policy: CachePolicy = .networkFirst) async throws -> Cached<User> {
    try await core.connection().client.currentUser(policy: policy)
  }

  /// What is left of the server's work, in the server's order.
  ///
  /// - Throws: as ``profile(policy:)``.
  public func usage(policy: CachePolicy = .networkFirst) async throws -> Cached<[UsageLimit]> {
    try await core.connection().client.usage(policy: policy)
  }

  /// Changes the account's name, on the server and at once.
  ///
  /// - Throws: `APIError`.
  public func rename(to name: String) async throws -> User {
    try await core.connection().client.updateProfile(name: name)
  }
}
