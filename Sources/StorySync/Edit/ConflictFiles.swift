import JSONText
public import StoryLibrary
import StoryMerge

/// The versions of a record in conflict as whole files, for a merge tool.
///
/// All four are made from the file here, so they differ in the fields in conflict alone.
public struct ConflictFiles: Sendable {
  /// What both sides started from.
  public let base: [UInt8]
  /// The file here.
  public let local: [UInt8]
  /// The server's values.
  public let server: [UInt8]
  /// The versions line by line, with git's conflict markers where they clash: what a tool starts
  /// from. It is no JSON while a marker is left.
  public let marked: [UInt8]

  /// The versions of a conflict.
  ///
  /// - Parameters:
  ///   - conflict: the conflict, whose record has fields in conflict.
  ///   - keys: the fields that are merged, by their key in the record; `nil` for all.
  ///   - library: the library that the record is in.
  ///   - references: the names and ids of the library.
  /// - Throws: `Problem` where the record or its sidecar cannot be read.
  public init(
    _ conflict: ConflictResolver.Conflict, fields keys: [String]? = nil, in library: Library,
    references: ReferenceTable
  ) throws {
    let files = LibraryFiles(library: library)
    local = try files.read(conflict.ref.path)
    let file = try RecordFile(ref: conflict.ref, bytes: local)
    let sidecar = try? files.sidecar(of: conflict.ref, at: conflict.place)
    var before = file.reading(references: references, sidecar: sidecar).values
    if let sidecar { before = before.completed(from: sidecar.base) }
    var there = before
    for item in conflict.fields where keys?.contains(item.field.key) ?? true {
      before[item.field] = item.base
      there[item.field] = item.server
    }
    let kept = conflict.ref.kind.schema.fields.filter { field in
      !conflict.fields.contains { $0.field == field }
    }
    base = try file.updated(
      to: before, keeping: kept, references: references, sidecar: sidecar
    ).bytes
    server = try file.updated(
      to: there, keeping: kept, references: references, sidecar: sidecar
    ).bytes
    let lines = [base, local, server].map {
      RecordFile.lines(of: String(decoding: $0, as: UTF8.self))
    }
    let regions = LineMerge.regions(base: lines[0], local: lines[1], remote: lines[2])
    marked = Array(
      MarkedText(size: MarkedText.usualSize).lines(regions).joined(separator: "\n").utf8)
  }
}
