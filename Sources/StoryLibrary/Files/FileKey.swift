#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What tells a file from every other content that its name may have had, without reading it.
///
/// A file that was written, replaced or moved here has another key: a program can set the time of
/// the last change of content back, but not that of the last change of status, which the system sets
/// itself. Within one tick of the file system's clock a file can change and keep its key; see
/// ``ScanIndex``.
struct FileKey: Sendable, Hashable, BitwiseCopyable {
  /// The size in bytes.
  var size: Int64
  /// The time of the last change of content, in nanoseconds since 1970 (UTC).
  var modified: Int64
  /// The time of the last change of content or status, in nanoseconds since 1970 (UTC).
  var changed: Int64
  /// The file's number on its device.
  var inode: UInt64
  /// The device.
  var device: UInt64

  init(_ status: stat) {
    #if canImport(Darwin)
      let (modification, change) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modification, change) = (status.st_mtim, status.st_ctim)
    #endif
    size = Int64(status.st_size)
    modified = Int64(modification.tv_sec) &* 1_000_000_000 &+ Int64(modification.tv_nsec)
    changed = Int64(change.tv_sec) &* 1_000_000_000 &+ Int64(change.tv_nsec)
    inode = UInt64(status.st_ino)
    device = UInt64(truncatingIfNeeded: status.st_dev)
  }
}
