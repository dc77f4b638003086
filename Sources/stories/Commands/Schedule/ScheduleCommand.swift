import JSONText
import StoryAPI
import StoryLibrary

struct ScheduleCommand: CommandFamily {
  static let name = "schedule"
  static let summary = "Have the system sync this library at intervals"
  static let discussion = """
    The system starts a sync of this library at intervals, also after a restart and without a \
    terminal: with a timer of your systemd, an agent of launchd on a Mac, or a line in your crontab. \
    What it will do is shown first.

    The syncs write to .stories/schedule.log. At 256 KiB it becomes schedule.log.1, and the previous \
    one of that name is removed. A conflict waits for you as usual; `stories status --max-age 24h` \
    shows whether syncs have stopped working.
    """
  static let examples = [
    Example("stories schedule install --every 15m", "from now on, every 15 minutes"),
    Example("stories schedule", "whether it is set up, and how the last sync ended"),
    Example("stories schedule remove", "remove it"),
  ]
  static let subcommands: [any Command.Type] = [
    ScheduleStatusCommand.self, ScheduleInstallCommand.self, ScheduleRemoveCommand.self,
    ScheduleRunCommand.self,
  ]
  static let defaultSubcommand: (any Command.Type)? = ScheduleStatusCommand.self
  static let foreignWords = [
    "enable": "install", "add": "install", "set": "install", "start": "install",
    "disable": "remove", "uninstall": "remove", "stop": "remove", "show": "status",
    "list": "status",
  ]
}

struct ScheduleInstallCommand: Command {
  var every: Duration?
  var scheduler: Scheduler?
  var isDryRun = false

  static let name = "install"
  static let summary = "Have the system sync this library at intervals"
  static let discussion = """
    Shows what it writes and runs, and on a terminal asks before it does. A schedule that is there \
    already is replaced. The syncs use your session: sign in first.
    """
  static let examples = [
    Example("stories schedule install", "every 15 minutes"),
    Example("stories schedule install --every 1h --dry-run", "only show what would be done"),
    Example("stories schedule install --with cron", "with a line in your crontab"),
  ]
  static let parameters: [Parameter<ScheduleInstallCommand>] = [
    .option("every", value: "TIME", \.every, help: "The time between two syncs (default: 15m)"),
    .option(
      "with", value: "WHAT", \.scheduler,
      help: "The scheduler: systemd, launchd or cron (default: the one that this system has)"),
    .flag("dry-run", \.isDryRun, help: "Show what would be done, without doing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let every = every ?? .seconds(900)
    guard every >= .seconds(60) else {
      throw UsageError(
        .wrongValue(of: "--every", every.text, ValueProblem(expected: "at least a minute")))
    }
    let schedule = try Schedule(library, scheduler ?? .usual(context), context)
    let change = try schedule.installation(every: every)
    return try change.carryOut(isDryRun: isDryRun, "Syncing every \(every.text)", context)
  }
}

struct ScheduleRemoveCommand: Command {
  var isDryRun = false

  static let name = "remove"
  static let summary = "Remove the schedule"
  static let discussion = "The log stays. Records and sidecars are not changed."
  static let examples = [Example("stories schedule remove", "sync only by hand again")]
  static let parameters: [Parameter<ScheduleRemoveCommand>] = [
    .flag("dry-run", \.isDryRun, help: "Show what would be done, without doing it")
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let (installed, failure) = try Schedule.installed(for: library, context)
    let change = try installed.reduce(into: ScheduleChange()) { $0 += try $1.removal() }
    guard !change.isEmpty else {
      if let failure { throw failure }
      context.tell(change.report(isDryRun: isDryRun)) {
        context.output.line("Nothing is scheduled for this library.")
      }
      return .done
    }
    let code = try change.carryOut(isDryRun: isDryRun, "Syncs are no longer scheduled", context)
    return failure.map(context.report) ?? code
  }
}

struct ScheduleStatusCommand: Command {
  static let name = "status"
  static let summary = "Show what is scheduled, and how the last sync ended"
  static let examples = [Example("stories schedule status --json", "for monitoring")]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let (schedules, failure) = try Schedule.installed(for: library, context)
    if schedules.isEmpty, let failure { throw failure }
    let installed = schedules.map(\.scheduler)
    let log = ScheduleLog(library)
    let last = log.last
    let hasLog = FileSystem.exists(log.path)
    let report: Members = [
      "schema": "stories.schedule/1", "installed": installed.map(\.rawValue),
      "log": hasLog ? log.path : nil, "last": last?.line, "exitCode": last?.exitCode,
    ]
    context.tell(report) {
      if installed.isEmpty {
        context.output.line("Nothing is scheduled for this library.")
        context.note("To sync every 15 minutes: stories schedule install")
      }
      for scheduler in installed { context.output.line("Scheduled with \(scheduler.rawValue)") }
      if let last { context.output.line("Last sync: \(last.line)") }
      if hasLog { context.output.line("Log: \(context.shown(log.path))") }
    }
    return failure.map(context.report) ?? .done
  }
}

struct ScheduleRunCommand: Command {
  static let name = "run"
  static let summary = "Sync once, and write the output to the log"
  static let discussion = """
    This is what the system starts. It exits as `stories sync` does, and if another sync is running, \
    it leaves the library to that one.
    """
  static let examples = [Example("stories schedule run", "as the system does")]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let log = ScheduleLog(library)
    log.begin(at: context.time.now())
    var inner = context
    // Without a log, as on a full disk, the system's own one has it.
    inner.output = log.isWritten ? log.output : context.errors
    inner.errors = inner.output
    inner.input = Input(isTerminal: false) { nil }
    inner.global.isJSON = false
    let code: ExitCode
    do {
      code = try await SyncCommand(refusesToWait: true).run(inner)
    } catch LibraryError.locked(let holder) {
      inner.output.line("Nothing was done: another sync is running (\(holder))")
      code = .done
    } catch {
      code = inner.report(error)
    }
    log.end(code)
    context.tell([
      "schema": "stories.schedule-run/1", "exitCode": code.rawValue, "log": log.path,
    ]) {}
    return code
  }
}
