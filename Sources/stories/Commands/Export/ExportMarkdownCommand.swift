import StoryLibrary
import StoryPages
import StorySync

/// `stories export markdown`: writes stories as text files.
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
    of stories that are gone, unless they were edited.
    """
  static let examples = [
    Example("stories export markdown ../text", "all stories"),
    Example("stories export markdown ../text stories/2026", "the stories in a folder"),
  ]
  static let parameters: [Parameter<ExportMarkdownCommand>] = [
    .argument("DIR", \.target, help: "The folder for the files", completion: .folder),
    .arguments(
      "REF", \.words, help: "A story or a folder of stories (default: all)", completion: .record),
    .flag("force", \.isForced, help: "Replace files that were edited or not exported"),
    .flag("dry-run", \.isDryRun, help: "Show which files would change, without writing them"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let source = ExportSource(context: context, library: library)
    let path = try source.target(target, "DIR")
    let scan = try context.scan(library)
    let resolver = RefResolver(scan, of: library, context: context, kind: .stories)
    let refs = try resolver.records(words)
    guard !refs.isEmpty else { throw ExportError.nothing }
    let reader = RecordReader(library: library, references: scan.references)
    let folder = try MarkdownFolder(path, isForced: isForced, isDryRun: isDryRun)
    let (report, isInterrupted) = try await context.interruptible { [self] in
      try export(refs, scan, reader, folder, context)
    }
    context.tell(report) { write(report, folder, context) }
    let code = ExitCode.worst(report.failed.map(\.error.exitCode))
    return isInterrupted ? context.reportInterruption() : code
  }

  /// Writes the files until the task is cancelled.
  private func export(
    _ refs: [RecordRef], _ scan: Scan, _ reader: RecordReader, _ folder: MarkdownFolder,
    _ context: Context
  ) throws -> (Report, isInterrupted: Bool) {
    var folder = folder
    var report = Report(dryRun: isDryRun, folder: context.shown(folder.path))
    var contents: [String: [UInt8]] = [:]
    for ref in refs where !Task.isCancelled {
      do {
        let file = try reader.file(of: scan.entry(ref) ?? ScanEntry(ref: ref, state: .synced))
        let text = try StoryText(file)
        let bytes = text.bytes
        guard try StoryText(parsing: bytes, file: ref.path) == text else {
          throw TransferError.doesNotReadBack(ref)
        }
        contents[ref.name + ".md"] = bytes
      } catch {
        report.failed.append(.init(ref: ref, error: ErrorReport(error, in: context)))
      }
    }
    if Task.isCancelled { return (report, true) }
    try folder.begin(contents)
    for ref in refs where !Task.isCancelled {
      let name = ref.name + ".md"
      guard let bytes = contents[name] else { continue }
      do {
        try report.add(folder.write(bytes, to: name), name)
      } catch {
        report.failed.append(.init(ref: ref, error: ErrorReport(error, in: context)))
      }
    }
    let isInterrupted = Task.isCancelled
    if words.isEmpty, !isInterrupted {
      let others = folder.removeOthers(than: Set(refs.map { $0.name + ".md" }))
      report.removed = others.removed
      for path in others.edited {
        context.note("Kept \(context.shown(Path.join(folder.path, path))): it was edited.")
      }
      for (path, error) in others.failed {
        let ref = RecordRef(kind: .stories, name: String(path.dropLast(3)))
        report.failed.append(.init(ref: ref, error: ErrorReport(error, in: context)))
      }
    }
    try folder.finish()
    return (report, isInterrupted)
  }

  private struct Report: Encodable, Sendable {
    struct Failure: Encodable, Sendable {
      var ref: RecordRef
      var error: ErrorReport
    }

    let schema = "stories.export-markdown/1"
    var dryRun: Bool
    var folder: String
    var created: [String] = []
    var updated: [String] = []
    var unchanged: [String] = []
    var removed: [String] = []
    var failed: [Failure] = []

    mutating func add(_ change: MarkdownFolder.Change, _ path: String) {
      switch change {
      case .created: created.append(path)
      case .updated: updated.append(path)
      case .unchanged: unchanged.append(path)
      }
    }
  }

  private func write(_ report: Report, _ folder: MarkdownFolder, _ context: Context) {
    for (verb, paths) in [
      ("new", report.created), ("updated", report.updated), ("removed", report.removed),
    ] {
      for path in paths {
        context.output.line(
          Text(verb, .faint).padded(to: 9)
            + Text(context.shown(Path.join(folder.path, path))))
      }
    }
    let count = report.created.count + report.updated.count
    let unchanged =
      report.unchanged.isEmpty ? "" : ", \(Phrases.count(report.unchanged.count, "file")) unchanged"
    let verb = isDryRun ? "Would write" : "Wrote"
    context.note(
      Text("\(verb) \(Phrases.count(count, "file")) to \(report.folder)\(unchanged).", .faint))
    for failure in report.failed { failure.error.write(to: context.errors) }
  }
}
