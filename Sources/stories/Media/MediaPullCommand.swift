import JSONText
import StoryAPI
import StoryLibrary
import StorySync
import Synchronization

/// `stories media pull`: brings files here.
struct MediaPullCommand: Command {
  var words: [String] = []
  var isDryRun = false

  static let name = "pull"
  static let summary = "Fetch files that the server made"
  static let section = HelpSection.media
  static let discussion = """
    Fetches what the records have by their sidecars and what is not here yet, four files at a time; \
    with a story come its pictures. A download that breaks off is gone on with, now or the next time. \
    Afterwards what was not used for long is pruned, as `stories media prune` does. Only https and the \
    server itself are fetched from.
    """
  static let examples = [
    Example("stories media pull", "everything"),
    Example("stories media pull luna first-snow", "an avatar and a story"),
  ]
  static let parameters: [Parameter<MediaPullCommand>] = [
    .arguments(
      "REF", \.words, help: "The records; all without one", completion: .record),
    .flag("dry-run", \.isDryRun, help: "Show what would be fetched and do nothing"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let scan = try context.scan(library, kinds: EntityKind.allCases)
    let refs =
      words.isEmpty
      ? nil : try RefResolver(scan, of: library, context: context).records(words)
    let setting = try context.serverSetting(library)
    let access = ServerAccess(library: library, setting: setting, context: context)
    let media = Repositories(library, time: context.time) { try await access.connect($0) }.media
    let report: MediaReport
    if isDryRun {
      report = try media.plan(refs)
    } else {
      let progress = context.progress()
      defer { progress.finish() }
      do {
        report = try await context.interruptible {
          let latest = Mutex(MediaProgress?.none)
          let ticker = progress.startTicking {
            guard let told = latest.withLock({ $0 }) else { return "Looking for files" }
            return MediaText.progress(told)
          }
          defer { ticker?.cancel() }
          return try await media.pull(refs) { told in latest.withLock { $0 = told } }
        }
      } catch {
        progress.finish()
        await access.close()
        throw error
      }
      progress.finish()
      await access.close()
    }
    MediaText(context: context, library: library).write(report)
    if report.isInterrupted { throw CancellationError() }
    let codes = report.failed.map { ErrorReport($0.error, in: context).exitCode }
    return .worst(codes.map { $0 == .interrupted ? .interrupted : $0 })
  }
}
