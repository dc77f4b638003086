import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A path of the server's data: no component after the root may be a symbolic link.
struct DataPath: Sendable {
  /// A plain path.
  var root: String
  /// The path below the root; empty for the root itself.
  var relative = ""

  /// The whole path.
  var text: String { relative.isEmpty ? root : root + "/" + relative }

  /// A path below this one.
  func appending(_ path: String) -> DataPath {
    DataPath(root: root, relative: relative.isEmpty ? path : relative + "/" + path)
  }
}

/// A folder of the server's data that is open, closed with the last reference to it.
///
/// Names in it are single ones, and no call follows a link.
final class OpenFolder: Sendable {
  let descriptor: Int32
  let path: DataPath

  /// Opens a folder, and makes it and those above it where they are missing (mode 0700).
  ///
  /// - Returns: `nil` with `errno` where that cannot be, such as for a symbolic link (ELOOP).
  init?(_ path: DataPath, making: Bool = false) {
    self.path = path
    let root = stories_open_root(path.root)
    guard root >= 0 else { return nil }
    var end = 0
    descriptor = stories_open_below(root, path.relative, making ? 0o700 : -1, &end)
    let code = errno
    close(root)
    errno = code
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Opens a file; -1 with `errno` where that cannot be. One that is made has mode 0600.
  func open(_ name: String, _ flags: Int32) -> Int32 {
    openat(descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  /// Removes a file; a link is removed and not followed.
  ///
  /// - Returns: whether it is gone because of that.
  @discardableResult
  func remove(_ name: String) -> Bool { unlinkat(descriptor, name, 0) == 0 }

  /// Gives a file another name, in this folder or another one, in place of what has it.
  ///
  /// - Returns: whether it has it.
  func rename(_ name: String, to other: String, in folder: OpenFolder? = nil) -> Bool {
    renameat(descriptor, name, (folder ?? self).descriptor, other) == 0
  }

  /// The size of a file in bytes; 0 if it is missing.
  func size(of name: String) -> Int {
    var status = stat()
    return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? Int(status.st_size) : 0
  }

  /// The names in the folder, without `.` and `..`.
  var names: [String] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return [] }
    guard let stream = fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes whatever has a name, with all that a folder holds.
  func removeTree(_ name: String) {
    if remove(name) { return }
    if let folder = OpenFolder(path.appending(name)) {
      for inner in folder.names { folder.removeTree(inner) }
    }
    unlinkat(descriptor, name, AT_REMOVEDIR)
  }
}
