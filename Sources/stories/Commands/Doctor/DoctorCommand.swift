import StoryLibrary
import StorySync

struct DoctorCommand: Command {
  var isFixing = false
  var isDryRun = false

  static let name = "doctor"
  static let summary = "Check the library and its server, and repair what can be repaired"
  static let discussion = """
    Lists everything that cannot be read, and what the next sync does about it; sidecars without a \
    record, ids in more than one sidecar, names that some file systems treat as one, links, stale \
    temporary files, and problems in .stories/; each setting and where it comes from; whether the \
    server answers, what it supports, and how each guarantee of a sync is kept with it.

    --fix shows a plan and repairs what needs no decision: sidecars in which git left two versions \
    of one id, unused sidecars, stale temporary files, empty folders, and what keeps \
    others and git out of .stories/. Nothing that anyone wrote is changed or removed, and removed \
    sidecars are kept; see `stories log`.

    Outside a library, shows the settings, and the server given by --server or STORIES_SERVER.

    Exits with 1 if errors are left, 4 if `.stories/` or your settings are not safe to use or the library \
    belongs to another server or account, and 6 if the server cannot be reached.
    """
  static let examples = [
    Example("stories doctor", "check, and change nothing"),
    Example("stories doctor --fix --dry-run", "what would be repaired"),
  ]
  static let parameters: [Parameter<DoctorCommand>] = [
    .flag("fix", \.isFixing, help: "Repair what needs no decision"),
    .flag("dry-run", \.isDryRun, help: "With --fix: show the plan, without carrying it out"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if isDryRun, !isFixing { throw UsageError(.missing("--fix", for: "--dry-run")) }
    var library: Library?
    do {
      library = try context.library(checksState: false)
    } catch LibraryError.notFound where !isFixing {}
    let progress = context.progress()
    defer { progress.finish() }
    var health: LibraryHealth?
    var plan: [Repair] = []
    var fixed: [(repair: Repair, outcome: LibraryRepairer.Outcome)] = []
    if let library {
      let repository = GitRepository(library)
      progress.update("Examining the library")
      let found = LibraryHealth(library, repository: repository)
      health = found
      plan = isFixing ? found.repairs : []
      if !isDryRun, !plan.isEmpty {
        fixed = try LibraryRepairer(library, repository: repository).fix(plan)
        health = LibraryHealth(library, repository: repository)
      }
    }
    // Unreadable settings are an error, for which no server has to be asked.
    let settings = try SettingsTable(library, context)
    progress.update("Asking the server")
    let server = try await ServerHealth.ask(library, context)
    progress.finish()
    let report = DoctorReport(
      library: library, health: health, settings: settings, server: server, plan: plan,
      fixed: fixed, isFixing: isFixing, isDryRun: isDryRun)
    context.tell(report) { report.write(context) }
    return report.exitCode
  }
}
