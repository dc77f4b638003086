import JSONText
import StoryLibrary
import StorySync

struct UndoCommand: Command {
  var run: String?
  var isDryRun = false

  static let name = "undo"
  static let summary = "Undo what a run changed locally"
  static let discussion = """
    Each record that the run changed gets its whole previous content, at its old path, as an edit of \
    yours: `stories status` shows it, and the next push sends it. That takes back everything that the \
    run changed in it, also what somebody else had changed; to change a single field back, use \
    `stories edit`. The undo itself sends nothing. \
    Records that were edited, renamed or removed since are skipped and named. An undo is a run too, so \
    undoing it is a redo. `stories mv` is a run as well: undoing it gives the record its former name. \
    An undo that was interrupted or could not write a record is continued by undoing the same RUN again.

    For a record that a push changed on the server, the previous content is what the server had, so \
    undoing a push takes your edits back.

    Without RUN, on a terminal, and if the newest run is a sync, asks first.

    Exits with 1 if every record was skipped, or one could not be written.
    """
  static let examples = [
    Example("stories undo --dry-run", "what undoing the newest run would change"),
    Example("stories undo 2026-11-20T10", "another run, by the start of its name"),
    Example("stories restore heroes/luna --list", "the earlier versions of one record"),
  ]
  static let parameters: [Parameter<UndoCommand>] = [
    .argument("RUN", \.run, help: "The run (default: the newest)", completion: .run),
    .flag("dry-run", \.isDryRun, help: "Show what would change, without changing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let history = RunHistory(library)
    let chosen = try history.runs().find(run)
    guard try run != nil || isWanted(chosen, history, context) else { return .done }
    let undone = try history.undo(chosen.name, isDryRun: isDryRun)
    try context.tell(report(undone)) { try write(undone, of: chosen, in: library, context) }
    return undone.hasFailed || undone.isEmpty && !undone.skipped.isEmpty ? .failed : .done
  }

  /// Returns whether to undo the newest run: a sync may not be the one that is meant.
  private func isWanted(
    _ newest: RunHistory.Run, _ history: RunHistory, _ context: Context
  ) throws -> Bool {
    guard !isDryRun, newest.isSync, context.isInteractive, !context.global.isConsenting
    else { return true }
    let planned = try history.undo(newest.name, isDryRun: true)
    if planned.isEmpty { return true }
    var preview = self
    preview.isDryRun = true
    try preview.write(planned, of: newest, in: history.library, context)
    return try context.confirms("do that", else: "change nothing")
  }

  private func report(_ undone: RunHistory.Undone) -> Members {
    [
      "schema": "stories.undo/1", "dryRun": isDryRun, "run": undone.run,
      "restored": undone.restored, "removed": undone.removed,
      "skipped": undone.skipped.map { ["ref": $0.ref, "reason": $0.reason.message] as Members },
    ]
  }

  private func write(
    _ undone: RunHistory.Undone, of run: RunHistory.Run, in library: Library, _ context: Context
  ) throws {
    let output = context.output
    let what = "`\(run.commandWord)` of \(run.name)"
    guard !undone.isEmpty || !undone.skipped.isEmpty else {
      output.line("Nothing to undo: \(what) replaced no record.")
      defer { noteOlderRuns(than: run, in: library, context) }
      let conflicts = (run.report?["conflicts"]?.array ?? []).compactMap { $0["ref"]?.string }
      guard let first = conflicts.first else { return }
      let how =
        conflicts.count == 1
        ? "Its conflict is resolved with: stories resolve \(ShellWord.quoting(first))"
        : "Its \(conflicts.count) conflicts are resolved with: stories resolve REF"
      output.line(Text(context.runnable(how)))
      return
    }
    output.wrapped(Text(isDryRun ? "Would undo \(what):" : "Undid \(what):"))
    var table = Table()
    let (restored, removed) = isDryRun ? ("would restore", "would remove") : ("restored", "removed")
    let scan = isDryRun || undone.isEmpty ? nil : try context.scan(library)
    for ref in undone.restored {
      // What differs from the server now may be more than the run changed last.
      let entry = scan?.entry(ref).flatMap { $0.state == .pendingUpdate ? $0 : nil }
      let fields = entry?.changedFields.map(\.key).joined(separator: ", ") ?? ""
      table.add(Text(restored, .changed), Text(ref.description), Text(fields, .faint))
    }
    for ref in undone.removed { table.add(Text(removed, .removed), Text(ref.description)) }
    for (ref, reason) in undone.skipped {
      table.add(Text("skipped", .warning), Text(ref.description), Text(reason.message, .faint))
    }
    table.write(to: output)
    if undone.hasFailed { context.note("To continue: `stories undo \(run.name)`") }
    if let scan { context.noteRestored(undone.restored + undone.removed, in: scan) }
  }

  private func noteOlderRuns(than run: RunHistory.Run, in library: Library, _ context: Context) {
    guard let runs = try? RunHistory(library).runs(), runs.last?.name != run.name else { return }
    context.aside("To undo an earlier run: `stories undo RUN`; `stories log` lists them")
  }
}

extension RunHistory.Run {
  /// Whether it is a sync that changed records here or on the server.
  fileprivate var isSync: Bool {
    let lists = ["received", "sent"].flatMap { report?[$0]?.object?.members.map(\.value) ?? [] }
    return (lists + [report?["merged"] ?? .null]).contains { $0.array?.isEmpty == false }
  }
}

extension RunHistory.Undone {
  fileprivate var isEmpty: Bool { restored.isEmpty && removed.isEmpty }

  /// Whether a record could not be written.
  fileprivate var hasFailed: Bool {
    skipped.contains { if case .failed = $0.reason { true } else { false } }
  }
}
