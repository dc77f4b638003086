import JSONText

/// A library on disk: its root, settings and file locations.
///
/// ```
/// my-library/
/// ├── library.json            the root's marker and the settings
/// ├── heroes/luna.json        a record
/// ├── heroes/.sync/luna.json  its sidecar
/// └── .stories/               local state, never committed
/// ```
public struct Library: Sendable {
  /// The root's absolute path.
  public let root: String
  /// The settings in `library.json`.
  public let configuration: LibraryConfiguration
  /// See ``keepingFoldersOpen()``.
  var folders: OpenFolders?

  /// The name of the folder for this machine's local state.
  public static let stateFolderName = ".stories"

  /// Opens the library in the folder `root`.
  ///
  /// - Throws: `LibraryError.notFound` if there is no `library.json`; `Problem` if it is invalid;
  ///   `FileError` if it cannot be read.
  public init(root: String) throws {
    self.root = root
    let path = Path.join(root, LibraryConfiguration.fileName)
    guard FileSystem.exists(path) else { throw LibraryError.notFound(from: root) }
    configuration = try Self.read(path)
  }

  /// The maximum size of `library.json`: 1 MiB.
  private static let largestConfiguration = 1 << 20

  private static func read(_ path: String) throws -> LibraryConfiguration {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.read(path, limit: largestConfiguration)
    } catch {
      guard error.isTooLarge else { throw error }
      throw Problem(.tooLarge, file: LibraryConfiguration.fileName)
    }
    return try LibraryConfiguration(bytes: bytes)
  }

  private init(root: String, configuration: LibraryConfiguration) {
    self.root = root
    self.configuration = configuration
  }

  /// Finds the library that contains `folder`, an absolute path: the nearest folder at or above it
  /// with a `library.json`, as git finds a repository.
  ///
  /// - Throws: The errors of ``init(root:)``.
  public static func find(from folder: String) throws -> Library {
    guard let root = root(from: folder) else { throw LibraryError.notFound(from: folder) }
    return try Library(root: root)
  }

  /// Returns the nearest folder at or above an absolute path with a `library.json`, valid or not.
  package static func root(from folder: String) -> String? {
    var current = Path.absolute(folder, in: "/")
    while !FileSystem.exists(Path.join(current, LibraryConfiguration.fileName)) {
      guard current != "/" else { return nil }
      current = Path.parent(current)
    }
    return current
  }

  /// Creates a library: its folder if missing, `library.json`, a folder for each writable kind, and
  /// the state folder. Existing files are kept.
  ///
  /// - Throws: `LibraryError.exists` if there already is one; `FileError`.
  public static func create(
    at root: String, configuration: LibraryConfiguration
  ) throws -> Library {
    guard !FileSystem.exists(Path.join(root, LibraryConfiguration.fileName)) else {
      throw LibraryError.exists(root)
    }
    try FileSystem.makeFolder(root)
    let library = Library(root: root, configuration: configuration)
    for kind in EntityKind.writable { try FileSystem.makeFolder(Path.join(root, kind.folder)) }
    try library.prepareStateFolder()
    let outcome = try AtomicFile.write(
      configuration.document.bytes, to: Path.join(root, LibraryConfiguration.fileName),
      expecting: .absent)
    guard outcome == .done else { throw LibraryError.exists(root) }
    return library
  }

  /// Writes changed settings to `library.json` atomically.
  ///
  /// If the file was saved since it was read, the same changes are applied to its current content.
  /// - Throws: `FileError`; `Problem` if the file is no longer valid.
  public func saving(_ configuration: LibraryConfiguration) throws -> Library {
    let path = Path.join(root, LibraryConfiguration.fileName)
    var (base, next) = (self.configuration, configuration)
    for _ in 0..<8 {
      let expectation = AtomicFile.Expectation.content(ContentDigest(base.document.bytes))
      if next.document.bytes == base.document.bytes {
        return Library(root: root, configuration: next)
      }
      if try AtomicFile.write(next.document.bytes, to: path, expecting: expectation) == .done {
        return Library(root: root, configuration: next)
      }
      let saved = try Self.read(path)
      (base, next) = (saved, try saved.applying(changesFrom: base, to: next))
    }
    throw FileError.busy(path)
  }

  /// Checks that this program may change the library. Reads `library.json`, because a newer program
  /// may have written it since this value was made.
  ///
  /// - Throws: `LibraryError.newerVersion` if a newer program has written `library.json`; `Problem` if it
  ///   is invalid; `FileError` if it cannot be read.
  public func checkWritable() throws {
    let present = try Self.read(Path.join(root, LibraryConfiguration.fileName))
    guard present.version <= LibraryConfiguration.version else {
      throw LibraryError.newerVersion(present.version)
    }
  }

  /// Returns the path of a file in the library.
  public func path(_ relative: String) -> ConfinedPath { ConfinedPath(root: root, relative) }

  /// Returns the path of the state folder or of a file in it.
  public func statePath(_ relative: String = "") -> ConfinedPath {
    path(Path.join(Self.stateFolderName, relative))
  }

  /// Ensures that the state folder exists, is private (0700), has no links and is ignored by git.
  ///
  /// - Throws: `LibraryError.unsafeState` if it is not a folder or has a link in it; `FileError`.
  public func prepareStateFolder() throws {
    let folder = statePath()
    if try !checkStateFolder() {
      try FileSystem.makeFolder(folder, mode: 0o700)
      try ignoreState()
    } else if let mode = try FileSystem.status(folder)?.mode, mode & 0o077 != 0 {
      try FileSystem.setMode(folder, 0o700)
    }
  }

  /// Rejects a state folder that this program did not create, and makes git ignore it. Must be
  /// called before anything in it is used.
  ///
  /// - Returns: Whether the folder exists.
  /// - Throws: The errors of ``prepareStateFolder()``.
  @discardableResult
  public func checkStateFolder() throws -> Bool {
    let folder = statePath()
    switch try FileSystem.status(folder)?.type {
    case .folder: break
    case nil: return false
    case let type?: throw LibraryError.noFolder(folder, type)
    }
    for entry in try FileSystem.list(folder) where entry.type == .link {
      throw LibraryError.noFolder(Path.join(folder, entry.name), .link)
    }
    let ignore = statePath(Self.ignoreFile)
    let present = try? FileSystem.read(ignore, limit: 4_096)
    if present.map({ !Self.ignoresAll($0) }) ?? true {
      do throws(FileError) {
        try ignoreState()
      } catch {
        // If nothing can be written, nothing can be committed either.
        guard error.isReadOnly else { throw error }
      }
    }
    return true
  }

  private static let ignoreFile = ".gitignore"

  static func ignoresAll(_ bytes: [UInt8]) -> Bool {
    let lines = bytes.split(separator: 0x0A).filter { $0.first != UInt8(ascii: "#") }
    return !lines.isEmpty && lines.allSatisfy { $0.elementsEqual("*".utf8) }
  }

  private func ignoreState() throws(FileError) {
    let ignore = statePath(Self.ignoreFile)
    do throws(FileError) {
      try AtomicFile.write(Array("*\n".utf8), to: ignore)
    } catch {
      // The lock is not held yet, so another process may be doing the same with the temporary file.
      guard let bytes = try? FileSystem.read(ignore, limit: 4_096), Self.ignoresAll(bytes) else {
        throw error
      }
    }
  }
}

/// An error that concerns a library as a whole.
public enum LibraryError: Error, Sendable, Hashable {
  /// Neither the folder nor any above it has a `library.json`.
  case notFound(from: String)
  /// The path already has a library.
  case exists(String)
  /// A newer version of this program wrote `library.json`, or a sidecar; the library is read-only.
  case newerVersion(Int, file: String = LibraryConfiguration.fileName)
  /// The state folder `.stories` is unsafe: a link, a file, or tracked by git.
  case unsafeState(path: String, reason: String)
  /// Another process holds the library's lock.
  case locked(holder: String)
  /// The repository at `marker`, a `.git` folder or file, may be a sparse checkout, but git fails
  /// to say: files that are not checked out would look deleted.
  case sparseUnknown(marker: String, GitFailure)

  /// Returns the error for something else in the place of a folder.
  static func noFolder(_ path: ConfinedPath, _ type: FileSystem.FileType) -> LibraryError {
    let reason = type == .link ? "it is a symbolic link" : "it is not a folder"
    return .unsafeState(path: path.text, reason: reason)
  }
}
