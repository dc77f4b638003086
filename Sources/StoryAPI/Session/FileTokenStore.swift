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
    file = PrivateFile(folder: folder, name: name, key: "sessions")
  }

  /// The path of the file.
  public var path: String { file.path }

  /// Reads the file, so that an untrustworthy one is reported at once.
  ///
  /// - Throws: The errors of ``session(for:)``.
  public func prepare(for server: ServerAddress) async throws(TokenStoreError) {
    _ = try file.object()
  }

  /// Returns the session for a server.
  ///
  /// - Throws: `TokenStoreError.openToOthers` if others can read the file, `damaged` if it is
  ///   invalid, `system` if it cannot be read.
  public func session(for server: ServerAddress) async throws(TokenStoreError) -> Session? {
    guard let entry = try file.object()[server.origin] else { return nil }
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
    try file.change { $0[server.origin] = session.json }
  }

  /// Removes a server's session.
  ///
  /// - Throws: The errors of ``save(_:for:)``.
  public func remove(for server: ServerAddress) async throws(TokenStoreError) {
    guard try file.object()[server.origin] != nil else { return }
    try file.change { $0[server.origin] = nil }
  }
}
