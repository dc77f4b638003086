/// A series of stores, which are searched in order. New sessions are stored in the last one.
public struct LayeredTokenStore: TokenStore {
  private let readOnly: [any TokenStore]
  private let kept: any TokenStore

  /// Creates a series of stores. `kept` is searched last and is the only one that is written.
  public init(_ readOnly: [any TokenStore], keepingIn kept: any TokenStore) {
    self.readOnly = readOnly
    self.kept = kept
  }

  /// Prepares the last store.
  ///
  /// - Throws: The errors of that store.
  public func prepare(for server: ServerAddress) async throws(TokenStoreError) {
    try await kept.prepare(for: server)
  }

  /// Returns the first session found.
  ///
  /// - Throws: The errors of the stores up to the one that has it.
  public func session(for server: ServerAddress) async throws(TokenStoreError) -> Session? {
    for store in readOnly + [kept] {
      if let session = try await store.session(for: server) { return session }
    }
    return nil
  }

  /// Stores a session in the last store.
  ///
  /// - Throws: The errors of that store.
  public func save(
    _ session: Session, for server: ServerAddress
  ) async throws(TokenStoreError) {
    try await kept.save(session, for: server)
  }

  /// Removes a server's session from the last store.
  ///
  /// - Throws: The errors of that store.
  public func remove(for server: ServerAddress) async throws(TokenStoreError) {
    try await kept.remove(for: server)
  }
}
