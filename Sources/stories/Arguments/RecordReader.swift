import JSONText
import StoryLibrary

/// Reads records and sidecars that a scan found, for showing them.
struct RecordReader: Sendable {
  let library: Library
  let references: ReferenceTable

  /// The record's file.
  ///
  /// - Throws: `Problem` where its text is no record; `FileError`.
  func file(of entry: ScanEntry) throws -> RecordFile {
    let bytes = try FileSystem.read(library.path(entry.ref.path), limit: JSONDocument.maximumSize)
    return try RecordFile(ref: entry.ref, bytes: bytes)
  }

  /// The record's sidecar; `nil` where it has none that can be read.
  func sidecar(of entry: ScanEntry) -> Sidecar? {
    guard entry.id != nil, let bytes = try? FileSystem.read(library.path(entry.sidecarPath)) else {
      return nil
    }
    return try? Sidecar(bytes: bytes, ref: entry.ref)
  }

  /// What a record says, with names where the wire has ids.
  ///
  /// For a record that is gone it is what the sidecar's base says; `nil` where nothing can be read.
  func content(of entry: ScanEntry) -> RecordContent? {
    let sidecar = sidecar(of: entry)
    guard entry.hasRecord else {
      return sidecar.map { RecordContent($0.base, refs: $0.refs, references: references) }
    }
    guard let file = try? file(of: entry) else { return nil }
    let reading = file.reading(references: references, sidecar: sidecar)
    var content = RecordContent(reading.values, refs: reading.refs, references: references)
    for target in reading.pending + reading.unknown {
      for field in entry.ref.kind.schema.fields where field.referencedKind == target.kind {
        content[field] = .string(target.name)
      }
    }
    for field in reading.malformed {
      for key in field.keys {
        if let node = file.document.root[key] { content[field] = node.value }
      }
    }
    return content
  }
}

/// The person's part of a record as people read it: references by name, the rest as on the wire.
struct RecordContent: Sendable {
  private(set) var values: FieldValues

  /// Values in wire form with the names that their references have here, or had.
  init(_ wire: FieldValues, refs: JSONObject, references: ReferenceTable) {
    values = wire
    for field in wire.kind.schema.fields {
      guard let kind = field.referencedKind, let id = wire[field]?.string else { continue }
      if let name = references.name(of: kind, id: id) {
        values[field] = .string(name)
      } else if let name = refs[field.key]?.string {
        values[field] = .string(name)
      }
    }
  }

  /// A field's value; what its absence means where it is absent.
  subscript(field: Field) -> JSONValue {
    get { values.effective(field) }
    set { values[field] = newValue }
  }

  /// A field's value by its key in the record.
  subscript(key: String) -> JSONValue {
    guard let index = values.kind.schema.fieldIndex(key: key) else { return .null }
    return self[values.kind.schema.fields[index]]
  }

  /// The name or title; `nil` where it has none.
  var title: String? { values.title }
}
