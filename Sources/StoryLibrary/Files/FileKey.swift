#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The metadata that identifies one version of a file without reading it.
///
/// Writing, replacing or moving a file changes its key. Programs can reset the modification time
/// but not the status change time, which only the system sets. A file that changes within one tick
/// of the file system's clock can keep its key; see ``ScanIndex``.
struct FileKey: Sendable, Hashable, BitwiseCopyable {
  /// The size in bytes.
  var size: Int64
  /// The modification time, in nanoseconds since 1970 (UTC).
  var modified: Int64
  /// The status change time, in nanoseconds since 1970 (UTC).
  var changed: Int64
  var inode: UInt64
  var device: UInt64

  /// The key of a missing file.
  static let missing = FileKey(stat())

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
