/// Where sessions are kept between runs, one for each server.
public protocol TokenStore: Sendable {
  /// Makes sure, as far as that can be told without one, that a session for a server could be kept;
  /// asked before one is made there. Nothing is looked at where the store does not say otherwise.
  ///
  /// - Throws: `TokenStoreError` where it could not.
  func prepare(for server: ServerAddress) async throws(TokenStoreError)

  /// The session for a server; `nil` where there is none.
  ///
  /// - Throws: `TokenStoreError` where the store cannot be read or must not be trusted.
  func session(for server: ServerAddress) async throws(TokenStoreError) -> Session?

  /// Keeps a session, in the place of the one there was.
  ///
  /// - Throws: `TokenStoreError` where it could not be kept.
  func save(_ session: Session, for server: ServerAddress) async throws(TokenStoreError)

  /// Forgets a server's session; nothing happens where there is none.
  ///
  /// - Throws: `TokenStoreError` where it is still there.
  func remove(for server: ServerAddress) async throws(TokenStoreError)
}

extension TokenStore {
  /// Takes it that a session can be kept.
  public func prepare(for server: ServerAddress) async throws(TokenStoreError) {}
}

/// Why a store of sessions cannot be used. No case holds anything secret.
public enum TokenStoreError: Error, Sendable, Hashable {
  /// Others on this machine can read or change what only its owner may.
  case openToOthers(path: String)
  /// What stands at that path is not what this program wrote.
  case damaged(path: String, why: String)
  /// The system refused to read or write.
  case system(path: String, why: String)
  /// The store takes nothing: it is read-only.
  case readOnly
  /// A helper program could not be run, or failed.
  case helper(String)
  /// A helper program took the session and then did not know it.
  case notKept(String)
}
