import JSONText

/// Keeps sessions in one file of this user's configuration:
/// `sessions.json`, `{"version":1,"sessions":{"https://stories.example":{…}}}`.
///
/// The folder has mode 0700 and the file 0600; a file that others can read or change is refused.
/// It is replaced in one step and under a lock, so neither a crash nor another process damages it.
public struct FileTokenStore: TokenStore {
  private let file: PrivateFile

  /// A store in that folder; nothing is read or made yet. See ``ConfigurationFolder``.
  ///
  /// - Parameters:
  ///   - folder: the folder of the user's own configuration.
  ///   - name: the file's name; what is kept in one file is not found in another.
  public init(folder: String, name: String = "sessions.json") {
    file = PrivateFile(folder: folder, name: name)
  }

  /// Where the sessions are.
  public var path: String { file.path }

  /// Reads what is kept, so that a file that must not be trusted shows at once.
  ///
  /// - Throws: as ``session(for:)``.
  public func prepare(for server: ServerAddress) async throws(TokenStoreError) {
    _ = try sessions()
  }

  /// The session for a server.
  ///
  /// - Throws: `TokenStoreError.openToOthers` where the file is readable for others, `damaged` where
  ///   it cannot be understood, `system` where it cannot be read.
  public func session(for server: ServerAddress) async throws(TokenStoreError) -> Session? {
    guard let entry = try sessions()[server.origin] else { return nil }
    guard let session = Session(json: entry) else {
      throw .damaged(path: path, why: "the session for \(server.origin) is incomplete")
    }
    return session
  }

  /// Keeps a session.
  ///
  /// - Throws: as ``session(for:)``; `system` also where the file cannot be written.
  public func save(
    _ session: Session, for server: ServerAddress
  ) async throws(TokenStoreError) {
    guard session.isRenewable else { throw .readOnly }
    try change { $0[server.origin] = session.json }
  }

  /// Forgets a server's session.
  ///
  /// - Throws: as ``save(_:for:)``.
  public func remove(for server: ServerAddress) async throws(TokenStoreError) {
    guard try sessions()[server.origin] != nil else { return }
    try change { $0[server.origin] = nil }
  }

  private func change(_ body: (inout JSONObject) -> Void) throws(TokenStoreError) {
    try file.locked { () throws(TokenStoreError) in
      var sessions = try sessions()
      body(&sessions)
      let document: JSONValue = ["version": 1, "sessions": .object(sessions)]
      try file.write(document.fileBytes())
    }
  }

  private func sessions() throws(TokenStoreError) -> JSONObject {
    guard let bytes = try file.read() else { return JSONObject() }
    guard let document = try? JSONValue(parsing: bytes), let sessions = document["sessions"]?.object
    else { throw .damaged(path: path, why: "it is not what this program writes") }
    guard document["version"]?.integer == 1 else {
      throw .damaged(path: path, why: "a newer program wrote it")
    }
    return sessions
  }
}
