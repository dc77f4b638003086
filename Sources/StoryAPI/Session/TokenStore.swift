/// Storage for sessions between runs, one per server.
public protocol TokenStore: Sendable {
  /// Checks as far as possible that a session for a server could be stored, before one is created
  /// there. The default does nothing.
  ///
  /// - Throws: `TokenStoreError` if it could not.
  func prepare(for server: ServerAddress) async throws(TokenStoreError)

  /// Returns the session for a server, or `nil`.
  ///
  /// - Throws: `TokenStoreError` if the store cannot be read or is not trustworthy.
  func session(for server: ServerAddress) async throws(TokenStoreError) -> Session?

  /// Stores a session, replacing any previous one.
  ///
  /// - Throws: `TokenStoreError` if it could not be stored.
  func save(_ session: Session, for server: ServerAddress) async throws(TokenStoreError)

  /// Removes a server's session. Does nothing without one.
  ///
  /// - Throws: `TokenStoreError` if it is still there.
  func remove(for server: ServerAddress) async throws(TokenStoreError)
}

extension TokenStore {
  /// Assumes that a session can be stored.
  public func prepare(for server: ServerAddress) async throws(TokenStoreError) {}
}

/// The reason that a token store failed. No case contains secrets.
public enum TokenStoreError: Error, Sendable, Hashable {
  /// Other users can read or change what only the owner should.
  case openToOthers(path: String)
  /// The data at the path was not written by this program.
  case damaged(path: String, why: String)
  /// The system refused to read or write.
  case system(path: String, why: String)
  /// The store is read-only.
  case readOnly
  /// A helper program could not be run or failed.
  case helper(String)
  /// A helper program accepted the session but did not store it.
  case notKept(String)
}
