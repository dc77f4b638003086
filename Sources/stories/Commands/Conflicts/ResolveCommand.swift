import StoryLibrary
import StorySync

struct ResolveCommand: Command {
  var words: [String] = []
  var takesLocal = false
  var takesServer = false
  var merges = false
  var edits = false
  var tool: String?
  var keys: [String] = []
  var isDryRun = false

  static let name = "resolve"
  static let summary = "Resolve conflicts"
  static let discussion = """
    On a terminal, without an option, shows the local version and the server's side by side, field \
    by field, and asks for a key: l local, s server, b both, e edit, n not now, q quit. Without \
    REF, goes through all conflicts.

    --edit opens the fields in your editor, between lines with <<<<<<< and >>>>>>>; a field that \
    still has one of these lines stays in conflict. --tool runs a merge program on files: $BASE is \
    the last synced version, $LOCAL the local one, $REMOTE the server's, and the program writes \
    $MERGED; if it fails, the conflict stays.

    For a record that one side deleted, --local keeps the local state and --server the server's.

    A record with git's conflict markers is resolved in the same way: its base is the common \
    ancestor, --local takes the version above ======= (git's “ours”) and --server the one below \
    (“theirs”), both shown with git's names for them. What only one of them changed is merged; \
    what is not decided stays between markers. `git add` is left to you. If git merged two \
    records under one name, in the file or in its sidecar, --local and --server choose one of them.

    A resolved conflict does not come back: the local version is sent by the next push, the \
    server's is in the file. A version that loses is kept; see `stories log`. Exits with 3 if \
    conflicts are left.
    """
  static let examples = [
    Example("stories resolve", "go through all conflicts"),
    Example("stories resolve stories/first-snow --server", "take the server's version"),
    Example("stories resolve first-snow --local --field title", "keep the local title"),
    Example(
      "stories resolve first-snow --tool 'meld $LOCAL $BASE $REMOTE -o $MERGED'",
      "merge with another program"),
  ]
  static let parameters: [Parameter<ResolveCommand>] = [
    .arguments(
      "REF", \.words, help: "A record in conflict, or a folder of records", completion: .conflict),
    .flag("local", \.takesLocal, help: "Keep the local version"),
    .flag("server", \.takesServer, help: "Take the server's version"),
    .flag("merge", \.merges, help: "Merge what can be merged"),
    .flag("edit", \.edits, help: "Edit the fields in your editor"),
    .option("tool", value: "CMD", \.tool, help: "Merge with another program"),
    .option("field", value: "KEY", \.keys, help: "Resolve only this field", completion: .none),
    .flag("dry-run", \.isDryRun, help: "Show what would be resolved, without resolving it"),
  ]

  private enum Way {
    case choice(ConflictResolver.Choice)
    case edit
    case tool(String)
    case ask
  }

  func run(_ context: Context) async throws -> ExitCode {
    let way = try self.way(context)
    let library = try context.library()
    try library.checkWritable()
    var conflicts = try ConflictSet(library, context.scan(library)).named(words, context)
    try conflicts.check(fields: keys)
    if case .ask = way, conflicts.items.isEmpty {
      context.tell(ConflictOutcome(isDryRun: isDryRun)) {
        context.output.line(Text("Nothing is in conflict.", .good))
      }
      return .done
    }
    if case .ask = way, !context.isInteractive {
      throw ConflictError.nobodyToAsk(isAboutAll: words.isEmpty)
    }
    var outcome = ConflictOutcome(isDryRun: isDryRun)
    // Markers that need no decision, or whose versions cannot be read.
    for item in conflicts.items where item.needsNoChoice {
      settle(item, in: conflicts, .merge, context, &outcome)
    }
    conflicts = conflicts.only(conflicts.items.filter { !$0.needsNoChoice }.map(\.ref))
    switch way {
    case .ask:
      try ConflictDialogue(context: context, keys: keys).run(conflicts, &outcome)
      if !conflicts.items.isEmpty { context.output.line() }
    case .choice(let choice):
      for item in conflicts.items { settle(item, in: conflicts, choice, context, &outcome) }
    case .edit: for item in conflicts.items { edit(item, in: conflicts, context, &outcome) }
    case .tool(let command):
      let tool = ConflictTool(context: context, conflicts: conflicts, keys: keys, command: command)
      for item in conflicts.items { tool.run(item, &outcome) }
    }
    context.tell(outcome) { outcome.write(to: context) }
    return outcome.exitCode
  }

  private func way(_ context: Context) throws -> Way {
    let named: [(String, Way)] = [
      takesLocal ? ("--local", .choice(.local)) : nil,
      takesServer ? ("--server", .choice(.server)) : nil,
      merges ? ("--merge", .choice(.merge)) : nil,
      edits ? ("--edit", .edit) : nil,
      tool.map { ("--tool", .tool($0)) },
    ].compactMap(\.self)
    if named.count > 1 { throw UsageError(.excluded(named[1].0, by: named[0].0)) }
    guard let (option, way) = named.first else {
      if isDryRun { throw UsageError(.missing("--local, --server or --merge", for: "--dry-run")) }
      return .ask
    }
    if words.isEmpty { throw UsageError(.missingArgument("REF")) }
    if isDryRun, edits || tool != nil { throw UsageError(.excluded("--dry-run", by: option)) }
    if let tool, !tool.contains("MERGED") { throw ConflictError.toolWithoutResult(tool) }
    return way
  }

  private func settle(
    _ item: ConflictSet.Item, in conflicts: ConflictSet, _ choice: ConflictResolver.Choice,
    _ context: Context, _ outcome: inout ConflictOutcome
  ) {
    let asked = keys.isEmpty ? nil : item.keys.filter(keys.contains)
    if asked?.isEmpty == true { return outcome.leave(item) }
    outcome.settle(item, choice, context) {
      try ConflictResolver(conflicts.library).resolve(
        item.ref, choice, fields: asked, isDryRun: isDryRun)
    }
  }

  private func edit(
    _ item: ConflictSet.Item, in conflicts: ConflictSet, _ context: Context,
    _ outcome: inout ConflictOutcome
  ) {
    let asked = item.fields.filter { keys.isEmpty || keys.contains($0.field.key) }
    guard !asked.isEmpty else {
      let isWhole = item.fields.isEmpty
      return outcome.leave(item, nil, isWhole ? "nothing to edit: use --local or --server" : "")
    }
    var file = DraftFile(context: context, draft: conflicts.draft(of: item, asked))
    do {
      let reading = try file.edit()
      for (_, problem) in reading.problems { outcome.fail(item, problem, context) }
      var left = item.keys
      if !reading.values.isEmpty {
        let edited = asked.filter { reading.values[$0.field.wireKey] != nil }.map(\.field.key)
        left = try ConflictResolver(conflicts.library).resolve(
          item.ref,
          choices: Dictionary(edited.map { ($0, .values(reading.values)) }) { first, _ in first },
          seen: item.fields)
      }
      outcome.add(item, left: left, "as you wrote it")
      file.finish()
    } catch {
      file.keep()
      outcome.fail(item, error, context)
    }
  }
}
