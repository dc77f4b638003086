import JSONText
import StoryLibrary
import StorySync

struct MoveCommand: Command {
  var word = ""
  var newWord = ""
  var isDryRun = false

  static let name = "mv"
  static let summary = "Rename or move a record"
  static let discussion = """
    Moves the record's sidecar and a story's pictures along, and updates references in other \
    records. Nothing is sent: names are local, and the server knows records by their ids. Moving \
    files with mv or git mv has the same effect at the next sync. `stories undo` takes it back.
    """
  static let examples = [
    Example("stories mv luna moon", "heroes/luna becomes heroes/moon"),
    Example("stories mv heroes/luna heroes/family/", "into a folder, with the same name"),
  ]
  static let parameters: [Parameter<MoveCommand>] = [
    .argument("REF", \.word, help: "The record", completion: .record),
    .argument("NEW-REF", \.newWord, help: "Its new name, or a folder", completion: .record),
    .flag("dry-run", \.isDryRun, help: "Show what would be done, without doing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context)
    let old: RecordRef
    do throws(CommandError) {
      old = try opened.resolver().record(word)
    } catch {
      guard case .severalRecords = error else { throw error }
      throw error.advised(
        "rename a folder with mv or git mv; the next sync finds its records")
    }
    let new = try newRef(for: old, in: opened.library, context)
    try opened.checkName(new, movedFrom: old)
    let editor = LibraryEditor(opened.library, time: context.time)
    let pictures = try editor.illustrations(ofStories: opened.scan.storyIDs([old])).count
    // A name in another Unicode form is another name.
    let isSame = new.kind == old.kind && new.name.utf8.elementsEqual(old.name.utf8)
    let rewritten =
      isSame ? [] : try editor.move(old, to: new, isDryRun: isDryRun, asRun: "mv \(old) \(new)")
    context.tell([
      "schema": "stories.mv/1", "dryRun": isDryRun, "from": old, "to": new, "rewritten": rewritten,
    ]) {
      guard !isSame else { return context.note("\(old) already has that name.") }
      let output = context.output
      output.line(Text(isDryRun ? "Would rename " : "Renamed ") + "\(old) → \(new, .strong)")
      if !rewritten.isEmpty {
        let verb = isDryRun ? "Would update" : "Updated"
        output.wrapped(
          Text("\(verb) \(Phrases.count(rewritten.count, "reference")): ")
            + Text(Phrases.list(rewritten.map(\.description)), .faint))
      }
      if pictures > 0 {
        let verb = isDryRun ? "Would move" : "Moved"
        output.line("\(verb) \(Phrases.count(pictures, .illustrations)).")
      }
    }
    return .done
  }

  /// Returns the ref that ``newWord`` means as the new name of a record.
  ///
  /// The word is a ref (`heroes/moon`), a name within the record's kind (`moon`, `family/moon`), a path
  /// from the current folder, or a folder to move the record to (`heroes/family/`).
  private func newRef(
    for old: RecordRef, in library: Library, _ context: Context
  ) throws(EditingError) -> RecordRef {
    var text = newWord
    while text.hasSuffix("/") { text.removeLast() }
    var isFolder = text != newWord
    let path = Path.absolute(text, in: context.folder)
    // The file does not exist yet, so only its folder can be resolved.
    let above = Path.resolved(Path.parent(path)) ?? Path.parent(path)
    let inner = Path.relative(Path.join(above, Path.name(path)), to: library.root)
    var (kind, name) = (old.kind, text)
    for form in [text, inner].compactMap(\.self) {
      let slash = form.firstIndex(of: "/") ?? form.endIndex
      guard let named = EntityKind(named: String(form[..<slash])) else { continue }
      (kind, name) = (named, String(form[slash...].dropFirst()))
      if name.isEmpty { isFolder = true }
      break
    }
    if name.hasSuffix(".json") { name.removeLast(5) }
    let place = library.path(Path.join(kind.folder, name))
    if isFolder || (try? FileSystem.status(place))??.type == .folder {
      name = Path.join(name, Path.name(old.name))
    }
    guard !text.isEmpty, RecordRef.isVisible(name) else { throw .badNewName(newWord, kind) }
    return RecordRef(kind: kind, name: name)
  }
}

extension RecordRef {
  /// Returns whether no part of a name is white space.
  static func isVisible(_ name: String) -> Bool {
    name.split(separator: "/").allSatisfy { $0.contains { !$0.isWhitespace } }
  }
}

extension OpenLibrary {
  /// Checks that a record can have a new name, and that no file system could treat it as that of an
  /// existing record.
  ///
  /// - Parameter old: the record that gets the name, or `nil` for a new one.
  func checkName(_ new: RecordRef, movedFrom old: RecordRef? = nil) throws(CommandError) {
    if let problem = library.nameProblem(of: new) { throw .badRecord(problem) }
    if scan.isStale(new) { throw .nameOfDeleted(new) }
    let key = Slug.collisionKey(new.name)
    for entry in scan.entries where entry.ref != old && entry.ref.kind == new.kind {
      guard Slug.collisionKey(entry.ref.name) == key else { continue }
      if entry.ref == new, entry.state == .pendingDelete || entry.state == .missing {
        throw .nameOfDeleted(new)
      }
      throw .nameTaken(entry.ref, path: shown(entry.ref.path))
    }
  }
}
