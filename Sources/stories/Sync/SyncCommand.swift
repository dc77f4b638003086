import StoryAPI
import StoryLibrary
import StorySync

/// `stories sync`: brings the library and its server together.
struct SyncCommand: Command {
  /// Which way changes go, where not both.
  enum Direction: String, ChoiceArgument {
    case push, pull
  }

  var direction: Direction?
  var isDryRun = false
  var strategy: Strategy?
  var maximumDeletes: Count?
  var isFull = false
  var refusesToWait = false
  var every: TimeSpan?

  static let name = "sync"
  static let summary = "Bring the library and its server together"
  static let section = HelpSection.sync
  static let discussion = """
    Pulls, then pushes; with a word behind it only one of the two. A pull sends nothing but reads. A \
    push sends new records, the fields that changed and deletes, and leaves what only the server \
    changed for a pull. Changes of different fields of one record come together; a field that both \
    sides changed is decided by the library's policies, or by --strategy for this run, or becomes a \
    conflict, which waits in the record's sidecar while everything else goes on.

    The strategies: server and local take that side's value; newest takes the one that was written \
    later, by the file's modification time, which git rewrites; merge takes what can be brought \
    together; ask leaves the rest to you: on a terminal you are asked at the end, elsewhere it waits.

    More deletes at once than a fifth of a kind, and more than five, stop the run before anything is \
    changed, and so do all records of a kind going; --max-delete names the number that is allowed.

    With --every it goes on until it is told to end (Ctrl-C, SIGTERM): a line for each round, with \
    --json a document a line. The pause is a tenth longer or shorter at random. Where the server was \
    not reached, the next round follows as soon as it answers again. It ends with what the last whole \
    round ended with.

    Ends with 1 where a record failed, 3 where conflicts are left, 4 where it stopped for safety, 5 \
    where you have to sign in first, 6 where the server was not reached.
    """
  static let examples = [
    Example("stories sync", "both ways"),
    Example("stories sync push", "only send"),
    Example("stories sync pull --dry-run", "show what a pull would change"),
    Example("stories sync --every 15m", "go on until it is told to end"),
  ]
  static let parameters: [Parameter<SyncCommand>] = [
    .argument("DIRECTION", \.direction, help: "push or pull; both without it"),
    .flag("dry-run", \.isDryRun, help: "Show the plan and do nothing"),
    .option(
      "strategy", value: "S", \.strategy,
      help: "Who wins where both sides changed a field: server, local, newest, merge or ask"),
    .option(
      "max-delete", value: "N", \.maximumDeletes,
      help: "Allow this many deletes of a kind, for this run"),
    .flag("full", \.isFull, help: "Read the server's whole list, not only what is new"),
    .option(
      "every", value: "TIME", \.every,
      help: "Sync again and again, so long after the end of the last time, such as 15m"),
    .flag("no-wait", \.refusesToWait, help: "Stop where another sync is at work, with 4"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if let every { return try await repeatedly(every, context) }
    let (library, setting) = try target(context)
    let (report, text) = try await perform(library, setting, context)
    if context.isJSON {
      context.output.json(report.json)
    } else {
      text.write(to: context.output, context: context)
    }
    context.detail(text.cost)
    text.writeFailures(context)
    return try ask(about: report, library, context) ?? report.exitCode
  }

  /// Asks about the conflicts of this run, where somebody sits at a terminal and nothing else went
  /// wrong; `nil` where there is nothing to ask.
  private func ask(
    about report: SyncReport, _ library: Library, _ context: Context
  ) throws -> ExitCode? {
    guard context.isInteractive, !isDryRun, !context.global.isQuiet,
      report.exitCode == .conflictsLeft
    else { return nil }
    let conflicts = ConflictSet(library, try context.scan(library)).only(
      report.conflicts.map(\.ref))
    guard !conflicts.items.isEmpty else { return nil }
    let outcome = try ConflictDialogue(context).run(conflicts)
    context.output.line()
    outcome.write(isDryRun: false, to: context)
    return outcome.exitCode
  }

  /// Syncs once, until it is done or a signal ends it.
  func perform(
    _ library: Library, _ setting: ServerSetting, _ context: Context
  ) async throws -> (SyncReport, SyncText) {
    let start = context.uptime()
    let report = try await context.interruptible {
      try await round(library, setting, context)
    }
    let text = SyncText(
      report: report, direction: options.direction, server: setting.shown,
      duration: context.uptime() - start, library: library)
    return (report, text)
  }

  private func target(_ context: Context) throws -> (Library, ServerSetting) {
    let library = try context.library()
    let setting = try context.serverSetting(library)
    context.detail("Server: \(setting.server.text) (from \(setting.source.rawValue))")
    return (library, setting)
  }

  /// Syncs once.
  private func round(
    _ library: Library, _ setting: ServerSetting, _ context: Context
  ) async throws -> SyncReport {
    let access = ServerAccess(library: library, setting: setting, context: context)
    var synchronizer = Synchronizer(library: library, time: context.time) { scan in
      try await access.connect(scan)
    }
    synchronizer.runLimits = try context.settings().runLimits
    let progress = context.progress()
    let noted = SyncProgressText(context: context, progress: progress)
    do {
      let report = try await synchronizer.run(options) { noted.update($0) }
      progress.finish()
      await access.close()
      return report
    } catch {
      progress.finish()
      await access.close()
      throw error
    }
  }

  /// Syncs until a signal asks it to end.
  private func repeatedly(_ every: TimeSpan, _ context: Context) async throws -> ExitCode {
    if isDryRun { throw UsageError(.excluded("--every", by: "--dry-run")) }
    if maximumDeletes != nil { throw UsageError(.excluded("--every", by: "--max-delete")) }
    guard every.duration >= Self.shortestInterval else {
      throw UsageError(
        .wrongValue(
          of: "--every", every.text, ValueProblem(expected: "at least a second")))
    }
    let (library, setting) = try target(context)
    _ = try context.settings()
    let text = SyncRoundText(
      context, direction: options.direction, server: setting.shown, library: library)
    let periodic = PeriodicSync(
      interval: every.duration, time: context.time, random: context.random,
      sync: {
        // What library.json says may have changed since the last round.
        let (library, setting) = try target(context)
        return try await round(library, setting, context)
      },
      isReachable: { await Self.isReachable(context) },
      tell: { text.tell($0) })
    context.note(
      "Syncing with \(setting.shown) every \(Phrases.span(every.duration)); Ctrl-C ends it.")
    try await context.interruptible { try await periodic.run() }
    return text.exitCode
  }

  /// The shortest time between two rounds.
  private static let shortestInterval = Duration.seconds(1)

  private static func isReachable(_ context: Context) async -> Bool {
    guard let remote = try? RemoteServer(context) else { return true }
    return await remote.isReachable()
  }

  private var options: SyncOptions {
    var options = SyncOptions()
    switch direction {
    case .push: options.direction = .push
    case .pull: options.direction = .pull
    case nil: options.direction = .both
    }
    options.isDryRun = isDryRun
    options.strategy = strategy
    options.maximumDeletes = maximumDeletes?.value
    options.isFull = isFull
    options.waits = !refusesToWait
    return options
  }
}

extension Strategy: ChoiceArgument {}

/// A number from 0 on.
struct Count: ArgumentValue {
  var value: Int

  static func parse(_ word: String) throws(ValueProblem) -> Count {
    guard let value = Int(word), value >= 0 else {
      throw ValueProblem(expected: "a whole number from 0 on")
    }
    return Count(value: value)
  }
}

extension SyncReport {
  /// How a sync ended, for whoever started the program.
  var exitCode: ExitCode {
    var codes: [ExitCode] = []
    if !stops.isEmpty { codes.append(.stopped) }
    if let error { codes.append(error.exitCode) }
    if !failed.isEmpty { codes.append(.failed) }
    if !conflicts.isEmpty { codes.append(.conflictsLeft) }
    return .worst(codes)
  }
}
