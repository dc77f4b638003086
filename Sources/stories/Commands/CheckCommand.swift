import StoryLibrary
import StorySync

/// `stories check`: all problems of records, with their positions.
struct CheckCommand: Command {
  var words: [String] = []
  var isStrict = false
  var readsIndex = false

  static let name = "check"
  static let summary = "Check records for problems"
  static let section = HelpSection.library
  static let discussion = """
    Reads all records and sidecars and lists every problem as file:line:column. A record with an \
    error is not pushed; a warning blocks nothing. Exits with 1 if there are errors. No network is \
    used.

    With --staged, checks the records that the next commit changes, and library.json, as they are \
    in git's index; lines and columns are those of the staged text. Also finds sidecars and \
    records that are staged without each other.
    """
  static let examples = [
    Example("stories check", "the whole library"),
    Example("stories check stories/2026 --strict", "a folder; warnings count as errors"),
    Example("stories check --staged", "what the next commit changes"),
  ]
  static let parameters: [Parameter<CheckCommand>] = [
    .arguments(
      "REF", \.words, help: "A record or a folder of records (default: all)",
      completion: .record),
    .flag("strict", \.isStrict, help: "Exit with 1 for warnings too"),
    .flag("staged", \.readsIndex, help: "Check what is staged in git instead of the files"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library: Library
    do {
      library = try context.library()
    } catch let error as LocatedProblem where context.isJSON {
      // An unreadable settings file is a problem like any other.
      context.output.json(Report(problems: [error.problem]))
      return .failed
    }
    let (refs, problems) = try readsIndex ? staged(library, context) : found(library, context)
    context.tell(Report(problems: problems)) {
      write(problems, count: refs.count, library, context)
    }
    let isBad = problems.contains { $0.severity == .error || isStrict }
    return isBad ? .failed : .done
  }

  private func found(
    _ library: Library, _ context: Context
  ) throws -> ([RecordRef], [Problem]) {
    let scan = try context.scan(library)
    let refs = try RefResolver(scan, of: library, context: context).records(words)
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
    let schema = "stories.check/1"
    var problems: [Problem]
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
