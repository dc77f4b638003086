import JSONText
import StoryAPI
import StoryLibrary
import StorySync

struct SyncCommand: Command {
  enum Direction: String, ChoiceArgument {
    case push, pull
  }

  var direction: Direction?
  var words: [String] = []
  var isDryRun = false
  var strategy: Strategy?
  var maximumDeletes: Count?
  var isFull = false
  var refusesToWait = false
  var every: Duration?

  static let name = "sync"
  static let summary = "Sync the library with its server"
  static let discussion = """
    Pulls, then pushes. With `push` or `pull`, does only that. A pull changes nothing on the \
    server. A push sends new records, changed fields and deletes; what only the server changed \
    waits for a pull.

    With REF, only those records, folders or kinds are synced, and what they need: a new story \
    takes its new hero along, and a deleted hero its deleted stories. The rest waits.

    Changes to different fields of a record are merged. If both sides changed the same field, the \
    library's policies decide, or --strategy for this run; otherwise the field becomes a conflict, \
    which is kept in the record's sidecar while everything else continues.

    Strategies: server and local take that side's value. newest takes the later one, by the file's \
    modification time (which git rewrites). merge takes what can be merged. ask leaves the rest to \
    you: on a terminal you are asked at the end, elsewhere it becomes a conflict.

    A run stops before it changes anything if it would delete more than five records and more than \
    a fifth of a kind, or all records of a kind that has three or more. Records deleted with \
    `stories rm` do not count. --max-delete raises the limit.

    With --every, syncs until Ctrl-C or SIGTERM and prints one line per round (with --json, one \
    document per line). The pause varies by up to a tenth. If the server cannot be reached, the \
    next round starts as soon as it answers again. The exit code is that of the last complete \
    round.

    Exits with 1 if a record failed, 3 if there are conflicts, 4 if it stopped for safety, 5 if \
    you need to sign in, and 6 if the server cannot be reached.
    """
  static let examples = [
    Example("stories sync", "both ways"),
    Example("stories sync push", "only send"),
    Example("stories sync pull --dry-run", "show what a pull would change"),
    Example("stories sync push stories/first-snow", "only this story, and its hero if it is new"),
    Example("stories sync heroes", "only heroes, both ways"),
    Example("stories sync --every 15m", "every 15 minutes, until Ctrl-C"),
  ]
  static let parameters: [Parameter<SyncCommand>] = [
    .argument("DIRECTION", \.direction, help: "push or pull (default: both)"),
    .arguments(
      "REF", \.words, help: "Only these records, folders or kinds (default: all)",
      completion: .record),
    .flag("dry-run", \.isDryRun, help: "Show the plan, without carrying it out"),
    .option(
      "strategy", value: "S", \.strategy,
      help: "How to resolve a field that both sides changed: server, local, newest, merge or ask"),
    .option(
      "max-delete", value: "N", \.maximumDeletes,
      help: "Allow up to N deletes of a kind in this run"),
    .flag("full", \.isFull, help: "List everything on the server, not only changes"),
    .option(
      "every", value: "TIME", \.every, help: "Repeat, this long after each run ends, such as 15m"),
    .flag("no-wait", \.refusesToWait, help: "Exit with 4 if another sync is running"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if let every { return try await repeatedly(every, context) }
    let (library, setting) = try target(context)
    let text = try await perform(library, setting, context)
    let report = text.report
    context.tell(report.document(in: context) + ["included": text.included.filled]) {
      text.write(to: context.output, context: context)
    }
    context.detail(text.cost)
    text.writeFailures(context)
    return try ask(about: report, library, context) ?? report.exitCode
  }

  /// Asks about the conflicts of this run if there is a terminal and no other error; returns `nil`
  /// if there is nothing to ask.
  private func ask(
    about report: SyncReport, _ library: Library, _ context: Context
  ) throws -> ExitCode? {
    guard context.isInteractive, !isDryRun, !context.global.isQuiet,
      report.exitCode == .conflictsLeft
    else { return nil }
    let conflicts = ConflictSet(library, try context.scan(library)).only(
      report.conflicts.map(\.ref))
    guard !conflicts.items.isEmpty else { return nil }
    var outcome = ConflictOutcome()
    try ConflictDialogue(context: context).run(conflicts, &outcome)
    context.output.line()
    outcome.write(to: context)
    return outcome.exitCode
  }

  /// Syncs once, until it is done or a signal ends it.
  func perform(
    _ library: Library, _ setting: ServerSetting, _ context: Context
  ) async throws -> SyncText {
    let start = context.uptime()
    let options = try selection(library, context)
    let report = try await context.interruptible {
      try await round(library, setting, options, context)
    }
    var text = text(report, library, setting, duration: context.uptime() - start)
    if !words.isEmpty { text.included = noteCompany(in: report, of: options, context) }
    return text
  }

  func text(
    _ report: SyncReport, _ library: Library, _ setting: ServerSetting, duration: Duration
  ) -> SyncText {
    SyncText(
      report: report, direction: options.direction, server: setting.shown, duration: duration,
      library: library)
  }

  func target(_ context: Context) throws -> (Library, ServerSetting) {
    let library = try context.library()
    let setting = try context.serverSetting(library)
    context.detail("Server: \(setting.server.shown) (from \(setting.source.rawValue))")
    return (library, setting)
  }

  private func round(
    _ library: Library, _ setting: ServerSetting, _ options: SyncOptions, _ context: Context
  ) async throws -> SyncReport {
    let progress = context.progress()
    defer { progress.finish() }
    return try await round(library, setting, options, context) { step in
      guard case .waiting = step else {
        return progress.update(step.words, done: step.count?.done, of: step.count?.total)
      }
      progress.finish()
      context.note(Text(step.words))
    }
  }

  /// Syncs once, until it is done or its task is cancelled.
  func round(
    _ library: Library, _ setting: ServerSetting, _ options: SyncOptions, _ context: Context,
    progress: @escaping @Sendable (SyncProgress) -> Void
  ) async throws -> SyncReport {
    try await context.withServer(setting, of: library) { connect in
      var synchronizer = Synchronizer(library: library, time: context.time, connect: connect)
      synchronizer.wording = .english
      synchronizer.runLimits = try context.settings().runLimits
      return try await synchronizer.run(options, progress: progress)
    }
  }

  /// Returns the options with the selected records.
  ///
  /// - Throws: `CommandError` for a word without a record; `UsageError` for a mistyped direction.
  private func selection(_ library: Library, _ context: Context) throws -> SyncOptions {
    var options = options
    guard !words.isEmpty else { return options }
    let scan = try context.scan(library)
    let resolver = RefResolver(scan, of: library, context: context, includesMissing: true)
    var selection = RecordSelection()
    for word in words {
      do throws(CommandError) {
        try selection.add(word, of: EntityKind.writable, resolver)
      } catch {
        let choices = Direction.choices
        guard case .noSuchRecord = error, direction == nil, word == words.first,
          Nearest.match(word, among: choices) != nil
        else { throw error }
        throw UsageError(.wrongValue(of: "DIRECTION", word, .oneOf(choices, not: word)))
      }
    }
    options.only = selection.records
    options.onlyKinds = selection.kinds
    return options
  }

  /// Says which records came along with the selected ones, and returns them.
  private func noteCompany(
    in report: SyncReport, of selected: SyncOptions, _ context: Context
  ) -> [RecordRef] {
    var included: Set<RecordRef> = []
    func note(_ refs: [RecordRef], _ because: (_ count: Int) -> String) {
      let company = Set(refs).filter { !selected.selects($0) }.sorted()
      guard !company.isEmpty else { return }
      included.formUnion(company)
      let names = Phrases.list(company.map(\.description))
      let count = company.count
      context.note(
        "Note: \(names) \(count == 1 ? "is" : "are") included, because \(because(count)).")
    }
    note(report.created + report.receivedNew) { "selected records refer to \(Phrases.them($0))" }
    note(report.deleted + report.updated.map(\.ref)) {
      "\($0 == 1 ? "it refers" : "they refer") to deleted records on the server"
    }
    return included.sorted()
  }

  private func repeatedly(_ every: Duration, _ context: Context) async throws -> ExitCode {
    if isDryRun { throw UsageError(.excluded("--every", by: "--dry-run")) }
    if maximumDeletes != nil { throw UsageError(.excluded("--every", by: "--max-delete")) }
    guard every >= .seconds(1) else {
      throw UsageError(
        .wrongValue(of: "--every", every.text, ValueProblem(expected: "at least a second")))
    }
    let (library, setting) = try target(context)
    _ = try context.settings()
    let text = SyncRoundText(context) { report, duration in
      self.text(report, library, setting, duration: duration)
    }
    let periodic = PeriodicSync(
      interval: every, time: context.time, random: context.random,
      sync: {
        // library.json may have changed since the last round.
        let (library, setting) = try target(context)
        return try await round(library, setting, selection(library, context), context)
      },
      isReachable: {
        guard let remote = try? RemoteServer(context) else { return true }
        return await remote.isReachable()
      },
      tell: { text.tell($0) })
    context.note("Syncing with \(setting.shown) every \(Phrases.span(every)); Ctrl-C ends it.")
    try await context.interruptible { try await periodic.run() }
    return text.exitCode
  }

  /// The options without a selection of records.
  var options: SyncOptions {
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

struct Count: ArgumentValue {
  var value: Int

  static func parse(_ word: String) throws(ValueProblem) -> Count {
    Count(value: try Int.parse(word, in: 0 ... .max))
  }
}

extension SyncReport {
  var exitCode: ExitCode {
    let hasFailed = !failed.isEmpty || warnings.contains { $0.severity == .error }
    return .worst([
      stops.isEmpty ? .done : .stopped, error?.exitCode ?? .done, hasFailed ? .failed : .done,
      conflicts.isEmpty ? .done : .conflictsLeft,
    ])
  }
}

extension SyncProgress {
  var words: String {
    switch self {
    case .waiting(let holder): "Waiting for another command that uses this library: \(holder)"
    case .scanning: "Reading records"
    case .listing(let kind, _, _): "Reading the server's \(kind.rawValue)"
    case .writing: "Writing files"
    case .sending: "Sending"
    }
  }

  /// The progress within the stage, or `nil` if unknown.
  var count: (done: Int, total: Int)? {
    switch self {
    case .waiting, .scanning: nil
    case .listing(_, let done, let total), .writing(let done, let total),
      .sending(let done, let total):
      (done, total)
    }
  }
}
