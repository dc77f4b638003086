import JSONText
public import StoryLibrary

/// The origins with which the user allows unencrypted communication.
///
/// They are stored in `plain-http.json` in the user's own configuration folder, never in a library,
/// which somebody else may have written. The file and its folder are readable only by their owner.
/// A file that others can change allows nothing.
public struct PlainHTTPPermissions: Sendable {
  private let path: String

  /// The permissions in a configuration folder.
  ///
  /// - Parameter folder: The folder's absolute path. It need not exist.
  public init(folder: String) { path = Path.join(folder, "plain-http.json") }

  /// The allowed origins, in the form of ``ServerAddress/origin``.
  public var origins: [String] {
    guard let status = try? FileSystem.status(path), status.isSafeFromOthers,
      let bytes = try? FileSystem.read(path, limit: 1 << 20),
      let value = try? JSONValue(parsing: bytes),
      value["version"]?.integer == 1
    else { return [] }
    return value["origins"]?.array?.compactMap(\.string) ?? []
  }

  /// Permanently allows an origin for this user.
  ///
  /// - Parameter address: An address with that origin.
  /// - Throws: `FileError` if the folder or the file cannot be written.
  public func allow(_ address: ServerAddress) throws(FileError) {
    let known = origins
    guard !known.contains(address.origin) else { return }
    let all = (known + [address.origin]).sorted()
    let value: JSONValue = ["version": 1, "origins": .array(all.map { .string($0) })]
    try FileSystem.makeFolder(Path.parent(path), mode: 0o700)
    try AtomicFile.writePrivate(value.fileBytes(), to: path)
  }

  /// Parses an address. Plain http is accepted if the user has allowed it for the origin.
  ///
  /// - Parameter text: The address.
  /// - Returns: The address.
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
