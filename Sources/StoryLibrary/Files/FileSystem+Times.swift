#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileSystem {
  /// Sets the time of the last change of content; a link is not followed.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - modified: nanoseconds since 1970 (UTC), as in ``Status/modified``.
  /// - Throws: `FileError`.
  public static func setModified(_ path: String, _ modified: Int) throws(FileError) {
    let (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(tv_sec: seconds, tv_nsec: rest)
    let times = [time, time]
    guard utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw .last(.write, path)
    }
  }
}
