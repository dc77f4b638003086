/// The token in `STORIES_TOKEN`, for the one server that the user named.
///
/// A library written by someone else can name any server, so this token is sent only to a server
/// named by a flag or the environment.
public struct EnvironmentTokenStore: TokenStore {
  private let token: Secret?
  private let server: ServerAddress?

  /// Creates a store from environment variables.
  ///
  /// - Parameters:
  ///   - environment: The variables, including `STORIES_TOKEN`.
  ///   - namedServer: The server named by a flag or the environment, or `nil` if it was named by a
  ///     library's settings or not at all.
  public init(environment: [String: String], namedServer: ServerAddress?) {
    token = environment["STORIES_TOKEN"].flatMap { $0.isEmpty ? nil : Secret($0) }
    server = namedServer
  }

  /// Returns the token as a session that is neither renewed nor stored, or `nil` for other servers.
  public func session(for server: ServerAddress) async throws(TokenStoreError) -> Session? {
    guard let token, server == self.server else { return nil }
    return Session(token: token, isRenewable: false)
  }

  /// Stores nothing.
  ///
  /// - Throws: `TokenStoreError.readOnly` always.
  public func save(
    _ session: Session, for server: ServerAddress
  ) async throws(TokenStoreError) {
    throw .readOnly
  }

  /// Does nothing, since the environment belongs to the user.
  public func remove(for server: ServerAddress) async throws(TokenStoreError) {}
}
