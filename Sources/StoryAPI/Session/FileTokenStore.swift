import JSONText

/// Stores sessions in a file of the user's configuration: `sessions.json`,
/// `{"version":1,"sessions":{"https://stories.example":{…}}}`.
///
/// The folder has mode 0700 and the file 0600; a file that others can read or change is refused. It
/// is replaced atomically and under a lock, so that neither crashes nor other processes damage it.
public struct FileTokenStore: TokenStore {
  private let file: PrivateFile

  /// Creates a store in a folder, without accessing it. See ``ConfigurationFolder``.
  ///
  /// - Parameters:
  ///   - folder: The folder of the user's configuration.
  ///   - name: The name of the file. Files do not share sessions.
  public init(folder: String, name: String = "sessions.json") {
    file = PrivateFile(folder: folder, name: name)
  }

  /// The path of the file.
  public var path: String { file.path }

  /// Reads the file, so that an untrustworthy one is reported at once.
  ///
  /// - Throws: The errors of ``session(for:)``.
  public func prepare(for server: ServerAddress) async throws(TokenStoreError) {
    _ = try sessions()
  }

  /// Returns the session for a server.
  ///
  /// - Throws: `TokenStoreError.openToOthers` if others can read the file, `damaged` if it is
  ///   invalid, `system` if it cannot be read.
  public func session(for server: ServerAddress) async throws(TokenStoreError) -> Session? {
    guard let entry = try sessions()[server.origin] else { return nil }
    guard let session = Session(json: entry) else {
      throw .damaged(path: path, why: "the session for \(server.origin) is incomplete")
    }
    return session
  }

  /// Stores a session.
  ///
  /// - Throws: The errors of ``session(for:)``; `system` also if the file cannot be written.
  public func save(
    _ session: Session, for server: ServerAddress
  ) async throws(TokenStoreError) {
    guard session.isRenewable else { throw .readOnly }
    try change { $0[server.origin] = session.json }
  }

  /// Removes a server's session.
  ///
  /// - Throws: The errors of ``save(_:for:)``.
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
