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
    together; ask leaves the rest to you.

    More deletes at once than a fifth of a kind, and more than five, stop the run before anything is \
    changed, and so do all records of a kind going; --max-delete names the number that is allowed.

    Ends with 1 where a record failed, 3 where conflicts are left, 4 where it stopped for safety, 5 \
    where you have to sign in first, 6 where the server was not reached.
    """
  static let examples = [
    Example("stories sync", "both ways"),
    Example("stories sync push", "only send"),
    Example("stories sync pull --dry-run", "show what a pull would change"),
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
    .flag("no-wait", \.refusesToWait, help: "Stop where another sync is at work, with 4"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let setting = try context.serverSetting(library)
    context.detail("Server: \(setting.server.text) (from \(setting.source.rawValue))")
    let access = ServerAccess(library: library, setting: setting, context: context)
    let synchronizer = Synchronizer(library: library) { scan in
      try await access.connect(scan)
    }
    let start = context.uptime()
    let progress = context.progress()
    let (options, noted) = (options, SyncProgressText(context: context, progress: progress))
    let report: SyncReport
    do {
      report = try await context.interruptible {
        try await synchronizer.run(options) { noted.update($0) }
      }
    } catch {
      progress.finish()
      await access.close()
      throw error
    }
    progress.finish()
    await access.close()
    let text = SyncText(
      report: report, direction: options.direction, server: setting.shown,
      duration: context.uptime() - start, library: library)
    if context.isJSON {
      context.output.json(report.json)
    } else {
      text.write(to: context.output, context: context)
    }
    context.detail(text.cost)
    text.writeFailures(context)
    return report.exitCode
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
