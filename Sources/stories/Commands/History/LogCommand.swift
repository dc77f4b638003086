import JSONText
import StoryAPI
import StoryLibrary
import StorySync

struct LogCommand: Command {
  var run: String?

  static let name = "log"
  static let summary = "Show earlier runs and what they kept"
  static let isPaged = true
  static let discussion = """
    Everything that a sync or another command replaces or removes, locally or on the server, is \
    kept first. Runs are listed newest first, named by their start in UTC, with their age. With \
    RUN, shows that run and the versions that it kept; the start of its name is enough if it is \
    unique.

    Runs are local to this machine, in .stories/runs/. They stay for at least 30 days, \
    unless they take more than 200 MiB (settings keepRuns and runSpace): then the oldest are removed. \
    The newest always stays.
    """
  static let examples = [
    Example("stories log", "all runs"),
    Example("stories log 2026-11-20T10", "the run of that hour, with what it kept"),
    Example("stories undo", "undo what the newest run changed locally"),
  ]
  static let parameters: [Parameter<LogCommand>] = [
    .argument("RUN", \.run, help: "The run (default: all)", completion: .run)
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let history = RunHistory(library)
    let runs = try history.runs()
    if let run {
      let run = try runs.find(run)
      try show(run, history, library, context)
      context.noteUnreadable([run], history)
      return .done
    } else if context.isJSON {
      context.output.json(Self.report(runs))
    } else if runs.isEmpty {
      context.note("No runs yet: nothing has been replaced.")
    } else {
      var table = Table(indent: 0)
      for run in runs {
        table.add(
          Text(run.name, .faint), Text(run.age(at: context.time.now()), .faint),
          Text(run.commandWord, run.report == nil ? .warning : .strong),
          Text(run.summary(kept: (try? history.keptCounts(run)) ?? (0, 0))))
      }
      table.write(to: context.output)
      context.noteUnreadable(runs.filter { $0.report?["schema"] == "stories.run/1" }, history)
    }
    return .done
  }

  private static func report(_ runs: any Encodable) -> Members {
    ["schema": "stories.log/1", "runs": runs]
  }

  // MARK: One run

  private func show(
    _ run: RunHistory.Run, _ history: RunHistory, _ library: Library, _ context: Context
  ) throws {
    let references = try context.scan(library).references
    let kept = try history.versions(in: run.name).map { KeptVersion($0, history, references) }
    if context.isJSON {
      let versions = kept.map { one -> Members in ["ref": one.version.ref] + one.members }
      return context.output.json(Self.report([run.members + ["versions": versions]]))
    }
    let output = context.output
    let age = run.age(at: context.time.now())
    let name = [run.name, age].filter { !$0.isEmpty }.joined(separator: ", ")
    output.line(Text(run.commandWord, .strong) + Text("  \(name)", .faint))
    let summary = run.summary()
    if !summary.isEmpty { output.wrapped(Text(summary)) }
    writeLists(run, to: output)
    guard !kept.isEmpty else { return }
    output.line()
    output.line(Text("Kept", .strong))
    var table = Table()
    for one in kept {
      table.add(
        Text(one.version.ref.description), Text(one.version.side),
        Text(one.difference.words, .faint))
    }
    table.write(to: output)
  }

  /// Writes the records of a sync, grouped by what happened to them.
  private func writeLists(_ run: RunHistory.Run, to output: Output) {
    guard let report = run.report else { return }
    func refs(_ value: JSONValue?) -> [Text] {
      let refs = (value?.array ?? []).compactMap { $0.string ?? $0["ref"]?.string }
      return refs.enumerated().map { Text($1 + ($0 == refs.count - 1 ? "" : ",")) }
    }
    let lists: [(String, JSONValue?)] = [
      ("sent new", report["sent"]?["created"]), ("sent edited", report["sent"]?["updated"]),
      ("sent deleted", report["sent"]?["deleted"]), ("renamed", report["sent"]?["renamed"]),
      ("received new", report["received"]?["created"]),
      ("received changed", report["received"]?["updated"]),
      ("received deleted", report["received"]?["deleted"]), ("merged", report["merged"]),
      ("already there", report["adopted"]), ("in conflict", report["conflicts"]),
      ("failed", report["failed"]),
    ]
    let filled = lists.map { (name: $0, refs: refs($1)) }.filter { !$0.refs.isEmpty }
    guard !filled.isEmpty else { return }
    output.line()
    let width = filled.map(\.name.count).max() ?? 0
    for (name, refs) in filled {
      output.filled(refs, lead: Text("  ") + Text(name, .faint).padded(to: width + 2))
    }
  }
}
