import JSONText
import StoryLibrary
import StorySync

struct ConflictsCommand: Command {
  var words: [String] = []

  static let name = "conflicts"
  static let summary = "Show conflicts"
  static let discussion = """
    A conflict is a field that was changed locally and on the server, or a record that one side \
    deleted and the other edited. It is kept in the record's sidecar; everything else continues to \
    sync. For each field, shows the base (the last synced value), the local value and the \
    server's; for a record that one side deleted, what the other one changed.

    A record in which git left conflict markers is listed too, and not synced until it is \
    resolved. Its local value is git's “ours”, its server's value git's “theirs”. A file that git \
    left unmerged because one side deleted it is listed with what to do.
    """
  static let examples = [
    Example("stories conflicts", "all conflicts"),
    Example("stories conflicts stories/2026", "in a folder"),
    Example("stories resolve stories/first-snow", "see both versions and decide"),
  ]
  static let parameters: [Parameter<ConflictsCommand>] = [
    .arguments(
      "REF", \.words, help: "A record or a folder of records (default: all)", completion: .conflict)
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context)
    let all = ConflictSet(opened.library, opened.scan)
    let refs = try opened.resolver().records(words)
    let conflicts = words.isEmpty ? all : all.only(refs)
    let unmerged = opened.scan.problems.filter { problem in
      problem.code == .unmerged
        && (words.isEmpty || refs.contains { [$0.path, $0.sidecarPath].contains(problem.file) })
    }
    context.tell([
      "schema": "stories.conflicts/1",
      "conflicts": conflicts.items.map { Self.members(of: $0, in: conflicts) },
      "unmerged": unmerged,
    ]) {
      if unmerged.isEmpty || !conflicts.items.isEmpty {
        Self.write(conflicts, isAll: words.isEmpty, context)
      }
      opened.write(unmerged, to: context.output)
    }
    return .done
  }

  // MARK: Text

  private static func write(_ conflicts: ConflictSet, isAll: Bool, _ context: Context) {
    guard !conflicts.items.isEmpty else {
      return context.output.line(
        isAll ? Text("Nothing is in conflict.", .good) : "None of these is in conflict.")
    }
    for item in conflicts.items {
      context.output.line(heading(item, title: conflicts.reader.content(of: item.entry)?.title))
      switch item.question {
      case .sync where item.asksFields:
        for change in conflicts.changes(of: item) { write(change, to: context.output) }
      case .sync: RecordDiff(item.entry, conflicts.reader)?.writeSide(to: context.output)
      case .split(let split):
        write("local", split.ours, to: context.output)
        write("server", split.theirs, to: context.output)
      case .marked(let record):
        write(record, conflicts.changes(of: item), in: conflicts.library, context)
      }
      context.output.line()
    }
    writeHints(conflicts, context)
  }

  static func heading(_ item: ConflictSet.Item, title: String?) -> Text {
    var text = Text(item.ref.description, .strong)
    if let title { text += Text("  \(title)", .faint) }
    return text + Text("  \(item.words)", .error)
  }

  private static func write(
    _ record: ConflictResolver.MarkedRecord, _ changes: [RecordDiff.FieldChange],
    in library: Library, _ context: Context
  ) {
    if let problem = record.problem {
      return context.write([problem], of: library, to: context.output, indent: 2)
    }
    let names = [("local", record.labels.local), ("server", record.labels.server)]
      .filter { !$1.isEmpty }.map { "\($0) is “\($1)”" }
    let place = "the first marker is in line \(record.line)"
    context.output.wrapped(Text((names + [place]).joined(separator: ", "), .faint), lead: "  ")
    for change in changes { write(change, hasBase: record.hasBase, to: context.output) }
  }

  private static func write(
    _ change: RecordDiff.FieldChange, hasBase: Bool = true, to output: Output
  ) {
    output.line(Text("  ") + Text(change.field.key))
    var versions: [(String, JSONValue, Style)] = [
      ("base", change.base, .faint), ("local", change.local, .plain),
      ("server", change.server ?? .null, .plain),
    ]
    let all = versions.map(\.1)
    if !hasBase { versions.removeFirst() }
    for (name, value, style) in versions {
      let lead = Text("    ") + Text(name, .faint).padded(to: 8)
      let text = RecordDiff.short(value, change.field, among: all)
      output.wrapped(Text(text, style), lead: lead)
    }
  }

  private static func write(_ name: String, _ side: Sidecar, to output: Output) {
    var text = Text(side.base.title.map { "“\($0)”" } ?? "without a title")
    text += Text("  id \(side.id), changed \(side.updatedAt)", .faint)
    output.wrapped(text, lead: Text("    ") + Text(name, .faint).padded(to: 11))
  }

  private static func writeHints(_ conflicts: ConflictSet, _ context: Context) {
    let items = conflicts.items.filter(\.canBeResolved)
    guard !items.isEmpty else { return }
    let ref = items.count == 1 ? items[0].ref.word : "REF"
    let command = context.runnable("stories resolve \(ref)")
    var table = Table(indent: 0)
    table.add(Text(command, .changed), "see both versions and decide")
    let canMerge = items.contains(where: \.canBeMerged)
    table.add(
      Text("\(command) --local", .changed),
      "keep the local version; or --server" + (canMerge ? ", --merge, --edit" : ""))
    table.write(to: context.output)
  }

  // MARK: JSON

  private static func members(of item: ConflictSet.Item, in conflicts: ConflictSet) -> Members {
    func side(_ side: Sidecar) -> Members {
      ["id": side.id, "updatedAt": side.updatedAt, "title": side.base.title]
    }
    let members: Members = [
      "ref": item.ref, "kind": item.kind, "fields": conflicts.changes(of: item),
    ]
    switch item.question {
    case .split(let split):
      return members
        + ["sidecar": split.path, "local": side(split.ours), "server": side(split.theirs)]
    case .marked(let record):
      return members + [
        "line": record.line, "local": ["label": record.labels.local] as Members,
        "server": ["label": record.labels.server] as Members,
        "problem": Omitted(record.problem),
      ]
    case .sync: return members
    }
  }
}
