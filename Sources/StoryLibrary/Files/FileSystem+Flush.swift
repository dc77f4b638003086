import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Making sure that what was written has reached the disk.
extension FileSystem {
  /// Makes sure that the names in a folder have reached the disk.
  ///
  /// - Throws: `FileError`.
  public static func flushFolder(_ path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last(.flush, path) }
    defer { close(descriptor) }
    // Some file systems cannot flush a folder and say EINVAL; they keep names in order by themselves.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last(.flush, path) }
  }

  /// Makes sure that a file's content has reached the disk.
  ///
  /// - Throws: `FileError`.
  static func flush(_ path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .last(.flush, path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .last(.flush, path) }
  }

  /// Flushes all that was written to the file system of `folder`; `false` where the system cannot
  /// do it in one call.
  static func flushFileSystem(of folder: String) throws(FileError) -> Bool {
    #if canImport(Darwin)
      return false
    #else
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .last(.flush, folder) }
      defer { close(descriptor) }
      guard stories_syncfs(descriptor) == 0 else { throw .last(.flush, folder) }
      return true
    #endif
  }
}
