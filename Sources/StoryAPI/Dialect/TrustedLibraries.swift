import JSONText

/// The libraries on this machine that this user's sessions may be used for, each with its servers.
///
/// They are kept in the user's own configuration folder, `libraries.json`, by their paths, and never in
/// a library: `.stories` could come with one that somebody else made. The file is readable by its owner
/// alone; one that others can read or change, or that cannot be understood, trusts nothing.
public struct TrustedLibraries: Sendable {
  private let file: PrivateFile

  /// The list in a configuration folder, an absolute path that need not exist.
  public init(folder: String) {
    file = PrivateFile(folder: folder, name: "libraries.json", key: "libraries")
  }

  /// Returns whether sessions with a server may be used for the library at `root`, an absolute path
  /// without links.
  public func contains(_ root: String, _ server: ServerAddress) -> Bool {
    (try? file.object()[root]?.array)?.contains(.string(server.text)) ?? false
  }

  /// Allows sessions with a server to be used for a library, from now on.
  ///
  /// - Throws: `TokenStoreError` if the file cannot be read or written.
  public func add(_ root: String, _ server: ServerAddress) throws(TokenStoreError) {
    guard !contains(root, server) else { return }
    try file.change { libraries in
      libraries[root] = .array((libraries[root]?.array ?? []) + [.string(server.text)])
    }
  }
}
