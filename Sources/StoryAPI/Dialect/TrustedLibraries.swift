import JSONText

/// The libraries on this machine that may use the user's sessions, each with its servers.
///
/// They are stored by path in `libraries.json` in the user's own configuration folder, never in a
/// library, whose `.stories` may have been made by somebody else. The file is readable only by its
/// owner. A file that others can read or change, or that is not valid, trusts nothing.
public struct TrustedLibraries: Sendable {
  private let file: PrivateFile

  /// The list in a configuration folder.
  ///
  /// - Parameter folder: The folder's absolute path. It need not exist.
  public init(folder: String) {
    file = PrivateFile(folder: folder, name: "libraries.json", key: "libraries")
  }

  /// Returns whether a library may use sessions with a server.
  ///
  /// - Parameters:
  ///   - root: The library's absolute path, without symbolic links.
  ///   - server: The server.
  public func contains(_ root: String, _ server: ServerAddress) -> Bool {
    (try? file.object()[root]?.array)?.contains(.string(server.text)) ?? false
  }

  /// Permanently allows a library to use sessions with a server.
  ///
  /// - Parameters:
  ///   - root: The library's absolute path, without symbolic links.
  ///   - server: The server.
  /// - Throws: `TokenStoreError` if the file cannot be read or written.
  public func add(_ root: String, _ server: ServerAddress) throws(TokenStoreError) {
    guard !contains(root, server) else { return }
    try file.change { libraries in
      libraries[root] = .array((libraries[root]?.array ?? []) + [.string(server.text)])
    }
  }
}
