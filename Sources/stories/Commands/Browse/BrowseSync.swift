import StoryLibrary
import StoryPages
import StorySync
import Synchronization

/// The sync that a page has started; there is one at a time.
final class BrowseSync: Sendable {
  private enum State {
    case none
    case running(SyncProgress?, Task<Void, Never>)
    case ended(Report)
  }

  /// What came of a sync, in the words of the command.
  private struct Report {
    var lines: [String] = []
    var errors: [String] = []
    var isGood = true
    var conflicts = 0
  }

  private let context: Context
  private let state = Mutex(State.none)

  init(_ context: Context) { self.context = context }

  /// Starts a sync unless one is running.
  func start(_ direction: SyncPage.Direction) {
    state.withLock { state in
      if case .running = state { return }
      var command = SyncCommand()
      command.direction = SyncCommand.Direction(rawValue: direction.rawValue)
      command.refusesToWait = true
      state = .running(nil, Task { [command] in await self.run(command) })
    }
  }

  /// Stops a running sync and waits until it has ended cleanly.
  ///
  /// - Returns: whether there was one.
  func stop() async -> Bool {
    let task: Task<Void, Never>? = state.withLock { state in
      if case .running(_, let task) = state { task } else { nil }
    }
    guard let task else { return false }
    task.cancel()
    await task.value
    return true
  }

  /// The page.
  func page(server: String) -> SyncPage {
    let shown: SyncPage.State = state.withLock { state in
      switch state {
      case .none: .none
      case .running(let step, _):
        .running(phase: step?.words ?? "Starting", count: step?.count)
      case .ended(let report):
        .ended(
          report: report.lines, errors: report.errors, isGood: report.isGood,
          conflicts: report.conflicts)
      }
    }
    return SyncPage(server: server, state: shown)
  }

  private func run(_ command: SyncCommand) async {
    let (results, errors) = (CapturedLines(), CapturedLines())
    var context = context
    context.global.isQuiet = false
    context.global.isJSON = false
    context.output = results.output
    context.errors = errors.output
    // Nobody sits at the terminal to be asked.
    context.input = Input(isTerminal: false) { nil }
    var ended = Report()
    do {
      let (library, setting) = try command.target(context)
      let start = context.uptime()
      let report = try await command.round(library, setting, context) { self.note($0) }
      let text = command.text(report, library, setting, duration: context.uptime() - start)
      text.write(to: context.output, context: context)
      text.writeFailures(context)
      ended.conflicts = report.conflicts.count
      ended.isGood = [.done, .conflictsLeft].contains(report.exitCode)
    } catch {
      ErrorReport(error, in: context).write(to: context.errors)
      ended.isGood = false
    }
    ended.lines = results.lines
    ended.errors = errors.lines
    state.withLock { [ended] in $0 = .ended(ended) }
  }

  private func note(_ step: SyncProgress) {
    state.withLock { state in
      if case .running(_, let task) = state { state = .running(step, task) }
    }
  }
}

/// Output that is kept for a page.
private final class CapturedLines: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  /// The stream to write to.
  var output: Output {
    let sink = OutputSink(isBuffered: false) { written in
      self.bytes.withLock { $0 += written }
      return 0
    }
    return Output(sink: sink, isTerminal: false, width: 76)
  }

  /// The lines, without empty ones at the end.
  var lines: [String] {
    let text = bytes.withLock { String(decoding: $0, as: UTF8.self) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return Array(lines.reversed().drop { $0.isEmpty }.reversed())
  }
}
