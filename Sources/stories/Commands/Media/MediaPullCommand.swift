import StoryLibrary
import StoryMedia

/// `stories media pull`: downloads files.
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
    .arguments(
      "REF", \.words, help: "The records (default: all)", completion: .record),
    .flag("dry-run", \.isDryRun, help: "Show what would be fetched, without fetching it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let scan = try context.scan(library, kinds: EntityKind.allCases)
    let refs =
      words.isEmpty
      ? nil : try RefResolver(scan, of: library, context: context).records(words)
    let report = try await MediaPull(library: library, context: context)
      .run(refs, isDryRun: isDryRun)
    MediaText(context: context, library: library).write(report)
    if report.isInterrupted { throw CancellationError() }
    return .worst(report.failed.map { ErrorReport($0.error, in: context).exitCode })
  }
}
