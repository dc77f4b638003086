import JSONText
import StoryLibrary

struct DiffCommand: Command {
  var words: [String] = []
  var isSummary = false

  static let name = "diff"
  static let summary = "Show what changed in records, field by field"
  static let isPaged = true
  static let discussion = """
    Compares records with their last synced versions. Prose is compared line by line, and within a \
    line word by word: in red and green on a terminal, elsewhere as [-removed-] and {+added+}. For \
    a new or deleted record, every field is shown.
    """
  static let examples = [
    Example("stories diff", "everything a push would send"),
    Example("stories diff luna", "one record"),
    Example("stories diff stories/2026 --stat", "the stories in a folder, one line each"),
  ]
  static let parameters: [Parameter<DiffCommand>] = [
    .arguments(
      "REF", \.words, help: "A record or a folder of records (default: all)", completion: .record),
    .flag("stat", \.isSummary, help: "Show only the changed fields and the number of lines"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context)
    let entries = try opened.entries(words)
    let diffs = entries.compactMap { RecordDiff($0, opened.reader) }
    let problems = entries.filter { $0.state == .unreadable }.flatMap(\.problems)
    context.tell([
      "schema": "stories.diff/1", "records": diffs, "problems": problems,
    ]) {
      if !diffs.isEmpty || problems.isEmpty { write(diffs, context) }
      opened.write(problems, to: context.errors)
    }
    return problems.isEmpty ? .done : .failed
  }

  private func write(_ diffs: [RecordDiff], _ context: Context) {
    guard !diffs.isEmpty else {
      return context.note("Nothing differs from the last synced versions.")
    }
    if isSummary {
      var table = Table(indent: 0)
      for diff in diffs {
        let code = StatusCode(diff.entry)
        table.add(Text(code.description, code.style), "\(diff.entry.ref)", diff.summary)
      }
      table.write(to: context.output)
    } else {
      for (place, diff) in diffs.enumerated() {
        if place > 0 { context.output.line() }
        diff.write(to: context.output)
      }
    }
  }
}

extension RecordDiff {
  /// The changed fields, with the number of lines for long text.
  fileprivate var summary: Text {
    guard entry.state == .pendingUpdate || entry.state == .conflict else {
      return changes.isEmpty ? "renamed" : Text(Phrases.count(changes.count, "field"))
    }
    return changes.map { change in
      guard change.field.shape == .lines, let old = change.base.string,
        let new = change.local.string
      else { return Text(change.field.key) }
      return "\(change.field.key) " + Self.counts(of: LineDiff(from: old, to: new))
    }.joined(", ")
  }
}
