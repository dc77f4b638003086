import JSONText
import StoryLibrary

struct RecordDiff: Sendable {
  struct FieldChange: Sendable {
    var field: Field
    var base: JSONValue
    var local: JSONValue
    /// The server's value if the field is in conflict, or was changed in a record deleted locally.
    var server: JSONValue?
  }

  var entry: ScanEntry
  /// The changed fields in schema order; all fields of a new or deleted record.
  var changes: [FieldChange]

  /// Creates the difference of one record; `nil` if it does not exist or cannot be read.
  init?(_ entry: ScanEntry, _ reader: RecordReader) {
    self.entry = entry
    let content = reader.content(of: entry)
    let schema = entry.ref.kind.schema
    switch entry.state {
    case .pendingCreate:
      guard let content else { return nil }
      changes = schema.fields.filter { content.values[$0]?.isNull == false }.map {
        FieldChange(field: $0, base: .null, local: content[$0])
      }
    case .pendingDelete:
      guard let content else { return nil }
      changes = schema.fields.filter { content[$0] != $0.absentValue }.map {
        FieldChange(field: $0, base: content[$0], local: .null)
      }
    case .pendingUpdate, .conflict, .synced, .duplicateId:
      guard let sidecar = reader.sidecar(of: entry) else { return nil }
      let base = RecordContent(sidecar.base, refs: sidecar.refs, references: reader.references)
      var conflicts: [String: Sidecar.FieldConflict] = [:]
      // A record that is back locally is no conflict any more.
      let open = entry.conflict == nil ? [] : sidecar.fieldConflicts
      for field in open { conflicts[field.wireKey] = field }
      let changed = Set(entry.changedFields)
      changes = schema.fields.compactMap { field in
        let conflict = conflicts[field.wireKey]
        guard changed.contains(field) || conflict != nil else { return nil }
        func named(_ value: JSONValue) -> JSONValue {
          var values = FieldValues(kind: entry.ref.kind)
          values[field] = value
          return RecordContent(values, refs: JSONObject(), references: reader.references)[field]
        }
        return FieldChange(
          field: field, base: conflict.map { named($0.base) } ?? base[field],
          local: entry.conflict == .deletedLocally ? .null : content.map { $0[field] } ?? .null,
          server: conflict.map { named($0.server) })
      }
      if changes.isEmpty, entry.formerName == nil, entry.conflict == nil { return nil }
    case .unreadable, .notCheckedOut, .draft, .missing: return nil
    }
  }
}

extension RecordDiff: MemberEncodable {
  var members: Members {
    [
      "ref": entry.ref, "state": entry.state, "code": StatusCode(entry),
      "from": Omitted(entry.formerName), "changes": changes,
    ]
  }
}

extension RecordDiff.FieldChange: MemberEncodable {
  /// The change; long text is an array of lines, as in files.
  var members: Members {
    [
      "field": field.key, "base": fileValue(base), "local": fileValue(local),
      "server": Omitted(server.map(fileValue)),
    ]
  }

  private func fileValue(_ value: JSONValue) -> JSONValue {
    guard field.shape == .lines, let text = value.string else { return value }
    return JSONValue(encoding: RecordFile.lines(of: text))
  }
}
