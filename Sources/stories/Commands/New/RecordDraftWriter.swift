import JSONText
import StoryLibrary
import StorySync

/// Writes new records into a library.
struct RecordDraftWriter: Sendable {
  private let context: Context
  private let library: Library
  private let scan: Scan

  /// Creates a writer for the command's library.
  ///
  /// - Throws: as `Context.library()` and `Library.checkWritable()`.
  init(_ context: Context) throws {
    self.context = context
    library = try context.library()
    try library.checkWritable()
    scan = try context.scan(library)
  }

  /// Returns the local records of a kind.
  func records(_ kind: EntityKind) -> [RecordRef] {
    scan.entries.filter { $0.ref.kind == kind && $0.hasRecord }.map(\.ref)
  }

  /// Creates a resolver for the records of one kind.
  func resolver(_ kind: EntityKind) -> RefResolver {
    RefResolver(scan, of: library, context: context, kind: kind)
  }

  /// Returns the members of a record's file.
  ///
  /// - Throws: `Problem`, `FileError`.
  func members(of ref: RecordRef) throws -> JSONObject {
    let reader = RecordReader(library: library, references: scan.references)
    let entry = ScanEntry(ref: ref, state: .pendingCreate)
    return try reader.file(of: entry).document.root.value.object ?? JSONObject()
  }

  /// Writes a record and prints its path, with a note for the person.
  ///
  /// - Parameters:
  ///   - draft: The record.
  ///   - isDryRun: Whether to change nothing.
  ///   - note: Makes the note, or `nil`, for the path of the file.
  /// - Throws: `CommandError` if the name is taken or a value is invalid; `FileError`.
  func write(
    _ draft: RecordDraft, isDryRun: Bool, note: (String) -> String? = { _ in nil }
  ) throws -> ExitCode {
    let ref = try draft.ref()
    try checkName(ref)
    try checkSource(of: draft, ref)
    let bytes: [UInt8]
    do {
      bytes = try LibraryEditor(library).create(
        ref, members: draft.fileMembers, references: scan.references, isDryRun: isDryRun)
    } catch let problem as Problem {
      throw CommandError.badRecord(problem)
    } catch EditError.exists {
      throw CommandError.nameTaken(ref, path: context.shown(ref.path, in: library))
    }
    let path = context.shown(ref.path, in: library)
    let notes = [note(path)].compactMap(\.self)
    let report = Report(
      dryRun: isDryRun, ref: ref, file: ref.path, path: path, notes: notes)
    context.tell(report) {
      context.output.line(Text(path))
      if isDryRun {
        let text = String(decoding: bytes, as: UTF8.self)
        context.output.bytes(context.output.isASCII ? Array(PlainASCII.json(text).utf8) : bytes)
      }
      for note in notes { context.note(Text(note, .faint)) }
    }
    return .done
  }

  private struct Report: Encodable {
    let schema = "stories.new/1"
    var dryRun: Bool
    var ref: RecordRef
    var file: String
    var path: String
    var notes: [String]
  }

  /// Checks a record that a text was read for, so that its errors are found in the text.
  ///
  /// - Throws: `RecordImporter.Rejection`.
  private func checkSource(of draft: RecordDraft, _ ref: RecordRef) throws {
    guard let source = draft.source else { return }
    let file = try RecordFile(ref: ref, bytes: JSONValue.object(draft.fileMembers).fileBytes())
    let problems = file.problems(references: scan.references, mayBeDraft: true)
      .filter { $0.severity == .error }
    guard !problems.isEmpty else { return }
    throw RecordImporter.Rejection(
      problems: source.placing(problems, of: file, isStated: { source.values[$0] != nil }))
  }

  /// Checks that no file system could treat the new name as an existing one.
  private func checkName(_ ref: RecordRef) throws {
    if scan.isStale(ref) { throw CommandError.nameOfDeleted(ref) }
    for entry in scan.entries {
      let same = entry.ref == ref
      guard entry.ref.kind == ref.kind,
        same || Slug.collisionKey(entry.ref.name) == Slug.collisionKey(ref.name)
      else { continue }
      if same, entry.state == .pendingDelete || entry.state == .missing {
        throw CommandError.nameOfDeleted(ref)
      }
      throw CommandError.nameTaken(entry.ref, path: context.shown(entry.ref.path, in: library))
    }
  }
}
