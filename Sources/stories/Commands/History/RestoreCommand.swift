import JSONText
import StoryLibrary
import StorySync

struct RestoreCommand: Command {
  var words: [String] = []
  var isListing = false
  var run: String?
  var version: Int?
  var isDryRun = false

  static let name = "restore"
  static let summary = "Restore the last synced version of records, or an earlier one"
  static let discussion = """
    Gives a record that was edited, deleted or damaged its last synced version, which is in its \
    sidecar: no network, git or earlier run is needed. Unknown members stay, and a delete by \
    `stories rm` is undone.

    --from takes what RUN replaced, --version one of the versions that --list shows. Such a \
    version counts as an edit of yours, and the next push sends it. The same is true for a record \
    without a sidecar: it gets the newest readable version that a run kept. A folder or kind does \
    not bring back records that were deleted on the server too; name them to bring them back. What \
    runs kept before a rename by `stories mv`, or one that a sync found, is found by the new name too.

    The current content is kept in a run, so `stories undo` reverts the restore. A record in \
    conflict is skipped: use `stories resolve`. Exits with 1 if a record was skipped.
    """
  static let examples = [
    Example("stories restore heroes/luna", "the last synced version"),
    Example("stories restore stories/2026", "everything that changed in it"),
    Example("stories restore heroes/luna --list", "the versions that runs kept"),
    Example("stories restore heroes/luna --version 3", "the third of the list"),
    Example("stories restore heroes --from 2026-11-20T10", "what the run of that hour replaced"),
  ]
  static let parameters: [Parameter<RestoreCommand>] = [
    .arguments(
      "REF", \.words, help: "A record, folder or kind", isRequired: true, completion: .record),
    .flag("list", \.isListing, help: "List the versions that runs kept"),
    .option("from", value: "RUN", \.run, help: "Restore what this run replaced", completion: .run),
    .option(
      "version", value: "N", \.version, help: "Restore the version with this number in the list"),
    .flag("dry-run", \.isDryRun, help: "Show what would change, without changing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if run != nil, version != nil { throw UsageError(.excluded("--version", by: "--from")) }
    let opened = try OpenLibrary(context)
    let scan = opened.scan
    let history = RunHistory(opened.library)
    let refs = try select(opened, history)
    if isListing {
      let ref = try only(refs)
      try list(choices(ref, scan, history), ref, history, context)
      context.noteUnreadable(try history.runs(), history)
      return .done
    }
    let (versions, unreadable) = try versions(of: refs, scan, history)
    var result = try history.restore(
      refs.filter { !unreadable.contains($0) }, to: versions.mapValues(\.version), scan: scan,
      isDryRun: isDryRun)
    result.skipped += refs.filter(unreadable.contains).map { ($0, EditError.noReadableVersion($0)) }
    if refs.count == 1, case let error as EditError = result.skipped.first?.error {
      switch error {
      case .noVersion, .noReadableVersion:
        opened.context.noteUnreadable(try history.runs(), history)
        throw error
      default: break
      }
    }
    try context.tell(report(result, refs, versions, context)) {
      try write(result, versions, history, opened)
    }
    return result.skipped.isEmpty ? .done : .failed
  }

  // MARK: Selecting

  /// Returns the records that the words refer to, including ones that only runs have.
  private func select(_ opened: OpenLibrary, _ history: RunHistory) throws -> [RecordRef] {
    let resolver = opened.resolver(includesMissing: true)
    let ofRun = Set(try run.map { try versions(in: $0, history).keys.sorted() } ?? [])
    var refs: Set<RecordRef> = []
    for word in words {
      var found = ofRun.filter { $0.description.hasPrefix(word + "/") }.sorted()
      var isFolder = !found.isEmpty
      do {
        let match = try resolver.match(word)
        found += match.records
        isFolder = isFolder || match.isFolder
      } catch {
        if found.isEmpty { found = try kept(word, history) }
        if found.isEmpty { throw error }
      }
      // In a folder, only those changed since the last sync or replaced by the run.
      if run == nil, isFolder {
        found.removeAll { ref in
          guard let state = opened.scan.entry(ref)?.state else { return false }
          return state.isNew || state == .synced || state == .notCheckedOut
        }
      } else if found.count > 1 {
        found.removeAll { !ofRun.contains($0) }
      }
      refs.formUnion(found)
    }
    return refs.sorted()
  }

  /// Returns the version of each record that a run kept; the file's version takes precedence over
  /// the server's, as in an undo.
  private func versions(
    in run: String, _ history: RunHistory
  ) throws -> [RecordRef: RunHistory.Version] {
    let name = try history.runs().find(run).name
    return Dictionary(try history.versions(in: name).map { ($0.ref, $0) }) { first, second in
      first.isServer && !second.isServer ? second : first
    }
  }

  /// Returns the record kept by runs that a word refers to. It may be deleted on the server, so a folder
  /// does not include it.
  private func kept(_ word: String, _ history: RunHistory) throws -> [RecordRef] {
    let kept = try history.kept().keys.sorted()
    if let ref = RecordRef(word), kept.contains(ref) { return [ref] }
    let below = kept.filter { $0.description.hasPrefix(word + "/") }
    if !below.isEmpty { throw CommandError.onlyDeleted(below) }
    let named = kept.filter { $0.name == word || Path.name($0.name) == word }
    return named.count == 1 ? named : []
  }

  private func only(_ refs: [RecordRef]) throws(CommandError) -> RecordRef {
    guard let ref = refs.first, refs.count == 1 else {
      throw .severalRecords(words, count: refs.count)
    }
    return ref
  }

  /// Returns the versions of the records that do not get their last synced one, and the records without
  /// a readable version.
  private func versions(
    of refs: [RecordRef], _ scan: Scan, _ history: RunHistory
  ) throws -> (chosen: [RecordRef: KeptVersion], unreadable: Set<RecordRef>) {
    if let version {
      let ref = try only(refs)
      let choices = try choices(ref, scan, history)
      if choices.isEmpty { throw EditError.noVersion(ref) }
      guard let choice = choices.first(where: { $0.number == version }) else {
        throw UsageError(
          .wrongValue(
            of: "--version", "\(version)", ValueProblem(expected: "from 1 to \(choices.count)")))
      }
      return ([ref: choice], [])
    }
    if let run {
      let kept = try versions(in: run, history)
      var named = Self.names(of: refs, scan)
      for later in try history.runs().prefix(while: { !$0.name.hasPrefix(run) }) {
        later.goBack(&named)
      }
      var chosen: [RecordRef: KeptVersion] = [:]
      for (name, ref) in named {
        guard let version = kept[name] else { continue }
        chosen[ref] = KeptVersion(version.renamed(to: ref), history, scan.references)
      }
      if let ref = refs.first(where: { chosen[$0] == nil }) { throw EditError.noVersion(ref) }
      let unreadable = chosen.filter { $1.difference == .unreadable }.keys
      return (chosen.filter { $1.difference != .unreadable }, Set(unreadable))
    }
    var (chosen, unreadable) = try newest(
      of: Set(refs.filter { scan.entry($0)?.namedIDs.isEmpty ?? true }), scan, history)
    // Those that are missing with their sidecars can still be had from the server.
    for pair in scan.missingPairs where !pair.isTakenByGit { unreadable.remove(pair.ref) }
    return (chosen, unreadable)
  }

  /// Returns the name before a rename that no run knows of yet, unless another record has it by now.
  private static func formerName(of ref: RecordRef, _ scan: Scan) -> RecordRef? {
    guard let old = scan.entry(ref)?.formerName, scan.entry(old) == nil else { return nil }
    return old
  }

  /// Returns the records by their names, for going back through runs; also by those before renames that
  /// no run knows of yet.
  private static func names(
    of refs: some Sequence<RecordRef>, _ scan: Scan
  ) -> [RecordRef: RecordRef] {
    let former = refs.compactMap { ref in formerName(of: ref, scan).map { ($0, ref) } }
    return Dictionary(refs.map { ($0, $0) } + former) { first, _ in first }
  }

  /// Returns the newest readable version of each record that says something else than the record does
  /// now; else the newest readable one.
  private func newest(
    of refs: Set<RecordRef>, _ scan: Scan, _ history: RunHistory
  ) throws -> (chosen: [RecordRef: KeptVersion], unreadable: Set<RecordRef>) {
    var open = refs
    var named = Self.names(of: refs, scan)
    var counts: [RecordRef: Int] = [:]
    var chosen: [RecordRef: KeptVersion] = [:]
    for run in try history.runs() where !open.isEmpty {
      for version in ((try? history.versions(in: run.name)) ?? []).reversed() {
        guard let ref = named[version.ref], open.contains(ref) else { continue }
        let version = version.renamed(to: ref)
        counts[version.ref, default: 0] += 1
        let choice = KeptVersion(version, number: counts[version.ref], history, scan.references)
        if choice.difference == .unreadable { continue }
        let isSame = choice.difference == .none || choice.difference == .layout
        if !isSame { open.remove(version.ref) }
        if !isSame || chosen[version.ref] == nil { chosen[version.ref] = choice }
      }
      run.goBack(&named)
    }
    return (chosen, Set(counts.keys.filter { chosen[$0] == nil }))
  }

  private func choices(
    _ ref: RecordRef, _ scan: Scan, _ history: RunHistory
  ) throws -> [KeptVersion] {
    let versions = try history.versions(of: ref, named: Self.formerName(of: ref, scan))
    return versions.enumerated().map { place, version in
      KeptVersion(version, number: place + 1, history, scan.references)
    }
  }

  // MARK: Output

  private func list(
    _ choices: [KeptVersion], _ ref: RecordRef, _ history: RunHistory, _ context: Context
  ) throws {
    if context.isJSON {
      let list: Members = ["schema": "stories.restore/1", "ref": ref, "versions": choices]
      return context.output.json(list)
    }
    guard !choices.isEmpty else {
      return context.note("No run kept an earlier version under the name \(ref).")
    }
    context.output.line(Text(ref.description, .strong))
    var table = Table()
    let runs = try history.runs()
    for choice in choices {
      table.add(
        Text("\(choice.number ?? 0)"), Text(choice.version.run, .faint),
        Text(Self.command(of: choice, in: runs)),
        Text(choice.version.side), Text(choice.difference.words, .faint))
    }
    table.write(to: context.output)
  }

  private func report(
    _ result: RunHistory.Restored, _ refs: [RecordRef], _ versions: [RecordRef: KeptVersion],
    _ context: Context
  ) -> Members {
    let report: Members = [
      "schema": "stories.restore/1", "dryRun": isDryRun, "restored": result.restored,
      "unchanged": result.unchanged,
      "skipped": context.members(of: result.skipped),
    ]
    guard refs.count == 1 else { return report }
    return report + [
      "ref": refs[0], "changed": !result.restored.isEmpty, "versions": Array(versions.values),
    ]
  }

  private func write(
    _ result: RunHistory.Restored, _ versions: [RecordRef: KeptVersion], _ history: RunHistory,
    _ opened: OpenLibrary
  ) throws {
    let (scan, context) = (opened.scan, opened.context)
    let output = context.output
    let verb = isDryRun ? "Would restore" : "Restored"
    if result.restored.count == 1 {
      let ref = result.restored[0]
      let change = change(of: ref, versions[ref], scan)
      output.wrapped(
        Text("\(verb) ") + Text(ref.description, .strong)
          + " to \(try words(for: versions[ref], history))"
          + (change.isEmpty ? "." : " (\(change))."))
    } else if !result.restored.isEmpty {
      let what =
        run.map { "what run \($0) replaced" }
        ?? (versions.isEmpty ? "the last synced version" : "the last version kept")
      output.line("\(verb) \(Phrases.count(result.restored.count, "record")) to \(what):")
      var table = Table()
      for ref in result.restored {
        table.add(Text(ref.description), Text(change(of: ref, versions[ref], scan), .faint))
      }
      table.write(to: output)
    } else if result.unchanged.count == 1 {
      let state =
        versions.isEmpty ? "already has its last synced version" : "already has that content"
      output.line("\(result.unchanged[0]) \(state); nothing was changed.")
    } else if result.skipped.isEmpty {
      output.line("Nothing has changed since the last sync.")
    }
    let chosen = result.restored.filter { versions[$0] != nil }
    if !isDryRun, !chosen.isEmpty {
      context.noteRestored(chosen, in: try context.scan(opened.library))
    }
    // There may be very many of these, and one advice is enough.
    let missing = result.skipped.filter { $0.error as? EditError == .missing($0.ref) }.map(\.ref)
    if !missing.isEmpty {
      ErrorReport(missing: missing, isKeptLost: true).runnable(in: context).write(
        to: context.errors)
    }
    for (ref, error) in result.skipped where error as? EditError != .missing(ref) {
      let report = ErrorReport(error, in: context)
      ErrorReport("not-restored", report.reason, hint: report.hint)
        .write(to: context.errors)
    }
  }

  private func words(for choice: KeptVersion?, _ history: RunHistory) throws -> String {
    guard let choice else { return "the last synced version" }
    let command = Self.command(of: choice, in: try history.runs())
    return "the \(choice.version.side) version that `\(command)` of \(choice.version.run) replaced"
  }

  private static func command(of choice: KeptVersion, in runs: [RunHistory.Run]) -> String {
    runs.first { $0.name == choice.version.run }?.commandWord ?? ""
  }

  private func change(of ref: RecordRef, _ choice: KeptVersion?, _ scan: Scan) -> String {
    if let choice {
      switch choice.difference {
      case .fields(let keys): return Phrases.list(keys)
      case .missing: return "there was no file"
      case .layout, .none, .unreadable: return ""
      }
    }
    guard let entry = scan.entry(ref), entry.hasRecord else { return "there was no file" }
    if entry.state == .unreadable { return "it could not be read" }
    return Phrases.list(entry.changedFields.map(\.key))
  }
}
