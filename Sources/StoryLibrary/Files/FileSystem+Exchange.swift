import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileSystem {
  /// Gives a file another name where nothing has that name yet.
  ///
  /// - Throws: `FileError`; EEXIST where something has.
  static func renameIfAbsent(_ from: String, to: String) throws(FileError) {
    #if canImport(Darwin)
      let result = renamex_np(from, to, UInt32(RENAME_EXCL))
    #else
      let result = stories_renameat2(from, to, STORIES_RENAME_NOREPLACE)
    #endif
    if result == 0 { return }
    guard isUnsupported(errno) else { throw .last(.rename, to) }
    // A hard link fails as well where the name is taken; not every file system has them.
    if link(from, to) == 0 {
      unlink(from)
      return
    }
    guard isUnsupported(errno) || errno == EPERM else { throw .last(.rename, to) }
    guard try status(to) == nil else { throw FileError(.rename, path: to, code: EEXIST) }
    try rename(from, to: to)
  }

  /// Swaps two names.
  ///
  /// - Returns: `false` where the system cannot; nothing has changed then.
  /// - Throws: `FileError`; ENOENT where one of the two is missing.
  static func exchange(_ left: String, _ right: String) throws(FileError) -> Bool {
    #if canImport(Darwin)
      let result = renamex_np(left, right, UInt32(RENAME_SWAP))
    #else
      let result = stories_renameat2(left, right, STORIES_RENAME_EXCHANGE)
    #endif
    if result == 0 { return true }
    if isUnsupported(errno) { return false }
    throw .last(.rename, right)
  }

  private static func isUnsupported(_ code: Int32) -> Bool {
    [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(code)
  }
}
