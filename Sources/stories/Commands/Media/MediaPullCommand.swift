import JSONText
import StoryLibrary
import StoryMedia

struct MediaPullCommand: Command {
  var words: [String] = []
  var isDryRun = false

  static let name = "pull"
  static let summary = "Fetch pictures and narrations"
  static let discussion = """
    Fetches files that records have on the server and that are not on this machine, four files at \
    a time, including the pictures of a story. Interrupted downloads resume. Afterwards, files \
    that were not used for a while are pruned, as by `stories media prune`. Files are fetched only \
    over https or from the server itself.
    """
  static let examples = [
    Example("stories media pull", "everything"),
    Example("stories media pull luna first-snow", "an avatar and a story"),
  ]
  static let parameters: [Parameter<MediaPullCommand>] = [
    .arguments("REF", \.words, help: "The records (default: all)", completion: .record),
    .flag("dry-run", \.isDryRun, help: "Show what would be fetched, without fetching it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context, kinds: EntityKind.allCases)
    let refs = words.isEmpty ? nil : try opened.resolver().records(words)
    let report = try await context.pullMedia(of: refs, in: opened.library, isDryRun: isDryRun)
    context.tell(members(of: report, context)) { write(report, opened) }
    return try context.exitCode(of: report)
  }

  private func write(_ report: MediaReport, _ opened: OpenLibrary) {
    let context = opened.context
    for (item, file) in report.fetched {
      if report.isDryRun {
        context.output.line("\(item.kind.noun) of \(item.ref)")
      } else if let file {
        context.output.line(Text(opened.shown(file.path)))
      }
    }
    context.note(Text(summary(report)))
    context.output.sink.flush()
    context.writeFailures(of: report)
    if let pruned = report.pruned, !pruned.removed.isEmpty {
      context.note(
        "Pruned \(Phrases.count(pruned.removed.count, "file")) that were not used for a while.")
    }
  }

  private func summary(_ report: MediaReport) -> String {
    let (fetched, present) = (report.fetched.count, report.present.count)
    if report.isDryRun {
      return "\(Phrases.count(fetched, "file")) would be fetched,"
        + " \(present) already on this machine. Dry run: nothing was changed."
    }
    if fetched == 0, report.failed.isEmpty, !report.isInterrupted {
      return present == 0
        ? "No record has pictures or narrations on the server. Make one: stories generate avatar HERO"
        : "Everything is already on this machine: \(Phrases.count(present, "file"))."
    }
    return "Fetched \(Phrases.count(fetched, "file")), \(Phrases.size(report.bytes))"
      + (present == 0 ? "." : "; \(present) already on this machine.")
  }

  private func members(of report: MediaReport, _ context: Context) -> Members {
    [
      "schema": "stories.media-pull/1", "dryRun": report.isDryRun,
      "fetched": report.fetched.map { item, file in
        file?.members(of: item.ref) ?? ["ref": item.ref, "kind": item.kind]
      },
      "present": report.present.map { $0.file.members(of: $0.item.ref) },
      "failed": report.failed.map { failure -> Members in
        let words = ErrorReport(failure.error, in: context)
        return [
          "ref": failure.item.ref, "kind": failure.item.kind,
          "error": ["message": words.message, "hint": failure.hint(in: context)] as Members,
        ]
      }, "bytes": report.bytes, "interrupted": report.isInterrupted,
      "pruned": Omitted(report.pruned?.removed.map { $0.file.members(of: $0.file.ref) }),
    ]
  }
}
