import JSONText
import StoryLibrary
import StorySync

struct RecordDraft: Sendable {
  let kind: EntityKind
  let title: String
  /// The folder below the kind's own, or `nil` for the kind's own.
  let folder: String?
  /// The members other than the name or title, by their keys in a file.
  let members: JSONObject
  /// The text that members came from, or `nil`; errors in them are reported there.
  var source: IncomingRecord?

  /// Returns the record's name, made from its title.
  ///
  /// - Throws: `CommandError.badName` if the title is empty or the folder is invalid.
  fileprivate func ref() throws(CommandError) -> RecordRef {
    let noun = kind.schema.noun
    guard title.contains(where: { !$0.isWhitespace }) else {
      throw .badName(title, what: "a \(noun)'s \(kind.schema.titleKey)")
    }
    let name = Path.join(kind.inner(folder ?? ""), Slug.make(title, fallback: noun))
    guard !name.hasPrefix("/"), RecordRef.isWellFormed(name) else {
      throw .badName(folder ?? "", what: "a folder in \(kind.folder)/")
    }
    return RecordRef(kind: kind, name: name)
  }

  fileprivate var fileMembers: JSONObject {
    var object = members
    object[kind.schema.titleKey] = .string(title)
    return object
  }
}

extension EntityKind {
  /// Returns a folder of the command line as one below the kind's own, which it may start with.
  func inner(_ folder: String) -> String {
    var inner = folder
    while inner.hasSuffix("/") { inner.removeLast() }
    if inner == self.folder { return "" }
    if inner.hasPrefix(self.folder + "/") { inner.removeFirst(self.folder.count + 1) }
    return inner
  }
}

extension OpenLibrary {
  // MARK: Members

  /// Returns the members of a new record that are given in general form, without the title.
  ///
  /// What a server counts is not copied.
  /// - Parameters:
  ///   - fields: words such as `hairColor=red`.
  ///   - copied: the record to copy, or `nil`.
  ///   - options: the command's own options that were given, by the keys of their fields.
  /// - Throws: `UsageError` for a field that an option gives too; `CommandError`, also if the record to
  ///   copy cannot be found; `Problem` if it cannot be read.
  func members(
    of kind: EntityKind, fields: [String], copied: String?, options: [String: String]
  ) throws -> JSONObject {
    var members = JSONObject()
    if let copied {
      let entry = ScanEntry(ref: try resolver(kind).record(copied), state: .pendingCreate)
      members = try reader.file(of: entry).document.root.value.object ?? members
      members[kind.schema.titleKey] = nil
      for field in kind.schema.fields where field.merge == .counter { members[field.key] = nil }
    }
    var stated: Set<String> = []
    for word in fields {
      guard let equals = word.firstIndex(of: "=") else {
        throw CommandError.badField(word, kind, nearest: nil)
      }
      let key = String(word[..<equals])
      guard let index = kind.schema.fieldIndex(key: key), key != kind.schema.titleKey else {
        throw CommandError.badField(
          key, kind, nearest: Nearest.match(key, among: kind.schema.keyOrder))
      }
      let field = kind.schema.fields[index]
      if let option = options[field.key] {
        throw UsageError(.excluded(option, by: "--field \(key)"))
      }
      for other in field.keys where other != key { members[other] = nil }
      // The first word replaces what was copied; the next ones of a list add to it.
      let old = stated.insert(key).inserted ? nil : members[key]
      members[key] = try value(
        String(word[word.index(after: equals)...]), of: field, key, after: old)
    }
    return members
  }

  private func value(
    _ text: String, of field: Field, _ key: String, after old: JSONValue?
  ) throws -> JSONValue? {
    guard !text.isEmpty else { return nil }
    switch field.shape {
    case .text, .choice: return .string(text)
    case .integer, .number:
      // A word is refused with the record, as in a file.
      return JSONNumber(literal: text).map { .number($0) } ?? .string(text)
    case .boolean: return text == "true" ? true : text == "false" ? false : .string(text)
    case .list: return .array((old?.array ?? []) + [.string(text)])
    case .phrases:
      guard let old else { return .string(text) }
      return .array((old.array ?? [old]) + [.string(text)])
    case .lines:
      let lines = RecordFile.lines(of: text).map { JSONValue.string($0) }
      return .array((old?.array ?? []) + lines)
    case .reference(let kind):
      return .string(key == field.key ? try resolver(kind).record(text).name : text)
    }
  }

  // MARK: Writing

  /// Writes a record and prints its path, with a note for the person.
  ///
  /// - Parameter note: Makes the note, or `nil`, for the path of the file.
  /// - Throws: `CommandError` if the name is taken or a value is invalid; `RecordImporter.Rejection` for
  ///   errors in the draft's source; `FileError`.
  func create(_ draft: RecordDraft, isDryRun: Bool, note: (String) -> String?) throws -> ExitCode {
    let ref = try draft.ref()
    try checkName(ref)
    if var source = draft.source {
      // So that errors are found in the text.
      source.ref = ref
      let problems = try source.errors(
        of: draft.fileMembers, references: scan.references,
        isStated: { source.values[$0] != nil })
      guard problems.isEmpty else { throw RecordImporter.Rejection(problems: problems) }
    }
    let path = shown(ref.path)
    let bytes: [UInt8]
    do {
      bytes = try LibraryEditor(library).create(
        ref, members: draft.fileMembers, references: scan.references, isDryRun: isDryRun)
    } catch let problem as Problem {
      throw CommandError.badRecord(problem)
    } catch EditError.exists {
      throw CommandError.nameTaken(ref, path: path)
    }
    let note = note(path)
    let report: Members = [
      "schema": "stories.new/1", "dryRun": isDryRun, "ref": ref, "file": ref.path, "path": path,
      "notes": note.map { [$0] } ?? [],
    ]
    context.tell(report) {
      context.output.line(Text(path))
      if isDryRun {
        let text = String(decoding: bytes, as: UTF8.self)
        context.output.bytes(context.output.isASCII ? Array(PlainASCII.json(text).utf8) : bytes)
      }
      if let note { context.note(Text(note, .faint)) }
    }
    return .done
  }
}
