#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Makes sure that a path below the library's root stays below it: no folder on the way may be a
/// symbolic link.
public struct PathGuard: Sendable {
  /// The folder that nothing may leave.
  public let root: String
  private var checked: Set<String> = []

  /// A guard for what lies below `root`, an absolute path.
  public init(root: String) {
    self.root = root
    checked = [root]
  }

  /// Checks the folders between the root and the file at `path`.
  ///
  /// - Throws: `FileError`: ELOOP where one is a symbolic link, ENOTDIR where one is a file, ENOENT
  ///   where one is missing, EXDEV where `path` is not below the root.
  public mutating func check(above path: String) throws(FileError) {
    try walk(Path.parent(path), making: false)
  }

  /// Does the same and makes the folders that are missing; their names reach the disk.
  ///
  /// - Throws: `FileError` as ``check(above:)``, and where a folder cannot be made.
  public mutating func makeFolders(above path: String) throws(FileError) {
    try walk(Path.parent(path), making: true)
  }

  private mutating func walk(_ folder: String, making: Bool) throws(FileError) {
    if checked.contains(folder) { return }
    guard let relative = Path.relative(folder, to: root) else {
      throw FileError(.read, path: folder, code: EXDEV)
    }
    var current = root
    // By bytes, as the system sees it: a slash with a combining mark behind it is a slash.
    for component in relative.utf8.split(separator: UInt8(ascii: "/")) {
      guard !component.elementsEqual("..".utf8), !component.elementsEqual(".".utf8) else {
        throw FileError(.read, path: folder, code: EXDEV)
      }
      let parent = current
      current += "/" + String(Substring(component))
      if checked.contains(current) { continue }
      switch try FileSystem.status(current)?.type {
      case .folder: break
      case .link: throw FileError(.read, path: current, code: ELOOP)
      case .regular, .other: throw FileError(.read, path: current, code: ENOTDIR)
      case nil where making:
        try FileSystem.makeFolder(current)
        try FileSystem.flushFolder(parent)
      case nil: throw FileError(.read, path: current, code: ENOENT)
      }
      checked.insert(current)
    }
  }
}
