/// Several stores as one: sessions are looked for in each in turn, and kept in the last.
public struct LayeredTokenStore: TokenStore {
  private let readOnly: [any TokenStore]
  private let kept: any TokenStore

  /// Stores in the order in which they are asked; `kept` is asked last and alone is written to.
  public init(_ readOnly: [any TokenStore], keepingIn kept: any TokenStore) {
    self.readOnly = readOnly
    self.kept = kept
  }

  /// Asks the store that is written.
  ///
  /// - Throws: what that store throws.
  public func prepare(for server: ServerAddress) async throws(TokenStoreError) {
    try await kept.prepare(for: server)
  }

  /// The first session that a store has.
  ///
  /// - Throws: what the first store throws that fails before one has it.
  public func session(for server: ServerAddress) async throws(TokenStoreError) -> Session? {
    for store in readOnly + [kept] {
      if let session = try await store.session(for: server) { return session }
    }
    return nil
  }

  /// Keeps a session in the last store.
  ///
  /// - Throws: what that store throws.
  public func save(
    _ session: Session, for server: ServerAddress
  ) async throws(TokenStoreError) {
    try await kept.save(session, for: server)
  }

  /// Forgets a server's session in the last store.
  ///
  /// - Throws: what that store throws.
  public func remove(for server: ServerAddress) async throws(TokenStoreError) {
    try await kept.remove(for: server)
  }
}
