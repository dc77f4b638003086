import JSONText
import StoryLibrary
import StoryMerge
import StorySync

/// What became of a record that a person edited.
struct EditOutcome {
  var isChanged = false
  var problems: [Problem] = []
  /// Whether the problems were shown when the person was asked.
  var areShown = false
  /// The file with a text that was not written back or may still be open, or `nil`.
  var kept: String?
  /// Whether that file may still be open in the editor.
  var isOpen = false

  var hasErrors: Bool { problems.contains { $0.severity == .error } }
}

/// A story that a person edits as Markdown, in a temporary file.
struct StoryTextEdit: Sendable {
  let opened: OpenLibrary
  let ref: RecordRef

  private var context: Context { opened.context }
  private var library: Library { opened.library }

  /// Opens the text and writes back what changed, once or until the person gives up.
  ///
  /// - Throws: `ProgramError`, `EditingError`, `EditError`, `FileError`, `Problem` if the record
  ///   cannot be read. Text that was not written back stays in its file.
  func run() throws -> EditOutcome {
    try library.checkWritable()
    // Such a text could not be written back.
    try OpenRecords(library).check([ref])
    let before = try StoryText(opened.reader.file(ref))
    let original = before.bytes
    guard try StoryText(parsing: original, file: ref.path) == before else {
      throw TransferError.doesNotReadBack(ref)
    }
    var text = try EditedText(context, name: Path.name(ref.name) + ".md")
    let source = Path.relative(text.path, to: library.root) ?? text.path
    do {
      var bytes = original
      var line: Int?
      while true {
        bytes = try text.edit(bytes, line: line)
        guard bytes != original else {
          let kept = text.keep(unlessItIs: original)
          return EditOutcome(kept: kept, isOpen: kept != nil)
        }
        var outcome = try apply(bytes, over: before, source: source)
        guard let first = outcome.problems.first(where: { $0.severity == .error }) else {
          text.remove()
          return outcome
        }
        guard try context.editsAgain(after: outcome.problems, in: library) else {
          outcome.kept = text.keep(unlessItIs: original)
          outcome.areShown = context.isInteractive
          return outcome
        }
        line = first.file == source ? first.position?.line : nil
      }
    } catch {
      if let path = text.keep(unlessItIs: original) {
        context.note("Your text was kept in \(context.shown(path))")
      }
      throw error
    }
  }

  private func apply(
    _ bytes: [UInt8], over before: StoryText, source: String
  ) throws -> EditOutcome {
    var text: StoryText
    do {
      text = try StoryText(parsing: bytes, file: source)
    } catch {
      return EditOutcome(problems: [error])
    }
    text.completeTitle(fallback: nil)
    text.removeBlankEnds(addedTo: before)
    let problems =
      text.warnings.map(refusingIfMisspelt) + (try errors(of: text, over: before, bytes, source))
    var outcome = EditOutcome(problems: problems)
    guard !outcome.hasErrors else { return outcome }
    try LibraryEditor(library, time: context.time).update(ref) { members in
      let old = members
      let values = try changes(from: before, to: text, over: members)
      ref.kind.schema.apply(values, to: &members)
      outcome.isChanged = members != old
    }
    return outcome
  }

  /// Makes an error of an unknown field that resembles a known one: the text does not set that one,
  /// so it would be removed.
  private func refusingIfMisspelt(_ warning: Problem) -> Problem {
    guard case .unknownField(let name, let nearest?, _) = warning.what else { return warning }
    return Problem(
      .unknownField(name, nearest: nearest, in: .draft), file: warning.file,
      position: warning.position)
  }

  /// Returns the errors of the record that the text makes, at their places in the text.
  private func errors(
    of text: StoryText, over before: StoryText, _ bytes: [UInt8], _ source: String
  ) throws -> [Problem] {
    var members = try opened.reader.file(ref).document.root.value.object ?? JSONObject()
    ref.kind.schema.apply(try changes(from: before, to: text, over: members), to: &members)
    let incoming = IncomingRecord(
      ref: ref, values: text.values, source: ImportSource(shown: source, bytes: bytes),
      offsets: text.offsets)
    // A text without prose states that there is none, below the front matter.
    return try incoming.errors(
      of: members, references: opened.scan.references,
      sidecar: opened.scan.entry(ref).flatMap(opened.reader.sidecar),
      isStated: { text.values[$0] != nil || $0 == "content" })
  }

  /// Returns the fields that the text changed, merged with what the file has become meanwhile.
  ///
  /// - Throws: `EditingError.changedOnDisk` if both changed the same field.
  private func changes(
    from before: StoryText, to after: StoryText, over members: JSONObject
  ) throws -> JSONObject {
    let bytes = JSONValue.object(members).fileBytes()
    let current = try StoryText(try RecordFile(ref: ref, bytes: bytes))
    var values = JSONObject()
    var clashes: [String] = []
    for field in ref.kind.schema.fields {
      let (old, new) = (before.statement(of: field), after.statement(of: field))
      guard old != new else { continue }
      let now = current.statement(of: field)
      if now == new { continue }
      if now == old {
        values[new.key] = new.value
      } else if field.shape == .lines, let merged = Self.merge(old.value, new.value, now.value) {
        values[new.key] = .string(merged)
      } else {
        clashes.append(new.key)
      }
    }
    guard clashes.isEmpty else { throw EditingError.changedOnDisk(ref, fields: clashes) }
    return values
  }

  private static func merge(_ old: JSONValue, _ new: JSONValue, _ now: JSONValue) -> String? {
    func lines(_ value: JSONValue) -> [String] { RecordFile.lines(of: value.string ?? "") }
    return LineMerge.merge(base: lines(old), local: lines(new), remote: lines(now))?
      .joined(separator: "\n")
  }
}

extension StoryText {
  /// Returns the key and value of a field in the text; the value is null if the text does not set it.
  fileprivate func statement(of field: Field) -> (key: String, value: JSONValue) {
    if field.shape == .lines { return (field.key, .string(content ?? "")) }
    for key in field.keys {
      if let value = fields[key], !value.isNull { return (key, value) }
    }
    return (field.key, .null)
  }
}
