import JSONText
import StoryLibrary

/// The server's records, kept in a file instead of in memory until they are needed.
///
/// The file is in `.stories/` and is removed at the end; it need not survive a crash.
final class Spool: Sendable {
  /// The bytes of a record in the file.
  typealias Location = Range<Int>

  /// The maximum number of bytes: a quarter of the free disk space, and at most ``maximum``.
  let limit: UInt64
  /// 8 GiB: 40 KiB for each of the 200,000 records that a library is designed for.
  static let maximum: UInt64 = 8 << 30
  private let path: ConfinedPath
  private let log: AppendLog

  /// Creates an empty spool.
  ///
  /// - Parameter free: the number of free bytes on the disk, or `nil` to ask the system.
  init(_ library: Library, free: UInt64? = nil) throws {
    try library.prepareStateFolder()
    limit = min((free ?? FileSystem.freeSpace(library.statePath().text)) / 4, Self.maximum)
    path = library.statePath("spool")
    log = try AppendLog(path, isEmptied: true)
  }

  deinit { try? FileSystem.remove(path) }

  /// Whether the limit is reached because the disk is full, whatever the server sends.
  var isDiskFull: Bool {
    isFull && limit < Self.maximum && FileSystem.freeSpace(path.text) < Self.leastSpace
  }

  /// The free disk space in bytes below which a full spool is not the server's fault.
  private static let leastSpace: UInt64 = 64 << 20

  var isFull: Bool { UInt64(log.end) >= limit }

  /// Appends records in one write; returns their locations in the same order.
  func append(_ records: [RemoteRecord]) throws(FileError) -> [Location] {
    if isDiskFull { throw .diskFull(path.text) }
    let end = log.end
    var bytes: [UInt8] = []
    let locations = records.map { record -> Location in
      let start = end + bytes.count
      bytes += JSONValue.object(record.wire).compactBytes
      return start..<end + bytes.count
    }
    try log.append(bytes)
    return locations
  }

  func record(_ kind: EntityKind, at location: Location) throws -> RemoteRecord {
    let value = try JSONValue(parsing: log.read(location))
    return try RemoteRecord(kind: kind, wire: value.object ?? JSONObject())
  }
}
