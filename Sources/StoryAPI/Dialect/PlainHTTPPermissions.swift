import JSONText
public import StoryLibrary

/// The origins that this user allows to be spoken to without encryption.
///
/// They are kept in the user's own configuration folder, `plain-http.json`, and never in a library,
/// which somebody else may have written. The file and its folder are readable by their owner alone; a
/// file that others can change allows nothing.
public struct PlainHTTPPermissions: Sendable {
  private let path: String

  /// The permissions kept in a configuration folder, an absolute path that need not be there.
  public init(folder: String) { path = Path.join(folder, "plain-http.json") }

  /// The origins that are allowed, as ``ServerAddress/origin`` writes them.
  public var origins: [String] {
    guard let status = try? FileSystem.status(path), status.isSafeFromOthers,
      let bytes = try? FileSystem.read(path, limit: 1 << 20),
      let value = try? JSONValue(parsing: bytes),
      value["version"]?.integer == 1
    else { return [] }
    return value["origins"]?.array?.compactMap(\.string) ?? []
  }

  /// Allows an origin, for this user and from now on.
  ///
  /// - Throws: `FileError` where the folder or the file cannot be written.
  public func allow(_ address: ServerAddress) throws(FileError) {
    let known = origins
    guard !known.contains(address.origin) else { return }
    let all = (known + [address.origin]).sorted()
    let value: JSONValue = ["version": 1, "origins": .array(all.map { .string($0) })]
    try FileSystem.makeFolder(Path.parent(path), mode: 0o700)
    try AtomicFile.write(value.fileBytes(), to: path, mode: 0o600)
  }

  /// Reads an address, plain http included where this user allowed it for its origin.
  ///
  /// - Throws: `ServerAddress.Problem`.
  public func address(_ text: String) throws(ServerAddress.Problem) -> ServerAddress {
    do throws(ServerAddress.Problem) {
      return try ServerAddress(text)
    } catch {
      guard case .plainHTTP(let origin) = error, origins.contains(origin) else { throw error }
      return try ServerAddress(text, allowsPlainHTTP: true)
    }
  }
}
