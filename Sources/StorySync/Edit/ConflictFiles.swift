import JSONText
public import StoryLibrary
import StoryMerge

/// The versions of a record in conflict as whole files, for a merge tool.
///
/// All are made from the local file, so they differ only in the fields in conflict.
public struct ConflictFiles: Sendable {
  /// The base version.
  public let base: [UInt8]
  /// The local file.
  public let local: [UInt8]
  /// The server's version.
  public let server: [UInt8]
  /// The versions merged by lines, with git's conflict markers, as a starting point for a tool. It
  /// is not JSON while a marker is left.
  public let marked: [UInt8]
  /// The digest of the record's file, from which the versions were made.
  public let replaced: ContentDigest

  /// Creates the versions of a conflict.
  ///
  /// - Parameters:
  ///   - conflict: the conflict, which has fields in conflict.
  ///   - keys: the fields to merge, by their keys in the record, or `nil` for all.
  ///   - library: the record's library.
  ///   - references: the names and ids of the library.
  /// - Throws: `Problem` if the record or its sidecar cannot be read.
  public init(
    _ conflict: ConflictResolver.Conflict, fields keys: [String]? = nil, in library: Library,
    references: ReferenceTable
  ) throws {
    local = try library.read(conflict.ref.path)
    replaced = ContentDigest(local)
    let file = try RecordFile(ref: conflict.ref, bytes: local)
    let sidecar = try? library.sidecar(at: conflict.place)
    var before = file.reading(references: references, sidecar: sidecar).values
    if let sidecar { before = before.completed(from: sidecar.base) }
    var remote = before
    for item in conflict.fields where keys?.contains(item.field.key) ?? true {
      before[item.field] = item.base
      remote[item.field] = item.server
    }
    let kept = conflict.ref.kind.schema.fields.filter { field in
      !conflict.fields.contains { $0.field == field }
    }
    func version(_ values: FieldValues) throws -> [UInt8] {
      try file.updated(to: values, keeping: kept, references: references, sidecar: sidecar).bytes
    }
    (base, server) = (try version(before), try version(remote))
    let lines = [base, local, server].map {
      RecordFile.lines(of: String(decoding: $0, as: UTF8.self))
    }
    let regions = LineMerge.regions(
      base: lines[0], local: lines[1], remote: lines[2], isProse: false)
    marked = Array(
      MarkedText(size: MarkedText.usualSize).lines(regions).joined(separator: "\n").utf8)
  }

  /// Creates the versions of a record with git's conflict markers.
  ///
  /// - Throws: `Problem` if a version cannot be read by itself, `JSONEditError`.
  public init(_ record: ConflictResolver.MarkedRecord) throws {
    let merge = try record.merge.get()
    base = try merge.base()
    local = try merge.outcome { _ in .local }.bytes
    server = try merge.outcome { _ in .server }.bytes
    marked = try merge.outcome { _ in nil }.bytes
    replaced = ContentDigest(merge.bytes)
  }
}
