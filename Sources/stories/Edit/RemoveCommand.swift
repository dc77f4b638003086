import JSONText
import StoryLibrary
import StorySync

/// `stories rm`: removes records, here and with the next push on the server.
struct RemoveCommand: Command {
  var words: [String] = []
  var isRecursive = false
  var isDryRun = false

  static let name = "rm"
  static let summary = "Remove records, here and with the next push on the server"
  static let section = HelpSection.records
  static let discussion = """
    The files go, and their sidecars note that the records shall go on the server as well. Such a \
    delete is meant, so it does not count where a push is stopped for too many deletes. What the \
    records held is kept: `stories undo` brings them back.

    A hero or an event that a record still names is not removed, unless that record goes with it. The \
    pictures of a story stay until the server has deleted it, and go then.
    """
  static let examples = [
    Example("stories rm stories/first-snow", "one story"),
    Example("stories rm -r stories/2026 --dry-run", "what would go with a folder"),
  ]
  static let parameters: [Parameter<RemoveCommand>] = [
    .arguments("REF", \.words, help: "The records", completion: .record),
    .flag("recursive", letter: "r", \.isRecursive, help: "Remove all records of a folder as well"),
    .flag("dry-run", \.isDryRun, help: "Show what would go and do nothing"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    guard !words.isEmpty else { throw UsageError(.missingArgument("REF")) }
    let library = try context.library()
    let scan = try context.scan(library)
    let resolver = RefResolver(scan, of: library, context: context)
    for word in words where !isRecursive {
      let named = try resolver.records([word])
      guard named.count < 2 else { throw EditingError.isFolder(word, count: named.count) }
    }
    let refs = try resolver.records(words)
    let editor = LibraryEditor(library)
    let pictures = try editor.illustrations(ofStories: scan.storyIDs(refs)).count
    try editor.remove(refs, isDryRun: isDryRun)
    let known = Set(scan.entries.filter { $0.id != nil }.map(\.ref))
    if context.isJSON {
      context.output.json([
        "schema": "stories.rm/1", "dryRun": .bool(isDryRun),
        "removed": .array(refs.map { .string($0.description) }),
        "onServer": .array(refs.filter(known.contains).map { .string($0.description) }),
      ])
      return .done
    }
    for ref in refs {
      context.output.line(Text(isDryRun ? "Would remove " : "Removed ") + "\(ref, .strong)")
    }
    let sent = refs.filter(known.contains)
    if !sent.isEmpty {
      context.note(
        Text("The next push deletes \(Phrases.kinds(sent)) on the server; ", .faint)
          + Text(isDryRun ? "nothing was done." : "`stories undo` takes it back.", .faint))
      if pictures > 0 {
        let words = pictures == 1 ? "goes" : "go"
        context.note(Text("\(Phrases.count(pictures, .illustrations)) \(words) with that.", .faint))
      }
    }
    return .done
  }
}
