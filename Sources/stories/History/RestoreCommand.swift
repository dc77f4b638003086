import JSONText
import StoryLibrary
import StorySync

/// `stories restore`: gives one record an earlier version.
struct RestoreCommand: Command {
  var word = ""
  var isListing = false
  var run: String?
  var version: Int?
  var isDryRun = false

  static let name = "restore"
  static let summary = "Give a record an earlier version"
  static let section = HelpSection.sync
  static let discussion = """
    Takes a version that an earlier run kept, of a record that is there or of one that is gone. \
    Without --run or --version it is the newest one that says something else than the record does \
    now. The result is an edit of yours: `stories status` shows it, and the next push sends it. What \
    the record holds now is kept in turn.
    """
  static let examples = [
    Example("stories restore heroes/luna --list", "the versions that are kept"),
    Example("stories restore heroes/luna", "the newest that differs"),
    Example("stories restore heroes/luna --version 3", "the third of the list"),
  ]
  static let parameters: [Parameter<RestoreCommand>] = [
    .argument("REF", \.word, help: "The record", completion: .record),
    .flag("list", \.isListing, help: "Show the versions that are kept and do nothing"),
    .option("run", value: "RUN", \.run, help: "Take what this run replaced"),
    .option(
      "version", value: "N", \.version, help: "Take the version with this number of the list"),
    .flag("dry-run", \.isDryRun, help: "Show what would change and do nothing"),
  ]

  /// A version with how it differs from what the record says now.
  private struct Choice {
    var number: Int
    var version: RunHistory.Version
    var difference: RunHistory.Difference
    var command: String
  }

  func run(_ context: Context) async throws -> ExitCode {
    if run != nil, version != nil { throw UsageError(.excluded("--version", by: "--run")) }
    let library = try context.library()
    let scan = try context.scan(library)
    let history = RunHistory(library)
    let ref = try find(scan, history, library, context)
    let choices = try choices(ref, history, scan.references)
    if isListing {
      list(choices, ref, context)
      return .done
    }
    guard !choices.isEmpty else { throw EditError.noVersion(ref) }
    let choice = try choose(choices, ref, history)
    let isChanged = try history.restore(choice.version, isDryRun: isDryRun)
    report(choice, isChanged: isChanged, context)
    return .done
  }

  /// The record, be it one of which only versions are left.
  private func find(
    _ scan: Scan, _ history: RunHistory, _ library: Library, _ context: Context
  ) throws -> RecordRef {
    do {
      return try RefResolver(scan, of: library, context: context).record(word)
    } catch {
      let kept = try history.kept().keys.sorted()
      if let ref = RecordRef(word), kept.contains(ref) { return ref }
      let named = kept.filter { $0.name == word || Path.name($0.name) == word }
      guard named.count == 1 else { throw error }
      return named[0]
    }
  }

  private func choices(
    _ ref: RecordRef, _ history: RunHistory, _ references: ReferenceTable
  ) throws -> [Choice] {
    let commands = Dictionary(
      try history.runs().map { ($0.name, RunText(run: $0).command) },
      uniquingKeysWith: { first, _ in first })
    return try history.versions(of: ref).enumerated().map { place, version in
      Choice(
        number: place + 1, version: version,
        difference: history.difference(of: version, references: references),
        command: commands[version.run] ?? "")
    }
  }

  private func choose(
    _ choices: [Choice], _ ref: RecordRef, _ history: RunHistory
  ) throws -> Choice {
    if let version {
      guard let choice = choices.first(where: { $0.number == version }) else {
        throw UsageError(
          .wrongValue(
            of: "--version", "\(version)", ValueProblem(expected: "from 1 to \(choices.count)")))
      }
      return choice
    }
    if let run {
      let name = try RunChoice.find(run, among: try history.runs()).name
      // What the file held goes before what the server did, as an undo has it.
      let kept = choices.filter { $0.version.run == name }
      let earliest = kept.last { !$0.version.isServer } ?? kept.last
      guard let earliest else { throw EditError.noVersion(ref) }
      return earliest
    }
    return choices.first { $0.difference != .none && $0.difference != .layout } ?? choices[0]
  }

  // MARK: Output

  private func list(_ choices: [Choice], _ ref: RecordRef, _ context: Context) {
    if context.isJSON {
      return context.output.json([
        "schema": "stories.restore/1", "ref": .string(ref.description),
        "versions": .array(choices.map { .object(Self.json($0)) }),
      ])
    }
    guard !choices.isEmpty else {
      return context.note("No earlier version of \(ref) is kept.")
    }
    context.output.line(Text(ref.description, .strong))
    var table = Table()
    for choice in choices {
      table.add(
        Text("\(choice.number)"), Text(choice.version.run, .faint), Text(choice.command),
        Text(choice.version.place), Text(choice.difference.words, .faint))
    }
    table.write(to: context.output)
  }

  private static func json(_ choice: Choice) -> JSONObject {
    var object = choice.version.json
    object["ref"] = nil
    object["version"] = .number(JSONNumber(choice.number))
    object["differs"] = choice.difference.json
    object["text"] = .string(String(decoding: choice.version.text, as: UTF8.self))
    return object
  }

  private func report(_ choice: Choice, isChanged: Bool, _ context: Context) {
    let version = choice.version
    if context.isJSON {
      return context.output.json([
        "schema": "stories.restore/1", "dryRun": .bool(isDryRun),
        "ref": .string(version.ref.description), "changed": .bool(isChanged),
        "versions": [.object(Self.json(choice))],
      ])
    }
    guard isChanged else {
      return context.output.line("\(version.ref) says this already; nothing was changed.")
    }
    let what = "the version \(version.place) that `\(choice.command)` of \(version.run) replaced"
    var text =
      Text(isDryRun ? "Would restore " : "Restored ") + Text(version.ref.description, .strong)
    text += Text(" to \(what)")
    switch choice.difference {
    case .fields(let keys): text += Text(" (\(Phrases.list(keys)))")
    case .missing: text += " (it was gone)"
    case .layout, .none: break
    }
    context.output.wrapped(text + ".")
    if !isDryRun {
      context.note(Text("This is an edit of yours now; the next push sends it.", .faint))
    }
  }
}
