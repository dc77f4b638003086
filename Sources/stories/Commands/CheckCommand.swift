import JSONText
import StoryLibrary
import StorySync

struct CheckCommand: Command {
  var words: [String] = []
  var isStrict = false
  var readsIndex = false
  var isFixing = false
  var isDryRun = false

  static let name = "check"
  static let summary = "Check records for problems"
  static let discussion = """
    Reads all records and sidecars and lists every problem as file:line:column. A record with an \
    error is not pushed; a warning blocks nothing. Exits with 1 if there are errors. No network is \
    used.

    --fix repairs what needs no decision, and says what it did: a mistyped name of a required \
    field, a number or true or false in quotes, a single word instead of a list, a language \
    in capitals, a hero named by its title, an extra comma, or a missing one at the end of a line. It \
    moves and renames no files, and leaves read-only ones alone. The previous versions are kept: \
    `stories undo` brings them back.

    With --staged, checks the records that the next commit changes, and library.json, as they are \
    in git's index; lines and columns are those of the staged text. Also finds sidecars and \
    records that are staged without each other.
    """
  static let examples = [
    Example("stories check", "the whole library"),
    Example("stories check stories/2026 --strict", "a folder; warnings count as errors"),
    Example("stories check --fix --dry-run", "what would be repaired"),
    Example("stories check --staged", "what the next commit changes"),
  ]
  static let parameters: [Parameter<CheckCommand>] = [
    .arguments(
      "REF", \.words, help: "A record or a folder of records (default: all)", completion: .record),
    .flag("strict", \.isStrict, help: "Exit with 1 for warnings too"),
    .flag("fix", \.isFixing, help: "Repair what needs no decision"),
    .flag("dry-run", \.isDryRun, help: "With --fix: show what would be repaired"),
    .flag("staged", \.readsIndex, help: "Check what is staged in git instead of the files"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if isDryRun, !isFixing { throw UsageError(.missing("--fix", for: "--dry-run")) }
    if isFixing, readsIndex { throw UsageError(.excluded("--fix", by: "--staged")) }
    let library: Library
    do {
      library = try context.library()
    } catch let error as Problem where context.isJSON {
      // An unreadable settings file is a problem like any other.
      context.output.json(["schema": "stories.check/1", "problems": [error]] as Members)
      return .failed
    }
    let (refs, problems, fixed) =
      try readsIndex ? staged(library, context) : found(library, context)
    context.tell([
      "schema": "stories.check/1", "problems": problems,
      "fixed": Omitted(isFixing ? fixed.map(Self.members) : nil),
    ]) {
      for one in fixed {
        let place = Text(context.place(of: one.problem, in: library) + ": ", .strong)
        context.output.line(Text(isDryRun ? "Would fix " : "Fixed ") + place + Text(one.fix.words))
      }
      write(problems, count: refs.count, library, context)
    }
    let isBad = problems.contains { $0.severity == .error || isStrict }
    return isBad ? .failed : .done
  }

  /// The records that were checked, the problems that they have, and what was fixed before.
  private typealias Checked = ([RecordRef], [Problem], fixed: [RecordFixer.Fixed])

  private func found(_ library: Library, _ context: Context) throws -> Checked {
    let scan = try context.scan(library)
    let refs = try RefResolver(scan, of: library, context: context).records(words)
    var problems = problems(of: refs, scan, library)
    guard isFixing else { return (refs, problems, []) }
    var fixer = RecordFixer(library, scan, time: context.time)
    let outcome = try fixer.fix(problems, isDryRun: isDryRun) {
      let scan = try context.scan(library)
      problems = self.problems(of: refs, scan, library)
      return (scan, problems)
    }
    return (refs, problems + outcome.failures, outcome.fixed)
  }

  private func problems(of refs: [RecordRef], _ scan: Scan, _ library: Library) -> [Problem] {
    let found = scan.problems(of: refs, in: library)
    guard words.isEmpty else { return found }
    return found + scan.missingProblems + scan.refusedDeletes(in: library)
      + library.configuration.problems + scan.problems
  }

  private func staged(_ library: Library, _ context: Context) throws -> Checked {
    guard words.isEmpty else { throw UsageError(.excluded("REF", by: "--staged")) }
    guard var repository = GitRepository(library) else {
      throw GitSetup.Failure.noRepository(root: library.root)
    }
    repository.indexFile = context.environment["GIT_INDEX_FILE"].map {
      Path.absolute($0, in: context.startFolder)
    }
    let report = try StagedRecords(repository).check()
    return (report.refs, report.problems, [])
  }

  private static func members(of fixed: RecordFixer.Fixed) -> Members {
    [
      "file": fixed.problem.file, "line": fixed.problem.position?.line,
      "code": fixed.problem.code.rawValue, "done": fixed.fix.words,
    ]
  }

  private func write(_ problems: [Problem], count: Int, _ library: Library, _ context: Context) {
    context.write(problems, of: library, to: context.output)
    let errors = problems.count { $0.severity == .error }
    let warnings = problems.count - errors
    let checked = Phrases.count(count, "record")
    guard !problems.isEmpty else {
      guard !context.global.isQuiet else { return }
      return context.output.line("\(checked) checked, \(Text("no problems", .good)).")
    }
    let parts = [
      errors == 0 ? nil : Phrases.count(errors, "error"),
      warnings == 0 ? nil : Phrases.count(warnings, "warning"),
    ].compactMap(\.self)
    context.output.line("\(checked) checked: \(Phrases.list(parts)).")
  }
}
