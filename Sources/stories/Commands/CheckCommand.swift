import JSONText
import StoryLibrary
import StorySync

/// `stories check`: all problems of records, with their positions.
struct CheckCommand: Command {
  var words: [String] = []
  var isStrict = false
  var readsIndex = false
  var mends = false
  var isDryRun = false

  static let name = "check"
  static let summary = "Check records for problems"
  static let section = HelpSection.library
  static let discussion = """
    Reads all records and sidecars and lists every problem as file:line:column. A record with an \
    error is not pushed; a warning blocks nothing. Exits with 1 if there are errors. No network is \
    used.

    --fix mends what needs no decision, and says what it did: a field name with a typing error where \
    that field is missing, a value in quotes that must not have them, a hero named by its title, a \
    comma too many. It moves and renames no files, and leaves read-only ones alone. The versions \
    before are kept: `stories undo` brings them back.

    With --staged, checks the records that the next commit changes, and library.json, as they are \
    in git's index; lines and columns are those of the staged text. Also finds sidecars and \
    records that are staged without each other.
    """
  static let examples = [
    Example("stories check", "the whole library"),
    Example("stories check stories/2026 --strict", "a folder; warnings count as errors"),
    Example("stories check --fix --dry-run", "what would be mended"),
    Example("stories check --staged", "what the next commit changes"),
  ]
  static let parameters: [Parameter<CheckCommand>] = [
    .arguments(
      "REF", \.words, help: "A record or a folder of records (default: all)",
      completion: .record),
    .flag("strict", \.isStrict, help: "Exit with 1 for warnings too"),
    .flag("fix", \.mends, help: "Mend what needs no decision"),
    .flag("dry-run", \.isDryRun, help: "With --fix: show what would be mended"),
    .flag("staged", \.readsIndex, help: "Check what is staged in git instead of the files"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if isDryRun, !mends { throw UsageError(.missing("--fix", for: "--dry-run")) }
    if mends, readsIndex { throw UsageError(.excluded("--fix", by: "--staged")) }
    let library: Library
    do {
      library = try context.library()
    } catch let error as LocatedProblem where context.isJSON {
      // An unreadable settings file is a problem like any other.
      context.output.json(Report(problems: [error.problem]))
      return .failed
    }
    var mended: [RecordMender.Mended] = []
    let (refs, problems) =
      try readsIndex ? staged(library, context) : found(library, context, &mended)
    var report = Report(problems: problems)
    if mends { report.mended = mended.map(Report.Mended.init) }
    context.tell(report) {
      write(mended, library, context)
      write(problems, count: refs.count, library, context)
    }
    let isBad = problems.contains { $0.severity == .error || isStrict }
    return isBad ? .failed : .done
  }

  /// - Parameter mended: receives what was mended before.
  private func found(
    _ library: Library, _ context: Context, _ mended: inout [RecordMender.Mended]
  ) throws -> ([RecordRef], [Problem]) {
    let scan = try context.scan(library)
    let refs = try RefResolver(scan, of: library, context: context).records(words)
    let (_, before) = found(refs, scan, library)
    guard mends else { return (refs, before) }
    var problems = before
    var mender = RecordMender(library, scan, time: context.time)
    let outcome = try mender.mend(before, isDryRun: isDryRun) {
      let scan = try context.scan(library)
      problems = found(refs, scan, library).1
      return (scan, problems)
    }
    mended = outcome.mended
    return (refs, problems + outcome.failures)
  }

  private func found(
    _ refs: [RecordRef], _ scan: Scan, _ library: Library
  ) -> ([RecordRef], [Problem]) {
    let found = RecordProblems(scan, of: library)
    guard words.isEmpty else { return (refs, found.problems(of: refs)) }
    let refused = scan.refusedDeletes(in: library).map { $1.problem(of: $0) }
    return (refs, found.problems(of: refs) + found.ofMissing + refused + found.ofLibrary)
  }

  private func staged(
    _ library: Library, _ context: Context
  ) throws -> ([RecordRef], [Problem]) {
    guard words.isEmpty else { throw UsageError(.excluded("REF", by: "--staged")) }
    guard var repository = GitRepository(library) else {
      throw GitSetup.Failure.noRepository(root: library.root)
    }
    repository.indexFile = context.environment["GIT_INDEX_FILE"].map {
      Path.absolute($0, in: context.startFolder)
    }
    let report = try StagedRecords(repository).check()
    return (report.refs, report.problems)
  }

  private struct Report: Encodable {
    struct Mended: Encodable {
      var file: String
      var line: Int?
      var code: String
      var done: String

      init(_ mended: RecordMender.Mended) {
        file = mended.problem.file
        line = mended.problem.position?.line
        code = mended.problem.code.rawValue
        done = mended.mending.words
      }
    }

    let schema = "stories.check/1"
    var problems: [Problem]
    /// What --fix mended, or would mend.
    @Omitted var mended: [Mended]?
  }

  private func write(
    _ mended: [RecordMender.Mended], _ library: Library, _ context: Context
  ) {
    for one in mended {
      let place = context.place(of: one.problem, in: library)
      context.output.line(
        Text(isDryRun ? "Would mend " : "Mended ") + Text("\(place): ", .strong)
          + Text(one.mending.words))
    }
  }

  private func write(
    _ problems: [Problem], count: Int, _ library: Library, _ context: Context
  ) {
    for problem in problems {
      ProblemText(problem, in: library, context: context).write(to: context.output)
    }
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
