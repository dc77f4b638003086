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
  public static func flushFolder(_ location: some FileLocation) throws(FileError) {
    let folder = try Folder(listing: location)
    // Some file systems cannot flush a folder and say EINVAL; they keep names in order by themselves.
    guard fsync(folder.descriptor) == 0 || errno == EINVAL else {
      throw .last(.flush, folder.path)
    }
  }

  /// Makes sure that the names in the folder that holds a file have reached the disk.
  static func flushFolder(above file: LocatedFile) throws(FileError) {
    try flushFolder(file.sibling("."))
  }

  /// Makes sure that a file's content has reached the disk.
  ///
  /// - Throws: `FileError`.
  static func flush(_ file: LocatedFile) throws(FileError) {
    let descriptor = try open(file, O_RDONLY, for: .flush)
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .last(.flush, file.path) }
  }

  /// Flushes all that was written to the file system of `folder`; `false` where the system cannot
  /// do it in one call.
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
