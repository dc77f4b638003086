import CPlatform
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A location that ``FileSystem`` can open: a plain path, a ``ConfinedPath`` or a ``LocatedFile``.
///
/// Symbolic links in parent folders are followed only for plain paths. Files in a library or its
/// state folder are always given as a ``ConfinedPath``.
public protocol FileLocation: Sendable {
  /// Opens the folder that contains the file.
  ///
  /// - Throws: `FileError`: ELOOP with the link's path if a parent folder is a symbolic link,
  ///   ENOTDIR if it is a file, ENOENT if it is missing, EXDEV if a component is `.` or `..`.
  func located() throws(FileError) -> LocatedFile
}

extension String: FileLocation {
  /// Opens the folder that contains the file, following links.
  public func located() throws(FileError) -> LocatedFile {
    let name = Path.name(self)
    guard !name.isEmpty, name != ".", name != ".." else {
      return LocatedFile(folder: .working, name: self)
    }
    return LocatedFile(folder: try Folder(above: self), name: name)
  }
}

/// A path that must stay below a folder: no component after the root may be a symbolic link.
public struct ConfinedPath: FileLocation, Hashable, CustomStringConvertible {
  /// The plain path of the folder that contains the path.
  public let root: String
  /// The path relative to the root, without a leading slash.
  public let relative: String

  /// Creates the path `relative` below `root`.
  public init(root: String, _ relative: String) {
    self.root = root
    self.relative = relative
  }

  /// The full path, for messages and for other programs.
  public var text: String { Path.join(root, relative) }

  /// The full path.
  public var description: String { text }

  /// Opens the folder that contains the file, without following links.
  public func located() throws(FileError) -> LocatedFile {
    if relative.isEmpty { return try root.located() }
    return try located(in: try Folder(Path.parent(self)))
  }

  func located(in folder: Folder) throws(FileError) -> LocatedFile {
    let name = Path.name(relative)
    guard name != ".", name != "..", !name.isEmpty else {
      throw FileError(.read, path: text, code: EXDEV)
    }
    return LocatedFile(folder: folder, name: name)
  }
}

/// A name in an open folder.
///
/// Operations act in that folder even if its path has come to refer to another one.
public struct LocatedFile: FileLocation {
  let folder: Folder
  let name: String

  /// The path it was opened by, for messages.
  var path: String { Path.join(folder.path, name) }

  func sibling(_ name: String) -> LocatedFile { LocatedFile(folder: folder, name: name) }

  /// Returns the file itself, whose folder is already open.
  public func located() throws(FileError) -> LocatedFile { self }
}

/// An open folder, which is closed with the last reference to it.
final class Folder: Sendable {
  let descriptor: Int32
  /// The path it was opened by, for messages.
  let path: String

  /// The working directory, to which plain paths are relative.
  static let working = Folder(AT_FDCWD, path: "")

  private init(_ descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Opens the folder that contains the file at a plain path, following links.
  convenience init(above path: String) throws(FileError) {
    let parent = Path.parent(path)
    let descriptor = stories_open_root(parent.isEmpty ? "." : parent)
    guard descriptor >= 0 else { throw .last(.read, path) }
    self.init(descriptor, path: parent)
  }

  /// Opens the folder at a path without following links.
  ///
  /// - Parameter mode: The mode of folders to create and flush if missing; `nil` creates none.
  /// - Throws: `FileError`, as in ``FileLocation/located()``.
  convenience init(_ path: ConfinedPath, making mode: UInt32? = nil) throws(FileError) {
    let root = stories_open_root(path.root)
    guard root >= 0 else { throw .last(.read, path.root) }
    defer { close(root) }
    var end = 0
    let descriptor = stories_open_below(root, path.relative, mode.map { Int32($0) } ?? -1, &end)
    guard descriptor >= 0 else {
      let code = errno
      let reached = String(decoding: path.relative.utf8.prefix(end), as: UTF8.self)
      let operation: FileError.Operation = mode == nil ? .read : .makeFolder
      throw FileError(operation, path: Path.join(path.root, reached), code: code)
    }
    self.init(descriptor, path: path.text)
  }

  /// Opens the folder at a location for listing; the last component must not be a link.
  convenience init(listing location: some FileLocation) throws(FileError) {
    let file = try location.located()
    let descriptor = stories_open_folder(file.folder.descriptor, file.name, O_RDONLY)
    guard descriptor >= 0 else { throw .last(.read, file.path) }
    self.init(descriptor, path: file.path)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  #if canImport(Darwin)
    typealias Stream = UnsafeMutablePointer<DIR>
  #else
    typealias Stream = OpaquePointer
  #endif

  /// Returns a stream of the names in the folder, which the caller closes, or `nil` on failure.
  func stream() -> Stream? {
    // Closing the stream closes its descriptor.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    let stream = fdopendir(copy)
    if stream == nil { close(copy) }
    return stream
  }
}

/// A cache of open folders, for fast access to many files in few folders.
///
/// If a folder is replaced, the one that was opened first stays in use.
final class OpenFolders: Sendable {
  private let folders = Mutex<[ConfinedPath: Folder]>([:])
  private static let most = 64

  /// Returns the file at a path, in its open folder.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - mode: The permission bits for missing folders, which are created; `nil` creates none.
  /// - Throws: `FileError`, as in ``FileLocation/located()``.
  func file(_ path: ConfinedPath, making mode: UInt32? = nil) throws(FileError) -> LocatedFile {
    let parent = Path.parent(path)
    if let folder = folders.withLock({ $0[parent] }) { return try path.located(in: folder) }
    let folder = try Folder(parent, making: mode)
    folders.withLock { folders in
      if folders.count == Self.most { folders = [:] }
      folders[parent] = folder
    }
    return try path.located(in: folder)
  }
}

extension Path {
  /// Returns the folder that contains `path`, or the root for a path in the root.
  public static func parent(_ path: ConfinedPath) -> ConfinedPath {
    ConfinedPath(root: path.root, parent(path.relative))
  }

  /// Returns the last component of `path`.
  public static func name(_ path: ConfinedPath) -> String { name(path.text) }

  /// Appends the relative `path` to `folder`.
  public static func join(_ folder: ConfinedPath, _ path: String) -> ConfinedPath {
    ConfinedPath(root: folder.root, join(folder.relative, path))
  }
}
