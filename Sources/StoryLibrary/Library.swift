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
    configuration = try LibraryConfiguration(bytes: FileSystem.read(path))
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
      let saved = try LibraryConfiguration(bytes: FileSystem.read(path))
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

  /// The absolute path of something in the library.
  public func path(_ relative: String) -> String { Path.join(root, relative) }

  /// The absolute path of this machine's own state, or of something in it.
  public func statePath(_ relative: String = "") -> String {
    Path.join(Path.join(root, Self.stateFolderName), relative)
  }

  /// Makes sure that the state folder is there, is this user's own (mode 0700) and is never
  /// committed.
  ///
  /// - Throws: `LibraryError.unsafeState` where something else than a folder has its name;
  ///   `FileError`.
  public func prepareStateFolder() throws {
    let folder = statePath()
    let status = try FileSystem.status(folder)
    switch status?.type {
    case .folder:
      if let mode = status?.mode, mode & 0o077 != 0 { try FileSystem.setMode(folder, 0o700) }
    case nil: try FileSystem.makeFolder(folder, mode: 0o700)
    case .link: throw LibraryError.unsafeState(path: folder, reason: "it is a symbolic link")
    case .regular, .other: throw LibraryError.unsafeState(path: folder, reason: "it is no folder")
    }
    let ignore = statePath(".gitignore")
    guard !FileSystem.exists(ignore) else { return }
    do throws(FileError) {
      try AtomicFile.write(Array("*\n".utf8), to: ignore, expecting: .absent)
    } catch {
      // Nobody holds the lock yet, so another process may do the same and take the temporary file.
      guard FileSystem.exists(ignore) else { throw error }
    }
  }
}
