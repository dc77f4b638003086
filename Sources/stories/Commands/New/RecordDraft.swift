import JSONText
import StoryLibrary
import StorySync

/// What the command line says of a new record of any kind.
struct RecordDraft: Sendable {
  let kind: EntityKind
  var title = ""
  /// Words such as `hairColor=red`.
  var fields: [String] = []
  /// The record to start from, or another source of the record, or `nil`.
  var source: String?
  /// The folder below the kind's own, or `nil` for the kind's own.
  var folder: String?
  var isDryRun = false

  init(_ kind: EntityKind) { self.kind = kind }

  /// The parameters except the title.
  static func parameters(
    _ kind: EntityKind, from help: String, value: String = "REF",
    completion: ParameterDeclaration.Completion = .record
  ) -> [Parameter<RecordDraft>] {
    [
      .option("field", value: "NAME=VALUE", \.fields, help: "Any other field"),
      .option("from", value: value, \.source, help: help, completion: completion),
      .option("in", value: "FOLDER", \.folder, help: "A folder below \(kind.folder)/"),
      .flag("dry-run", \.isDryRun, help: "Show what would be written, without writing it"),
    ]
  }

  /// Returns the record's name, made from its title.
  ///
  /// - Throws: `CommandError.badName` if the title or a folder is only white space.
  private func ref() throws(CommandError) -> RecordRef {
    let noun = kind.schema.noun
    guard title.contains(where: { !$0.isWhitespace }) else {
      throw .badName(title, what: "\(kind.schema.nounWithArticle)'s \(kind.schema.titleKey)")
    }
    let name = Path.join(kind.inner(folder ?? ""), Slug.make(title, fallback: noun))
    guard RecordRef.isVisible(name) else {
      throw .badName(folder ?? "", what: "a folder in \(kind.folder)/")
    }
    return RecordRef(kind: kind, name: name)
  }

  // MARK: Members

  /// An option for a field, with the value that it gives, or `nil`.
  typealias Option = (name: String, key: String, value: JSONValue?)

  /// Returns the members of the record that the command line gives, without the title.
  ///
  /// What a server counts is not copied.
  /// - Parameters:
  ///   - isCopy: whether the source is a record to copy.
  ///   - options: the command's own options for fields.
  /// - Throws: `UsageError` for a field that an option gives too; `CommandError`, also if the record to
  ///   copy cannot be found; `Problem` if it cannot be read.
  func members(
    in opened: OpenLibrary, isCopy: Bool = true, options: [Option]
  ) throws -> JSONObject {
    let options = options.filter { $0.value != nil }
    var members = JSONObject()
    if isCopy, let source {
      let ref = try opened.resolver(kind).record(source)
      members = try opened.reader.file(ref).document.root.value.object ?? members
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
      if let option = options.first(where: { $0.key == field.key }) {
        throw UsageError(.excluded(option.name, by: "--field \(key)"))
      }
      for other in field.keys where other != key { members[other] = nil }
      // The first word replaces what was copied; the next ones of a list add to it.
      let old = stated.insert(key).inserted ? nil : members[key]
      members[key] = try Self.value(
        String(word[word.index(after: equals)...]), of: field, key, after: old, opened)
    }
    for option in options {
      if let value = option.value { kind.schema.apply([option.key: value], to: &members) }
    }
    return members
  }

  private static func value(
    _ text: String, of field: Field, _ key: String, after old: JSONValue?, _ opened: OpenLibrary
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
      return .string(key == field.key ? try opened.resolver(kind).record(text).name : text)
    }
  }

  // MARK: Writing

  /// Writes the record and prints its path, with a note for the person.
  ///
  /// - Parameters:
  ///   - members: the members other than the name or title, by their keys in a file.
  ///   - text: the text that members came from, or `nil`; errors in them are reported there.
  ///   - note: makes the note, or `nil`, for the path of the file.
  /// - Throws: `CommandError` if the name is taken or a value is invalid; `RecordImporter.Rejection` for
  ///   errors in the text; `FileError`.
  func create(
    _ members: JSONObject, in opened: OpenLibrary, text: IncomingRecord? = nil,
    note: (String) -> String?
  ) throws -> ExitCode {
    let ref = try ref()
    try opened.checkName(ref)
    var members = members
    members[kind.schema.titleKey] = .string(title)
    let references = opened.scan.references
    if var text {
      // So that errors are found in the text.
      text.ref = ref
      let problems = try text.errors(
        of: members, references: references, isStated: { [text] in text.values[$0] != nil })
      guard problems.isEmpty else { throw RecordImporter.Rejection(problems: problems) }
    }
    let path = opened.shown(ref.path)
    let bytes: [UInt8]
    do {
      bytes = try LibraryEditor(opened.library).create(
        ref, members: members, references: references, isDryRun: isDryRun)
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
    let context = opened.context
    context.tell(report) {
      context.output.line(Text(path))
      if isDryRun {
        let text = String(decoding: bytes, as: UTF8.self)
        context.output.bytes(context.output.isASCII ? Array(PlainASCII.json(text).utf8) : bytes)
      }
      if let note { context.aside(note) }
    }
    return .done
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
