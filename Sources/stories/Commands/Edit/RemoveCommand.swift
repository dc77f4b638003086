import JSONText
import StoryLibrary
import StorySync

struct RemoveCommand: Command {
  var words: [String] = []
  var isRecursive = false
  var isDryRun = false

  static let name = "rm"
  static let summary = "Remove records locally, and on the server with the next push"
  static let discussion = """
    Removes the files and notes in their sidecars that the records should be deleted on the server \
    too. Such a delete is intended, so it does not count towards the limit at which a push stops. \
    The records' content is kept: `stories undo` brings them back.

    A hero or an event that another record references is not removed, unless that record is \
    removed too. A story's pictures stay until the server has deleted it.

    Exits with 1 if a file cannot be removed; the other records are.
    """
  static let examples = [
    Example("stories rm stories/first-snow", "one story"),
    Example("stories rm -r stories/2026 --dry-run", "what would be removed with a folder"),
  ]
  static let parameters: [Parameter<RemoveCommand>] = [
    .arguments("REF", \.words, help: "The records", isRequired: true, completion: .record),
    .flag("recursive", letter: "r", \.isRecursive, help: "Remove all records in a folder"),
    .flag("dry-run", \.isDryRun, help: "Show what would be removed, without removing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context)
    let resolver = opened.resolver()
    for word in words where !isRecursive {
      let named = try resolver.records([word])
      guard named.count < 2 else { throw EditingError.isFolder(word, count: named.count) }
    }
    let named = try resolver.records(words)
    let removed = named.filter { opened.scan.entry($0)?.isDeleteStated == true }
    var refs = named.filter { !removed.contains($0) }
    var clashing = refs.filter { opened.scan.entry($0)?.conflict == .fields }
    let editor = LibraryEditor(opened.library)
    // A copy that stays has the same id, so the server's record is not deleted.
    let gone = Set(refs)
    let staying = Set(opened.scan.entries.filter { !gone.contains($0.ref) }.compactMap(\.key))
    var sent = refs.filter { ref in
      opened.scan.entry(ref)?.key.map { !staying.contains($0) } ?? false
    }
    let pictures = try editor.illustrations(ofStories: opened.scan.storyIDs(sent)).count
    let skipped = refs.isEmpty ? [] : try editor.remove(refs, isDryRun: isDryRun)
    let left = Set(skipped.map(\.ref))
    refs.removeAll(where: left.contains)
    sent.removeAll(where: left.contains)
    clashing.removeAll(where: left.contains)
    context.tell([
      "schema": "stories.rm/1", "dryRun": isDryRun, "removed": refs, "onServer": sent,
      "skipped": context.members(of: skipped),
    ]) {
      for ref in refs {
        context.output.line(Text(isDryRun ? "Would remove " : "Removed ") + "\(ref, .strong)")
      }
      for ref in removed { context.note("\(ref) is already removed; the next push deletes it.") }
      if named.isEmpty { context.note("There is nothing to remove.") }
      for (_, error) in skipped { ErrorReport(error, in: context).write(to: context.errors) }
      guard !sent.isEmpty else { return }
      let rest = isDryRun ? "dry run: nothing was changed." : "`stories undo` reverts it."
      context.aside("The next push deletes \(Phrases.kinds(sent)) on the server; \(rest)")
      if !clashing.isEmpty {
        context.note(
          "\(Phrases.list(clashing.map(\.description))) \(clashing.count == 1 ? "was" : "were")"
            + " in conflict: what somebody else changed on the server is deleted too.")
      }
      if pictures > 0, skipped.isEmpty {
        context.aside("It also deletes \(Phrases.count(pictures, .illustrations)).")
      }
    }
    return skipped.isEmpty ? .done : .failed
  }
}
