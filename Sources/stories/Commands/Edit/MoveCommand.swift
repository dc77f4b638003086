import StoryLibrary
import StorySync

/// `stories mv`: renames a record.
struct MoveCommand: Command {
  var word = ""
  var newWord = ""
  var isDryRun = false

  static let name = "mv"
  static let summary = "Rename or move a record"
  static let section = HelpSection.records
  static let discussion = """
    Moves the record's sidecar and a story's pictures along, and updates references in other \
    records. Nothing is sent: names are local, and the server knows records by their ids. Moving \
    files with mv or git mv has the same effect at the next sync.
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
    let library = try context.library()
    let scan = try context.scan(library)
    let old = try RefResolver(scan, of: library, context: context).record(word)
    let new = try NewNameReader(library: library, context: context).ref(newWord, for: old)
    try checkName(new, for: old, scan, library, context)
    let editor = LibraryEditor(library)
    let pictures = try editor.illustrations(ofStories: scan.storyIDs([old])).count
    let rewritten = try editor.move(old, to: new, isDryRun: isDryRun)
    context.tell(Report(dryRun: isDryRun, from: old, to: new, rewritten: rewritten)) {
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

  private struct Report: Encodable {
    let schema = "stories.mv/1"
    var dryRun: Bool
    var from: RecordRef
    var to: RecordRef
    var rewritten: [RecordRef]
  }

  /// Checks that no file system could treat the new name as another record's.
  private func checkName(
    _ new: RecordRef, for old: RecordRef, _ scan: Scan, _ library: Library, _ context: Context
  ) throws(CommandError) {
    if scan.isStale(new) { throw .nameOfDeleted(new) }
    for entry in scan.entries where entry.ref != old && entry.ref.kind == new.kind {
      guard Slug.collisionKey(entry.ref.name) == Slug.collisionKey(new.name) else { continue }
      if entry.ref == new, entry.state == .pendingDelete || entry.state == .missing {
        throw .nameOfDeleted(new)
      }
      throw .nameTaken(entry.ref, path: context.shown(entry.ref.path, in: library))
    }
  }
}
