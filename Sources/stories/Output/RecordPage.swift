import JSONText
import StoryLibrary

/// One record laid out for reading: title, short fields, prose.
struct RecordPage: Sendable {
  let entry: ScanEntry
  let content: RecordContent
  let reader: RecordReader
  let made: ServerPart
  /// Whether to show fields that are not set, unknown ones, and all that the server keeps.
  var isComplete = false

  func write(to output: Output) {
    output.line(Text(content.title ?? entry.ref.name, .strong))
    output.line(subtitle)
    writeFields(to: output)
    for field in entry.ref.kind.schema.fields where field.shape == .lines {
      guard let text = content[field].string else { continue }
      output.line()
      for line in Text.lines(ofProse: text, width: output.proseWidth) { output.line(line) }
    }
  }

  private var subtitle: Text {
    var text = Text(entry.ref.description, .faint)
    let code = StatusCode(entry)
    switch entry.state {
    case .synced, .notCheckedOut, .unreadable: break
    case .pendingCreate: text += Text(" · new", code.style)
    case .draft: text += Text(" · draft", code.style)
    case .pendingUpdate: text += Text(" · edited", code.style)
    case .pendingDelete: text += Text(" · deleted locally", code.style)
    case .missing: text += Text(" · missing locally", code.style)
    case .conflict: text += Text(" · in conflict", code.style)
    case .duplicateId: text += Text(" · has another record's id", code.style)
    }
    return text
  }

  private func writeFields(to output: Output) {
    let schema = entry.ref.kind.schema
    var rows: [(String, Text)] = []
    for field in schema.fields where field.shape != .lines && field.key != schema.titleKey {
      let value = content[field]
      if !value.isNull, isComplete || value != field.absentValue || field.key == "language" {
        rows.append((Self.label(field.key), text(of: value, field)))
      } else if isComplete {
        rows.append((Self.label(field.key), Text("not set", .faint)))
      }
    }
    rows += isComplete ? otherRows : madeRows
    guard !rows.isEmpty else { return }
    output.line()
    let width = rows.map(\.0.count).max() ?? 0
    for (label, text) in rows {
      output.wrapped(text, lead: Text(label, .faint).padded(to: width + 2))
    }
  }

  /// The avatar, narration and pictures that the server made.
  private var madeRows: [(String, Text)] {
    let rows = [
      ("Media", made.media), ("Created", ServerPart.day(made.madeAt)),
      ("Changed", made.changedAt == made.madeAt ? nil : ServerPart.day(made.changedAt)),
      ("Last read", ServerPart.day(made.readAt)),
    ]
    return rows.compactMap { label, text in text.flatMap { $0.isEmpty ? nil : (label, Text($0)) } }
  }

  /// The members of the file that are not fields, and everything that the server keeps.
  private var otherRows: [(String, Text)] {
    var rows: [(String, Text)] = []
    let known = Set(entry.ref.kind.schema.fields.flatMap(\.keys))
    for member in (try? reader.file(entry.ref))?.document.root.members ?? []
    where !known.contains(member.name) {
      rows.append((member.name, Text(member.value.string ?? member.value.value.compactText)))
    }
    if !made.media.isEmpty { rows.append(("Media", Text(made.media))) }
    guard let sidecar = made.sidecar else { return rows }
    rows.append(("Id", Text(sidecar.id)))
    rows.append(("Updated at", Text(sidecar.updatedAt)))
    for member in sidecar.server.members {
      let text = member.value.string ?? member.value.compactText
      rows.append(
        (Self.label(member.key), member.value.isNull ? Text("not set", .faint) : Text(text)))
    }
    return rows
  }

  private func text(of value: JSONValue, _ field: Field) -> Text {
    switch value {
    case .bool(let isTrue): return isTrue ? "yes" : "no"
    case .array(let elements):
      return Text(elements.map { $0.string ?? $0.compactText }.joined(separator: ", "))
    case .string(let name):
      guard let kind = field.referencedKind else { return Text(name) }
      let ref = RecordRef(kind: kind, name: name)
      guard let file = try? reader.file(ref),
        let title = file.document.root[kind.schema.titleKey]?.string
      else { return Text(name) }
      return Text(title) + Text(" (\(ref))", .faint)
    default: return Text(value.compactText)
    }
  }

  /// Returns `Special ability` for `specialAbility`.
  static func label(_ key: String) -> String {
    let label = key.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
    return label.prefix(1).uppercased() + label.dropFirst()
  }
}
