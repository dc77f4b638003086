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

  /// What an index keeps of a key: a 64-bit sum, which is never 0. One file in 2^64 that changed has
  /// the sum it had.
  var sum: UInt64 {
    let sum = withUnsafeBytes(of: self) { xxHash64($0, seed: 0) }
    return sum == Self.noSum ? 1 : sum
  }

  /// What stands for a file that is not there.
  static let noSum: UInt64 = 0

  /// The key of a file that is not there.
  static let absent = FileKey(size: 0, modified: 0, changed: 0, inode: 0, device: 0)

  init(size: Int64, modified: Int64, changed: Int64, inode: UInt64, device: UInt64) {
    self.size = size
    self.modified = modified
    self.changed = changed
    self.inode = inode
    self.device = device
  }

  init(_ status: stat) {
    #if canImport(Darwin)
      let (modification, change) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modification, change) = (status.st_mtim, status.st_ctim)
    #endif
    self.init(
      size: Int64(status.st_size),
      modified: Int64(modification.tv_sec) &* 1_000_000_000 &+ Int64(modification.tv_nsec),
      changed: Int64(change.tv_sec) &* 1_000_000_000 &+ Int64(change.tv_nsec),
      inode: UInt64(status.st_ino), device: UInt64(truncatingIfNeeded: status.st_dev))
  }
}
