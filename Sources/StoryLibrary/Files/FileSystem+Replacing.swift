import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What replacing a file atomically needs.
extension FileSystem {
  /// Renames a file to a name that is not in use.
  ///
  /// - Throws: `FileError`, with EEXIST if the name is in use.
  public static func renameIfAbsent(
    _ from: some FileLocation, to: some FileLocation
  ) throws(FileError) {
    let (from, to) = (try from.located(), try to.located())
    let (old, new) = (from.folder.descriptor, to.folder.descriptor)
    #if canImport(Darwin)
      let result = renameatx_np(old, from.name, new, to.name, UInt32(RENAME_EXCL))
    #else
      let result = stories_renameat2(old, from.name, new, to.name, STORIES_RENAME_NOREPLACE)
    #endif
    if result == 0 { return }
    guard isUnsupported(errno) else { throw .last(.rename, to.path) }
    // A hard link also fails if the name is in use, but not every file system supports links.
    if linkat(old, from.name, new, to.name, 0) == 0 { return try remove(from) }
    guard errno != EEXIST, errno != ENOENT else { throw .last(.rename, to.path) }
    guard try status(to) == nil else { throw .nameInUse(to.path) }
    try rename(from, to: to)
  }

  /// Swaps two names atomically.
  ///
  /// - Returns: `false` if the system does not support it; nothing has changed in that case.
  /// - Throws: `FileError`, with ENOENT if either is missing.
  static func exchange(
    _ left: some FileLocation, _ right: some FileLocation
  ) throws(FileError) -> Bool {
    let (left, right) = (try left.located(), try right.located())
    let folders = (left.folder.descriptor, right.folder.descriptor)
    #if canImport(Darwin)
      let result = renameatx_np(folders.0, left.name, folders.1, right.name, UInt32(RENAME_SWAP))
    #else
      let result = stories_renameat2(
        folders.0, left.name, folders.1, right.name, STORIES_RENAME_EXCHANGE)
    #endif
    if result == 0 { return true }
    if isUnsupported(errno) { return false }
    throw .last(.rename, right.path)
  }

  /// Returns whether any program has a file open for writing.
  ///
  /// An editor that writes in place truncates the file and writes it a moment later. What it writes
  /// would be lost if the file were removed in between. `false` if that cannot be determined: on other
  /// systems than Linux, on file systems without leases or whose server has them, and for files of other
  /// users.
  static func isBeingWritten(_ file: LocatedFile) -> Bool {
    #if canImport(Darwin)
      return false
    #else
      return stories_has_writer(file.folder.descriptor, file.name) != 0
    #endif
  }

  private static func isUnsupported(_ code: Int32) -> Bool {
    [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(code)
  }

  // MARK: Flushing

  /// Flushes the names in a folder to disk.
  ///
  /// - Throws: `FileError`.
  public static func flushFolder(_ location: some FileLocation) throws(FileError) {
    let folder = try Folder(listing: location)
    // Some file systems cannot flush folders; they keep names in order anyway.
    guard fsync(folder.descriptor) == 0 || isUnsupported(errno) || errno == EBADF else {
      throw .last(.flush, folder.path)
    }
  }

  static func flushFolder(above file: LocatedFile) throws(FileError) {
    try flushFolder(file.sibling("."))
  }

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
      if stories_syncfs(descriptor) == 0 { return true }
      guard isUnsupported(errno) else { throw .last(.flush, folder) }
      return false
    #endif
  }
}

extension LocatedFile {
  /// Returns whether the file that this one was to replace is missing because a crash cut the rename in two.
  ///
  /// exFAT, FAT and drivers in user space for them drop the old name first. On other file systems, and
  /// wherever names can be exchanged, somebody has removed or renamed the file since.
  func isOfCutRename(to file: LocatedFile) -> Bool {
    #if canImport(Darwin)
      return false
    #else
      guard !FileSystem.exists(file), stories_may_cut_renames(file.folder.descriptor) != 0
      else { return false }
      do throws(FileError) {
        let probe = file.sibling(try TemporaryName(new: nil, old: nil, for: file.path).text)
        close(try FileSystem.open(probe, O_WRONLY | O_CREAT))
        if try FileSystem.exchange(self, probe) {
          try FileSystem.rename(probe, to: self)
          return false
        }
        try FileSystem.remove(probe)
        return true
      } catch {
        return false
      }
    #endif
  }
}
