package import JSONText

/// Reads records and sidecars of a scan for display.
package struct RecordReader: Sendable {
  package let library: Library
  package let references: ReferenceTable

  package init(library: Library, references: ReferenceTable) {
    self.library = library
    self.references = references
  }

  /// Returns the record's file.
  ///
  /// - Throws: `Problem` if its text is not a valid record; `FileError`.
  package func file(_ ref: RecordRef) throws -> RecordFile {
    let bytes = try FileSystem.read(library.path(ref.path), limit: JSONDocument.maximumSize)
    return try RecordFile(ref: ref, bytes: bytes)
  }

  /// Returns the record's sidecar, or `nil` if it does not exist or cannot be read.
  package func sidecar(of entry: ScanEntry) -> Sidecar? {
    entry.id == nil ? nil : try? library.sidecar(of: entry)
  }

  /// Returns a record's content, with names instead of ids.
  ///
  /// For a missing record this is its sidecar's base. `nil` if nothing can be read.
  package func content(of entry: ScanEntry) -> RecordContent? {
    content(of: entry, sidecar: sidecar(of: entry))
  }

  /// Does the same with a sidecar that was read before.
  package func content(of entry: ScanEntry, sidecar: Sidecar?) -> RecordContent? {
    guard entry.hasRecord else {
      return sidecar.map { RecordContent($0.base, refs: $0.refs, references: references) }
    }
    guard let file = try? library.file(entry.ref) else { return nil }
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

/// The editable fields of a record for display: references by name, the rest as on the wire.
package struct RecordContent: Sendable {
  package private(set) var values: FieldValues

  /// Creates content from values in wire form, with the current or former names of references.
  package init(_ wire: FieldValues, refs: JSONObject, references: ReferenceTable) {
    values = wire
    for field in wire.kind.schema.fields {
      guard let kind = field.referencedKind, let id = wire[field]?.string else { continue }
      let name = references.name(of: kind, id: id) ?? refs[field.key]?.string
      if let name { values[field] = .string(name) }
    }
  }

  /// A field's value, or the meaning of its absence.
  package subscript(field: Field) -> JSONValue {
    get { values.effective(field) }
    set { values[field] = newValue }
  }

  package subscript(key: String) -> JSONValue {
    values.kind.schema.field(key: key).map { self[$0] } ?? .null
  }

  /// The name or title, or `nil`.
  package var title: String? { values.title }
}
