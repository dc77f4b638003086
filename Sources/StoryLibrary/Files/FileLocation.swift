import CPlatform
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Something that ``FileSystem`` can find: a plain path, a ``ConfinedPath`` or a ``LocatedFile``.
///
/// Symbolic links on the way are followed for a plain path only. What is in a library or in the state
/// folder is always named by a ``ConfinedPath``.
public protocol FileLocation: Sendable {
  /// Opens the folder that holds the file.
  ///
  /// - Throws: `FileError`: ELOOP with the path of the link if a folder on the way is one, ENOTDIR if
  ///   one is a file, ENOENT if one is missing, EXDEV if a name on the way is `.` or `..`.
  func located() throws(FileError) -> LocatedFile
}

extension String: FileLocation {
  /// Opens the folder that the path names, through links.
  public func located() throws(FileError) -> LocatedFile {
    let name = Path.name(self)
    guard !name.isEmpty, name != ".", name != ".." else {
      return LocatedFile(folder: .working, name: self)
    }
    return LocatedFile(folder: try Folder(above: self), name: name)
  }
}

/// A path below a folder that must not be left: no component after the root may be a symbolic link.
public struct ConfinedPath: FileLocation, Hashable, CustomStringConvertible {
  /// The folder that must not be left: a plain path.
  public let root: String
  /// The path below the root, without a slash at its start.
  public let relative: String

  /// The path `relative` below `root`.
  public init(root: String, _ relative: String) {
    self.root = root
    self.relative = relative
  }

  /// The whole path, for messages and for other programs.
  public var text: String { Path.join(root, relative) }

  /// The whole path.
  public var description: String { text }

  /// Opens the folder that holds the file, through folders alone.
  public func located() throws(FileError) -> LocatedFile {
    if relative.isEmpty { return try root.located() }
    return try located(in: try Folder(Path.parent(self)))
  }

  /// The file in its folder, which is open.
  func located(in folder: Folder) throws(FileError) -> LocatedFile {
    let name = Path.name(relative)
    guard name != ".", name != "..", !name.isEmpty else {
      throw FileError(.read, path: text, code: EXDEV)
    }
    return LocatedFile(folder: folder, name: name)
  }
}

/// A name in an open folder. What is done with it is done in that folder, whatever has the folder's
/// path by then.
public struct LocatedFile: FileLocation {
  let folder: Folder
  let name: String

  /// The path that it was found by, for messages.
  var path: String { Path.join(folder.path, name) }

  /// Another name in the same folder.
  func sibling(_ name: String) -> LocatedFile { LocatedFile(folder: folder, name: name) }

  /// The file itself: its folder is open.
  public func located() throws(FileError) -> LocatedFile { self }
}

/// A folder that is open, closed with the last reference to it.
final class Folder: Sendable {
  let descriptor: Int32
  /// The path that it was opened by, for messages.
  let path: String

  /// The folder that plain paths start from.
  static let working = Folder(AT_FDCWD, path: "")

  private init(_ descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Opens the folder that holds the file at a plain path.
  convenience init(above path: String) throws(FileError) {
    let parent = Path.parent(path)
    let descriptor = stories_open_root(parent.isEmpty ? "." : parent)
    guard descriptor >= 0 else { throw .last(.read, path) }
    self.init(descriptor, path: parent)
  }

  /// Opens the folder at a path, through folders alone.
  ///
  /// - Parameter mode: the permission bits of folders that are made where they are missing, whose names
  ///   reach the disk; `nil` makes none.
  /// - Throws: `FileError` as ``FileLocation/located()``.
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

  /// Opens the folder at a location for listing; the last component is no link either.
  ///
  /// - Throws: `FileError`.
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

  /// A stream of the names in the folder, to be closed; `nil` if the system refuses.
  func stream() -> Stream? {
    // A stream closes its descriptor.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    let stream = fdopendir(copy)
    if stream == nil { close(copy) }
    return stream
  }
}

/// Folders that stay open, so that many files in few folders are found quickly.
///
/// A folder that is replaced meanwhile is used as it was when it was opened.
final class OpenFolders: Sendable {
  private let folders = Mutex<[ConfinedPath: Folder]>([:])
  /// The largest number of folders that stay open.
  private static let most = 64

  /// The file at a path, in its folder.
  ///
  /// - Parameters:
  ///   - path: where the file is.
  ///   - mode: the permission bits of folders that are made if they are missing; `nil` makes none.
  /// - Throws: `FileError` as ``FileLocation/located()``.
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
  /// The folder that holds `path`; the root itself for a path in the root.
  public static func parent(_ path: ConfinedPath) -> ConfinedPath {
    ConfinedPath(root: path.root, parent(path.relative))
  }

  /// The last component of `path`.
  public static func name(_ path: ConfinedPath) -> String { name(path.text) }

  /// Puts the relative `path` after `folder`.
  public static func join(_ folder: ConfinedPath, _ path: String) -> ConfinedPath {
    ConfinedPath(root: folder.root, join(folder.relative, path))
  }
}
