/// The token that `STORIES_TOKEN` gives, for the one server that the person named.
///
/// A library that someone else wrote can name any server, so such a server never gets this token:
/// only one that a flag or the environment names does.
public struct EnvironmentTokenStore: TokenStore {
  private let token: Secret?
  private let server: ServerAddress?

  /// A store that reads `environment`.
  ///
  /// - Parameters:
  ///   - environment: the environment's variables; `STORIES_TOKEN` is looked at.
  ///   - namedServer: the server that a flag or the environment names; `nil` where it was named by a
  ///     library's own settings or not at all.
  public init(environment: [String: String], namedServer: ServerAddress?) {
    token = environment["STORIES_TOKEN"].flatMap { $0.isEmpty ? nil : Secret($0) }
    server = namedServer
  }

  /// The token as a session that is neither renewed nor stored; `nil` for any other server.
  public func session(for server: ServerAddress) async throws(TokenStoreError) -> Session? {
    guard let token, server == self.server else { return nil }
    return Session(token: token, isRenewable: false)
  }

  /// Keeps nothing.
  ///
  /// - Throws: `TokenStoreError.readOnly` always.
  public func save(
    _ session: Session, for server: ServerAddress
  ) async throws(TokenStoreError) {
    throw .readOnly
  }

  /// Does nothing: the environment is its owner's.
  public func remove(for server: ServerAddress) async throws(TokenStoreError) {}
}
