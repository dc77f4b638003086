import JSONText
import StoryLibrary
import StorySync

/// `stories doctor`: how a library is, and its server.
struct DoctorCommand: Command {
  var mends = false
  var isDryRun = false

  static let name = "doctor"
  static let summary = "Examine the library and its server, and mend what can be mended"
  static let section = HelpSection.library
  static let discussion = """
    Lists everything that cannot be read, with what the next sync makes of it; sidecars without a \
    record, ids that two sidecars name, names that are one file on some systems, links, remains of \
    runs that died, and what is odd in .stories/; every setting with who says so; whether the server \
    answers, what it offers, and how each promise of a sync is kept with it.

    --fix shows a plan and mends what needs nobody's decision: sidecars that git left in two versions \
    of one id, sidecars that nothing belongs to, remains of dead runs, empty folders, and what keeps \
    others and git out of .stories/. Nothing that somebody wrote is changed or removed, and sidecars \
    that go are kept, see `stories log`.

    Outside of a library it shows the settings, and the server that --server or STORIES_SERVER names.

    Ends with 1 where errors are left, and with 6 where the server was not reached.
    """
  static let examples = [
    Example("stories doctor", "look, and change nothing"),
    Example("stories doctor --fix --dry-run", "what would be mended"),
  ]
  static let parameters: [Parameter<DoctorCommand>] = [
    .flag("fix", \.mends, help: "Mend what can be mended without a decision"),
    .flag("dry-run", \.isDryRun, help: "With --fix: show the plan and do nothing"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if isDryRun, !mends { throw UsageError(.missing("--fix", for: "--dry-run")) }
    let library: Library
    do {
      library = try context.library()
    } catch LibraryError.notFound where !mends {
      return try await lookOutside(context)
    }
    let repository = GitRepository(library)
    let progress = context.progress()
    progress.update("Examining the library")
    var health = LibraryHealth(library, repository: repository)
    let plan = mends ? health.repairs : []
    var mended: [(repair: Repair, outcome: LibraryMender.Outcome)] = []
    if !isDryRun, !plan.isEmpty {
      mended = try LibraryMender(library, repository: repository).mend(plan)
      health = LibraryHealth(library, repository: repository)
    }
    progress.update("Asking the server")
    let server = try await askServer(library, context)
    progress.finish()
    let report = DoctorReport(
      examined: (library, health), settings: try SettingsTable(library, context),
      server: server, plan: plan, mended: mended, isFixing: mends, isDryRun: isDryRun)
    return tell(report, context)
  }

  private func tell(_ report: DoctorReport, _ context: Context) -> ExitCode {
    if context.isJSON {
      context.output.json(report.json)
    } else {
      report.write(context)
    }
    return report.exitCode
  }

  /// What there is to see without a library.
  private func lookOutside(_ context: Context) async throws -> ExitCode {
    let settings = try SettingsTable(nil, context)
    var server: ServerHealth?
    if let setting = try? context.serverSetting(nil), setting.server != .embedded {
      let progress = context.progress()
      progress.update("Asking the server")
      defer { progress.finish() }
      server = try await ServerHealth.ask(setting, context)
    }
    let report = DoctorReport(
      examined: nil, settings: settings, server: server, plan: [], mended: [], isFixing: false,
      isDryRun: false)
    return tell(report, context)
  }

  /// The server's health; `nil` where the library is in no state to be brought together with one.
  private func askServer(_ library: Library, _ context: Context) async throws -> ServerHealth? {
    guard let scan = try? context.scan(library) else { return nil }
    return try await ServerHealth.ask(library, scan, context)
  }
}
