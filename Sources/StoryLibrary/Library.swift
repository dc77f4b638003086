import JSONText

/// A library on disk: its root, its settings and where everything in it lies.
///
/// ```
/// my-library/
/// ├── library.json            the root's marker and the settings
/// ├── heroes/luna.json        a record
/// ├── heroes/.sync/luna.json  its sidecar
/// └── .stories/               this machine's own state, never committed
/// ```
public struct Library: Sendable {
  /// The root's absolute path.
  public let root: String
  /// What `library.json` says.
  public let configuration: LibraryConfiguration

  /// The name of the folder for this machine's own state.
  public static let stateFolderName = ".stories"

  /// Opens the library whose root is the folder at `root`.
  ///
  /// - Throws: `LibraryError.notFound` where there is no `library.json`; `Problem` where it cannot be
  ///   understood; `FileError` where it cannot be read.
  public init(root: String) throws {
    self.root = root
    let path = Path.join(root, LibraryConfiguration.fileName)
    guard FileSystem.exists(path) else { throw LibraryError.notFound(from: root) }
    configuration = try Self.read(path)
  }

  /// The most bytes that `library.json` may have: 1 MiB.
  private static let largestConfiguration = 1 << 20

  private static func read(_ path: String) throws -> LibraryConfiguration {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.read(path, limit: largestConfiguration)
    } catch {
      guard error.isTooLarge else { throw error }
      throw Problem(
        .unreadable, file: LibraryConfiguration.fileName,
        message: "the file is larger than 1 MiB, so it is not a library's",
        hint: .createLibrary)
    }
    return try LibraryConfiguration(bytes: bytes)
  }

  private init(root: String, configuration: LibraryConfiguration) {
    self.root = root
    self.configuration = configuration
  }

  /// Finds the library that `folder`, an absolute path, lies in: the nearest folder upwards with a
  /// `library.json`, as git finds a repository.
  ///
  /// - Throws: as ``init(root:)``.
  public static func find(from folder: String) throws -> Library {
    var current = Path.absolute(folder, in: "/")
    while !FileSystem.exists(Path.join(current, LibraryConfiguration.fileName)) {
      guard current != "/" else { throw LibraryError.notFound(from: folder) }
      current = Path.parent(current)
    }
    return try Library(root: current)
  }

  /// Makes a library: the folder where it is missing, `library.json`, a folder for each kind that
  /// people write, and the state folder. Files that are there stay as they are.
  ///
  /// - Throws: `LibraryError.exists` where there is one already, `FileError` where the system does not
  ///   allow it.
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

  /// Writes a change of the settings to `library.json`, atomically.
  ///
  /// Where somebody saved the file since it was read, the same settings are changed in what it says
  /// now.
  /// - Throws: `FileError`; `Problem` where the file cannot be understood any more.
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

  /// Whether this program may change the library.
  ///
  /// - Throws: `LibraryError.newerVersion` where `library.json` is of a newer form than it knows.
  public func checkWritable() throws(LibraryError) {
    guard configuration.version <= LibraryConfiguration.version else {
      throw .newerVersion(configuration.version)
    }
  }

  /// The path of something in the library.
  public func path(_ relative: String) -> ConfinedPath { ConfinedPath(root: root, relative) }

  /// The path of this machine's own state, or of something in it.
  public func statePath(_ relative: String = "") -> ConfinedPath {
    path(Path.join(Self.stateFolderName, relative))
  }

  /// Makes sure that the state folder is there, is this user's own (mode 0700), holds no link and is
  /// never committed.
  ///
  /// - Throws: `LibraryError.unsafeState` if it or something in it is a link, or it is no folder;
  ///   `FileError`.
  public func prepareStateFolder() throws {
    let folder = statePath()
    if try !checkStateFolder() {
      try FileSystem.makeFolder(folder, mode: 0o700)
      try ignoreState()
    } else if let mode = try FileSystem.status(folder)?.mode, mode & 0o077 != 0 {
      try FileSystem.setMode(folder, 0o700)
    }
  }

  /// Refuses a state folder that did not come from this program, and keeps it out of git: to be called
  /// before anything in it is used.
  ///
  /// - Returns: whether there is one.
  /// - Throws: as ``prepareStateFolder()``.
  @discardableResult
  public func checkStateFolder() throws -> Bool {
    let folder = statePath()
    switch try FileSystem.status(folder)?.type {
    case .folder: break
    case nil: return false
    case .link: throw Self.unsafe(folder, "it is a symbolic link")
    case .regular, .other: throw Self.unsafe(folder, "it is no folder")
    }
    for entry in try FileSystem.list(folder) where entry.type == .link {
      throw Self.unsafe(Path.join(folder, entry.name), "it is a symbolic link")
    }
    let ignore = statePath(Self.ignoreFile)
    let present = try? FileSystem.read(ignore, limit: 4_096)
    if present.map({ !Self.ignoresAll($0) }) ?? true {
      do throws(FileError) {
        try ignoreState()
      } catch {
        // Nothing is committed either where nothing can be written.
        guard error.isReadOnly else { throw error }
      }
    }
    return true
  }

  private static let ignoreFile = ".gitignore"

  /// Whether a `.gitignore` leaves out everything, with no exception.
  static func ignoresAll(_ bytes: [UInt8]) -> Bool {
    let lines = bytes.split(separator: 0x0A).filter { $0.first != UInt8(ascii: "#") }
    return !lines.isEmpty && lines.allSatisfy { $0.elementsEqual("*".utf8) }
  }

  private func ignoreState() throws(FileError) {
    let ignore = statePath(Self.ignoreFile)
    do throws(FileError) {
      try AtomicFile.write(Array("*\n".utf8), to: ignore)
    } catch {
      // Nobody holds the lock yet, so another process may do the same and take the temporary file.
      guard let bytes = try? FileSystem.read(ignore, limit: 4_096), Self.ignoresAll(bytes) else {
        throw error
      }
    }
  }

  private static func unsafe(_ path: ConfinedPath, _ reason: String) -> LibraryError {
    .unsafeState(path: path.text, reason: reason)
  }
}
