/// The token in `STORIES_TOKEN`, for the one server that the user named, before the sessions of
/// another store, which alone is written.
///
/// A library written by someone else can name any server, so this token is sent only to a server
/// named by a flag or the environment.
public struct EnvironmentTokenStore: TokenStore {
  private let token: Secret?
  private let server: ServerAddress?
  private let kept: (any TokenStore)?

  /// Creates a store from environment variables.
  ///
  /// - Parameters:
  ///   - environment: The variables, including `STORIES_TOKEN`.
  ///   - namedServer: The server named by a flag or the environment, or `nil` if it was named by a
  ///     library's settings or not at all.
  ///   - kept: The store for all other sessions, or `nil` for none.
  public init(
    environment: [String: String], namedServer: ServerAddress?,
    keepingIn kept: (any TokenStore)? = nil
  ) {
    token = environment["STORIES_TOKEN"].flatMap { $0.isEmpty ? nil : Secret($0) }
    server = namedServer
    self.kept = kept
  }

  /// Prepares the other store.
  ///
  /// - Throws: The errors of that store.
  public func prepare(for server: ServerAddress) async throws(TokenStoreError) {
    try await kept?.prepare(for: server)
  }

  /// Returns the token as a session that is neither renewed nor stored, or the other store's session.
  ///
  /// - Throws: The errors of the other store, if it is asked.
  public func session(for server: ServerAddress) async throws(TokenStoreError) -> Session? {
    guard let token, server == self.server else { return try await kept?.session(for: server) }
    return Session(token: token, isRenewable: false)
  }

  /// Stores a session in the other store.
  ///
  /// - Throws: `TokenStoreError.readOnly` without another store; the errors of that store.
  public func save(
    _ session: Session, for server: ServerAddress
  ) async throws(TokenStoreError) {
    guard let kept else { throw .readOnly }
    try await kept.save(session, for: server)
  }

  /// Removes a server's session from the other store. The environment belongs to the user.
  ///
  /// - Throws: The errors of the other store.
  public func remove(for server: ServerAddress) async throws(TokenStoreError) {
    try await kept?.remove(for: server)
  }
}
