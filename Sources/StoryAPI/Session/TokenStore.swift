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

  /// What happened, as a sentence for people.
  public var message: String {
    switch self {
    case .openToOthers(let path): "Others can read or change \(ServerText.shown(path))."
    case .damaged(let path, let why):
      "\(ServerText.shown(path)) cannot be understood: \(ServerText.shown(why))."
    case .system(let path, let why): "\(ServerText.shown(path)): \(ServerText.shown(why))."
    case .readOnly: "A token from the environment is not stored."
    case .helper(let why): "The credential helper failed: \(ServerText.shown(why))."
    case .notKept(let why): "The session was not kept: \(ServerText.shown(why))."
    }
  }

  /// What to do next; `nil` where the message says it.
  public var suggestion: String? {
    switch self {
    case .openToOthers(let path): "Only you should: chmod go-rwx '\(ServerText.shown(path))'"
    case .damaged: "Move the file away and sign in again: stories sign-in"
    case .notKept: "Name a helper: git config --global credential.helper store"
    case .system, .readOnly, .helper: nil
    }
  }
}
