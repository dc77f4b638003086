#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileSystem {
  /// Returns the number of bytes that this user may still write to the disk that contains `path`,
  /// or the maximum value if the system does not say.
  public static func freeSpace(_ path: String) -> UInt64 {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return .max }
    let (bytes, isTooLarge) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isTooLarge ? .max : bytes
  }
}
