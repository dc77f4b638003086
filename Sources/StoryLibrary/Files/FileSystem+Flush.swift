import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Flushing to disk.
extension FileSystem {
  /// Flushes the names in a folder to disk.
  ///
  /// - Throws: `FileError`.
  public static func flushFolder(_ location: some FileLocation) throws(FileError) {
    let folder = try Folder(listing: location)
    // Some file systems cannot flush folders and return EINVAL; they keep names in order anyway.
    guard fsync(folder.descriptor) == 0 || errno == EINVAL else {
      throw .last(.flush, folder.path)
    }
  }

  /// Flushes the names in the folder that contains a file.
  static func flushFolder(above file: LocatedFile) throws(FileError) {
    try flushFolder(file.sibling("."))
  }

  /// Flushes a file's content to disk.
  ///
  /// - Throws: `FileError`.
  static func flush(_ file: LocatedFile) throws(FileError) {
    let descriptor = try open(file, O_RDONLY, for: .flush)
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .last(.flush, file.path) }
  }

  /// Flushes the file system that contains `folder`. Returns `false` if there is no call for that.
  static func flushFileSystem(of folder: String) throws(FileError) -> Bool {
    #if canImport(Darwin)
      return false
    #else
      let descriptor = openat(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .last(.flush, folder) }
      defer { close(descriptor) }
      guard stories_syncfs(descriptor) == 0 else { throw .last(.flush, folder) }
      return true
    #endif
  }
}
