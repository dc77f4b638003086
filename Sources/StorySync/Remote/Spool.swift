import JSONText
import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The server's records, kept in a file instead of in memory until they are needed.
///
/// The file is in `.stories/` and is removed at the end; it need not survive a crash.
final class Spool: Sendable {
  struct Location: Sendable, Hashable {
    var offset: UInt64
    var length: UInt32
  }

  /// The maximum number of bytes: a quarter of the free disk space, and at most ``maximum``.
  let limit: UInt64
  /// 8 GiB: 40 KiB for each of the 200,000 records that a library is designed for.
  static let maximum: UInt64 = 8 << 30
  private let path: ConfinedPath
  private let descriptor: Int32

  /// Creates an empty spool.
  ///
  /// - Parameter free: the number of free bytes on the disk, or `nil` to ask the system.
  init(_ library: Library, free: UInt64? = nil) throws {
    try library.prepareStateFolder()
    limit = min((free ?? FileSystem.freeSpace(library.statePath().text)) / 4, Self.maximum)
    path = library.statePath("spool")
    descriptor = try FileSystem.open(path, O_RDWR | O_CREAT | O_TRUNC)
  }

  deinit {
    close(descriptor)
    try? FileSystem.remove(path)
  }

  /// Whether the limit is reached because the disk is full, whatever the server sends.
  var isDiskFull: Bool {
    isFull && limit < Self.maximum && FileSystem.freeSpace(path.text) < Self.leastSpace
  }

  /// The free disk space in bytes below which a full spool is not the server's fault.
  private static let leastSpace: UInt64 = 64 << 20

  var isFull: Bool { lseek(descriptor, 0, SEEK_END) >= off_t(clamping: limit) }

  /// Appends records in one write; returns their locations in the same order.
  func append(_ records: [RemoteRecord]) throws(FileError) -> [Location] {
    if isDiskFull { throw FileError(.write, path: path.text, code: ENOSPC) }
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else { throw FileError(.write, path: path.text, code: errno) }
    var bytes: [UInt8] = []
    var locations: [Location] = []
    for record in records {
      let text = JSONValue.object(record.wire).compactBytes
      locations.append(
        Location(offset: UInt64(end) + UInt64(bytes.count), length: UInt32(text.count)))
      bytes += text
    }
    let code = bytes.withUnsafeBytes { FileSystem.writeAll($0, to: descriptor, at: Int(end)) }
    guard code == 0 else { throw FileError(.write, path: path.text, code: code) }
    return locations
  }

  func record(_ kind: EntityKind, at location: Location) throws -> RemoteRecord {
    var bytes = [UInt8](repeating: 0, count: Int(location.length))
    let count = bytes.withUnsafeMutableBytes {
      pread(descriptor, $0.baseAddress, $0.count, off_t(location.offset))
    }
    guard count == bytes.count else { throw FileError(.read, path: path.text, code: EIO) }
    return try RemoteRecord(kind: kind, wire: JSONValue(parsing: bytes).object ?? JSONObject())
  }
}
