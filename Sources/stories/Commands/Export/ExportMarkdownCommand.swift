import JSONText
import StoryLibrary
import StoryPages
import StorySync

struct ExportMarkdownCommand: Command {
  var target = ""
  var words: [String] = []
  var isForced = false
  var isDryRun = false

  static let name = "markdown"
  static let summary = "Write stories as Markdown files with front matter"
  static let discussion = """
    Writes each story to DIR/NAME.md, with the sub-folders of the library: its fields as front matter, \
    then its text as it is, without markup. `stories import` reads such a file back as the same record. \
    Members of a record that are not fields are not exported.

    DIR/.stories-markdown.json lists the files with their digests. A file that is not in the list, or \
    that was edited since, is not replaced without --force. An export of all stories removes the files \
    of stories that are gone, unless they were edited or a folder of stories cannot be read.
    """
  static let examples = [
    Example("stories export markdown ../text", "all stories"),
    Example("stories export markdown ../text stories/2026", "the stories in a folder"),
  ]
  static let parameters: [Parameter<ExportMarkdownCommand>] = [
    .argument("DIR", \.target, help: "The folder for the files", completion: .folder),
    .arguments("REF", \.words, help: "The records (default: all)", completion: .record),
    .flag("force", \.isForced, help: "Replace files that were edited or not exported"),
    .flag("dry-run", \.isDryRun, help: "Show which files would change, without writing them"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context)
    let path = try ExportSource(context: context, library: opened.library).target(target, "DIR")
    let refs = try stories(in: opened)
    guard !refs.isEmpty else { throw ExportError.nothing }
    let folder = try MarkdownFolder(path, isForced: isForced, isDryRun: isDryRun)
    let (outcome, isInterrupted) = try await context.interruptible { [self] in
      try export(refs, folder, opened)
    }
    let report: Members = [
      "schema": "stories.export-markdown/1", "dryRun": isDryRun,
      "folder": context.shown(folder.path), "created": outcome.files[.created] ?? [],
      "updated": outcome.files[.updated] ?? [], "unchanged": outcome.files[.unchanged] ?? [],
      "removed": outcome.removed,
      "failed": outcome.failed.map { ["ref": $0.ref, "error": $0.error] as Members },
    ]
    context.tell(report) { write(outcome, folder, context) }
    let problems = Self.problems(opened.scan)
    opened.write(problems, to: context.errors)
    let code = ExitCode.worst(
      outcome.failed.map(\.error.exitCode) + (problems.isEmpty ? [] : [.failed]))
    return isInterrupted ? context.report(CancellationError()) : code
  }

  /// Returns the chosen stories.
  private func stories(in opened: OpenLibrary) throws(CommandError) -> [RecordRef] {
    guard !words.isEmpty else { return try opened.resolver(.stories).records([]) }
    let chosen = Set(try opened.resolver().records(words))
    let stories = opened.scan.entries.filter {
      $0.ref.kind == .stories && $0.hasRecord && $0.isExported(with: chosen)
    }
    if stories.isEmpty, let ref = chosen.filter({ $0.kind == .stories }).min() {
      throw .removed(ref)
    }
    return stories.map(\.ref)
  }

  /// What became of the files, by their paths in the folder.
  private struct Outcome: Sendable {
    var files: [FileChange: [String]] = [:]
    var removed: [String] = []
    var failed: [(ref: RecordRef, error: ErrorReport)] = []
  }

  private func export(
    _ refs: [RecordRef], _ folder: MarkdownFolder, _ opened: OpenLibrary
  ) throws -> (Outcome, isInterrupted: Bool) {
    let context = opened.context
    var folder = folder
    var outcome = Outcome()
    var contents: [String: [UInt8]] = [:]
    for ref in refs where !Task.isCancelled {
      do {
        let text = try StoryText(opened.reader.file(ref))
        let bytes = text.bytes
        guard try StoryText(parsing: bytes, file: ref.path) == text else {
          throw TransferError.doesNotReadBack(ref)
        }
        contents[ref.name + ".md"] = bytes
      } catch {
        outcome.failed.append((ref, ErrorReport(error, in: context)))
      }
    }
    if Task.isCancelled { return (outcome, true) }
    try folder.begin(contents)
    for ref in refs where !Task.isCancelled {
      let name = ref.name + ".md"
      guard let bytes = contents[name] else { continue }
      do {
        let change = try folder.write(bytes, to: name)
        outcome.files[change, default: []].append(name)
      } catch {
        outcome.failed.append((ref, ErrorReport(error, in: context)))
      }
    }
    let isInterrupted = Task.isCancelled
    if words.isEmpty, !isInterrupted, Self.problems(opened.scan).isEmpty {
      let awaited = opened.scan.awaited.filter { $0.kind == .stories }
      let others = folder.removeOthers(than: Set((refs + awaited).map { $0.name + ".md" }))
      outcome.removed = others.removed
      for path in others.edited {
        context.note("Kept \(context.shown(Path.join(folder.path, path))): it was edited.")
      }
      for (path, error) in others.failed {
        let ref = RecordRef(kind: .stories, name: String(path.dropLast(3)))
        outcome.failed.append((ref, ErrorReport(error, in: context)))
      }
    }
    try folder.finish()
    return (outcome, isInterrupted)
  }

  /// Returns the problems that may hide stories.
  private static func problems(_ scan: Scan) -> [Problem] {
    scan.hidingProblems.filter { ($0.file + "/").hasPrefix(EntityKind.stories.folder + "/") }
  }

  private func write(_ outcome: Outcome, _ folder: MarkdownFolder, _ context: Context) {
    let created = outcome.files[.created] ?? []
    let updated = outcome.files[.updated] ?? []
    for (verb, paths) in [
      ("new", created), ("updated", updated), ("removed", outcome.removed),
    ] {
      for path in paths {
        context.output.line(
          Text(verb, .faint).padded(to: 9)
            + Text(context.shown(Path.join(folder.path, path))))
      }
    }
    let written = Phrases.count(created.count + updated.count, "file")
    let unchanged =
      outcome.files[.unchanged].map { ", \(Phrases.count($0.count, "file")) unchanged" } ?? ""
    let verb = isDryRun ? "Would write" : "Wrote"
    context.aside("\(verb) \(written) to \(context.shown(folder.path))\(unchanged).")
    for failure in outcome.failed { failure.error.write(to: context.errors) }
  }
}
