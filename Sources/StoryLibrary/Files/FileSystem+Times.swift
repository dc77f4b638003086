#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileSystem {
  /// Sets the modification time of a file without following links.
  ///
  /// - Parameters:
  ///   - location: The file.
  ///   - modified: Nanoseconds since 1970 (UTC), as in ``Status/modified``.
  /// - Throws: `FileError`.
  public static func setModified(
    _ location: some FileLocation, _ modified: Int
  ) throws(FileError) {
    let file = try location.located()
    let (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(tv_sec: seconds, tv_nsec: rest)
    let times = [time, time]
    guard utimensat(file.folder.descriptor, file.name, times, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw .last(.write, file.path)
    }
  }
}
