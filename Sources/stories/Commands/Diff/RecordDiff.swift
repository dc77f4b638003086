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

extension RecordDiff {
  func write(to output: Output) {
    output.line(heading)
    writeSide(to: output)
  }

  /// Writes the changes below the side that made them.
  func writeSide(to output: Output) {
    if let side { output.line(Text("  \(side):", .faint)) }
    writeChanges(to: output)
  }

  /// The side whose changes these are, if the other one deleted the record.
  var side: String? {
    guard !changes.isEmpty else { return nil }
    return switch entry.conflict {
    case .deletedOnServer: "changed locally"
    case .deletedLocally: "changed on the server"
    case .fields, nil: nil
    }
  }

  func writeChanges(to output: Output) {
    let width = changes.map(\.field.key.count).max() ?? 0
    for change in changes {
      let lead = Text("  ") + Text(change.field.key).padded(to: width + 2)
      write(change, lead: lead, to: output)
    }
  }

  private var heading: Text { Text(entry.ref.description, .strong) + "  " + kind }

  var kind: Text {
    let code = StatusCode(entry)
    var text = Text("")
    switch entry.state {
    case .pendingCreate: text.append("new", code.style)
    case .pendingDelete: text.append("deleted", code.style)
    case .conflict: text.append((entry.conflict ?? .fields).words, code.style)
    default:
      text.append(
        changes.isEmpty ? "renamed" : entry.formerName == nil ? "edited" : "renamed and edited",
        code.style)
    }
    if let old = entry.formerName { text += ", was \(old)" }
    return text
  }

  private func write(_ change: FieldChange, lead: Text, to output: Output) {
    if let server = change.server, entry.conflict != .deletedLocally {
      output.wrapped("in conflict", lead: lead)
      let inner = Text("").padded(to: 6)
      for (name, value, style) in [
        ("base", change.base, Style.faint), ("local", change.local, .added),
        ("server", server, .removed),
      ] {
        let all = [change.base, change.local, server]
        let text = Text(Self.short(value, change.field, among: all), style)
        output.wrapped(text, lead: inner + Text(name).padded(to: 8))
      }
      return
    }
    switch content(of: change, inColour: output.usesColour) {
    case .value(let text): output.wrapped(text, lead: lead)
    case .lines(let diff):
      output.line(lead + Self.counts(of: diff))
      for hunk in diff.hunks { Self.write(hunk, to: output) }
    }
  }

  /// The difference of a field that is not in conflict.
  enum Content {
    /// A value, or both with their differences.
    case value(Text)
    case lines(LineDiff)
  }

  /// Returns what to show of a field that is not in conflict.
  ///
  /// - Parameter inColour: Whether styles tell removed words from added ones.
  func content(of change: FieldChange, inColour: Bool) -> Content {
    let new = entry.conflict == .deletedLocally ? change.server ?? .null : change.local
    switch (entry.state, change.base, new) {
    case (.pendingCreate, _, _): return .value(Text(Self.short(new, change.field), .added))
    case (.pendingDelete, _, _):
      return .value(Text(Self.short(change.base, change.field), .removed))
    case (_, .string(let old), .string(let new)) where change.field.shape == .lines:
      return .lines(LineDiff(from: old, to: new))
    case (_, .array(let old), .array(let new)): return .value(Self.elements(old, new))
    case (_, .string(let old), .string(let new)) where old.count + new.count > 60:
      let diff = WordDiff(from: old, to: new)
      guard diff.similarity >= LineDiff.leastSimilarity else { fallthrough }
      return .value(diff.text(inColour: inColour))
    default:
      let old = Text(Self.short(change.base, change.field), .removed)
      return .value(old + " → " + Text(Self.short(new, change.field), .added))
    }
  }

  // MARK: Values

  /// `+3 -1 lines`.
  static func counts(of diff: LineDiff) -> Text {
    [Text("+\(diff.addedCount)", .added), Text("-\(diff.removedCount)", .removed)].joined(" ")
      + Text(diff.addedCount + diff.removedCount == 1 ? " line" : " lines", .faint)
  }

  private static func write(_ hunk: LineDiff.Hunk, to output: Output) {
    output.line(Text("    line \(hunk.line)", .faint))
    for line in hunk.lines {
      let lead = Text("").padded(to: 4)
      switch line {
      case .context(let text):
        let room = max(output.readingWidth - 6, 20)
        output.line(lead + "  " + Text(text, .faint).truncated(to: room))
      case .removed(let text):
        output.wrapped(Text(text, .removed), lead: lead + Text("- ", .removed))
      case .added(let text): output.wrapped(Text(text, .added), lead: lead + Text("+ ", .added))
      case .changed(let diff):
        output.wrapped(diff.text(inColour: output.usesColour), lead: lead + Text("~ ", .changed))
      }
    }
  }

  /// Returns the added and removed elements, or the note that only their order differs.
  static func elements(_ old: [JSONValue], _ new: [JSONValue]) -> Text {
    var surplus: [JSONValue: Int] = [:]
    for element in new { surplus[element, default: 0] += 1 }
    for element in old { surplus[element, default: 0] -= 1 }
    func taken(_ elements: [JSONValue], _ sign: Int) -> [JSONValue] {
      // Of equal elements the last ones are surplus.
      Array(
        elements.reversed().filter { element in
          guard let count = surplus[element], count * sign > 0 else { return false }
          surplus[element] = count - sign
          return true
        }.reversed())
    }
    let (come, gone) = (taken(new, 1), taken(old, -1))
    guard !gone.isEmpty || !come.isEmpty else { return "in another order" }
    let parts =
      come.map { Text("+ \(quoted($0))", .added) } + gone.map { Text("- \(quoted($0))", .removed) }
    return parts.joined("  ")
  }

  private static func quoted(_ value: JSONValue) -> String {
    value.string.map { "“\($0)”" } ?? value.compactText
  }

  /// Returns a short form of a value; for long text its size, and its start or the first line that differs
  /// from another version.
  static func short(
    _ value: JSONValue, _ field: Field, among versions: [JSONValue] = []
  ) -> String {
    switch value {
    case .null: return "nothing"
    case .string(let text) where field.shape == .lines:
      let lines = RecordFile.lines(of: text)
      let others = versions.compactMap { $0.string.map(RecordFile.lines) }
      let place = lines.indices.first { index in
        others.contains { index >= $0.count || ExactName($0[index]) != ExactName(lines[index]) }
      }
      let filled = lines.filter { !$0.isEmpty }
      let words = text.split { $0 == " " || $0 == "\n" }.count
      var (lead, start) = (":", filled.first ?? "")
      if let place, !lines[place].isEmpty { (lead, start) = ("; line \(place + 1):", lines[place]) }
      return "\(Phrases.count(filled.count, "line")), \(Phrases.count(words, "word"))\(lead)"
        + " “\(Text(start).truncated(to: 48).plain)”"
    case .string(let text): return "“\(text)”"
    case .array(let elements): return elements.map(quoted).joined(separator: ", ")
    default: return value.compactText
    }
  }
}
