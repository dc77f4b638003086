import JSONText
import StoryLibrary
import StorySync

/// `stories undo`: gives records back what they had before a run.
struct UndoCommand: Command {
  var run: String?
  var isDryRun = false

  static let name = "undo"
  static let summary = "Give records back what they had before a run"
  static let section = HelpSection.sync
  static let discussion = """
    Each record that the run changed gets the content that it had before, as an edit of yours: \
    `stories status` shows it, and the next push sends it. Nothing is sent by the undo itself. A \
    record that was edited since is left and named. The undo is itself a run, so another undo takes \
    it back.

    Ends with 1 where every record had to be left.
    """
  static let examples = [
    Example("stories undo --dry-run", "what the newest run would give back"),
    Example("stories undo 2026-11-20T10", "another run, by the beginning of its name"),
    Example("stories restore heroes/luna --list", "the earlier versions of one record"),
  ]
  static let parameters: [Parameter<UndoCommand>] = [
    .argument("RUN", \.run, help: "The run; the newest without it"),
    .flag("dry-run", \.isDryRun, help: "Show what would be given back and do nothing"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let history = RunHistory(library)
    let chosen = try RunChoice.find(run, among: try history.runs())
    let undone = try history.undo(chosen.name, isDryRun: isDryRun)
    if context.isJSON {
      context.output.json(json(undone))
    } else {
      write(undone, of: chosen, context)
    }
    return undone.restored.isEmpty && !undone.skipped.isEmpty ? .failed : .done
  }

  private func json(_ undone: RunHistory.Undone) -> JSONValue {
    [
      "schema": "stories.undo/1", "dryRun": .bool(isDryRun), "run": .string(undone.run),
      "restored": .array(undone.restored.map { .string($0.description) }),
      "skipped": .array(
        undone.skipped.map { item in
          ["ref": .string(item.ref.description), "reason": .string(item.reason)]
        }),
    ]
  }

  private func write(
    _ undone: RunHistory.Undone, of run: RunHistory.Run, _ context: Context
  ) {
    let output = context.output
    let what = "`\(RunText(run: run).command)` of \(run.name)"
    guard !undone.restored.isEmpty || !undone.skipped.isEmpty else {
      return output.line("There is nothing to give back: \(what) replaced no record.")
    }
    output.wrapped(Text(isDryRun ? "Would undo \(what):" : "Undid \(what):"))
    var table = Table()
    for ref in undone.restored { table.add(Text("restored", .changed), Text(ref.description)) }
    for (ref, reason) in undone.skipped {
      table.add(Text("left", .warning), Text(ref.description), Text(reason, .faint))
    }
    table.write(to: output)
    guard !undone.restored.isEmpty, !isDryRun else { return }
    context.note(Text("These are edits of yours now; the next push sends them.", .faint))
  }
}
