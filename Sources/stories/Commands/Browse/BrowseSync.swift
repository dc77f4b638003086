import StoryAPI
import StoryLibrary
import StoryPages
import StorySync
import Synchronization

/// The sync that a page has started; there is one at a time.
final class BrowseSync: Sendable {
  private struct State {
    var running: (direction: SyncPage.Direction, step: SyncProgress?, task: Task<Void, Never>)?
    var last: Report?
    var isStopped = false
  }

  enum Start: Equatable {
    case started
    case running(SyncPage.Direction)
    case stopped
  }

  /// The result of a sync, in the words of the command.
  private struct Report {
    var lines: [String] = []
    var errors: [String] = []
    var isGood = true
    var conflicts = 0
    var endedAt: ServerDate
  }

  private let context: Context
  private let state = Mutex(State())

  init(_ context: Context) { self.context = context }

  /// Starts a sync unless one is running.
  ///
  /// - Parameter library: The library, and no other one, wherever the program works.
  func start(_ direction: SyncPage.Direction, of library: Library) -> Start {
    state.withLock { state in
      if state.isStopped { return .stopped }
      if let running = state.running { return .running(running.direction) }
      let command = SyncCommand(
        direction: SyncCommand.Direction(rawValue: direction.rawValue), refusesToWait: true)
      state.running = (direction, nil, Task { await self.run(command, library) })
      return .started
    }
  }

  /// Stops a running sync and waits until it has ended cleanly. No other one starts afterwards.
  ///
  /// - Returns: whether there was one.
  func stop() async -> Bool {
    let task = state.withLock { state in
      state.isStopped = true
      return state.running?.task
    }
    guard let task else { return false }
    task.cancel()
    await task.value
    return true
  }

  func page(server: String) -> SyncPage {
    let shown: SyncPage.State = state.withLock { state in
      if let running = state.running {
        return .running(phase: running.step?.words ?? "Starting", count: running.step?.count)
      }
      guard let last = state.last else { return .none }
      return .ended(
        time: time(last.endedAt), report: last.lines, errors: last.errors, isGood: last.isGood,
        conflicts: last.conflicts)
    }
    return SyncPage(server: server, state: shown)
  }

  private func time(_ date: ServerDate) -> String {
    let clock = date.wire.prefix(16).replacing("T", with: " ")
    return "\(Phrases.age(context.time.now().duration(since: date))), at \(clock) UTC"
  }

  private func run(_ command: SyncCommand, _ library: Library) async {
    var context = context
    context.global.isQuiet = false
    context.global.isJSON = false
    context.output = Self.heldOutput()
    context.errors = Self.heldOutput()
    // Nobody sits at the terminal to be asked.
    context.input = Input(isTerminal: false) { nil }
    var ended = Report(endedAt: context.time.now())
    do {
      let setting = try context.serverSetting(library)
      let start = context.uptime()
      let report = try await command.round(library, setting, command.options, context) { step in
        self.state.withLock { $0.running?.step = step }
      }
      let text = command.text(report, library, setting, duration: context.uptime() - start)
      text.write(to: context.output, context: context)
      text.writeFailures(context)
      ended.conflicts = report.conflicts.count
      ended.isGood = [.done, .conflictsLeft].contains(report.exitCode)
    } catch {
      ErrorReport(error, in: context).write(to: context.errors)
      ended.isGood = false
    }
    ended.lines = Self.lines(of: context.output)
    ended.errors = Self.lines(of: context.errors)
    ended.endedAt = context.time.now()
    state.withLock { [ended] state in (state.running, state.last) = (nil, ended) }
  }

  private static func heldOutput() -> Output {
    let sink = OutputSink(isBuffered: false) { _ in 0 }
    sink.hold()
    return Output(sink: sink, isTerminal: false, width: 76)
  }

  /// Returns the lines of held output, without empty ones at the end.
  private static func lines(of output: Output) -> [String] {
    let text = String(decoding: output.sink.release(), as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
