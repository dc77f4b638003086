import JSONText
import StoryLibrary
import StorySync

/// `stories check`: everything that is wrong with records, with its place.
struct CheckCommand: Command {
  var words: [String] = []
  var isStrict = false
  var readsIndex = false

  static let name = "check"
  static let summary = "Find what is wrong with records"
  static let section = HelpSection.library
  static let discussion = """
    Reads all records and sidecars and lists every problem as file:line:column. An error keeps its \
    record from being pushed, a warning keeps nothing; the command ends with 1 where there are \
    errors. No network is used.

    With --staged it looks at the records that the next commit changes, as git's index has them, \
    whatever the working tree says; lines and columns are those of the staged text.
    """
  static let examples = [
    Example("stories check", "the whole library"),
    Example("stories check stories/2026 --strict", "a folder; warnings count as errors"),
    Example("stories check --staged", "what the next commit changes"),
  ]
  static let parameters: [Parameter<CheckCommand>] = [
    .arguments(
      "REF", \.words, help: "A record, or a folder of records; all without one",
      completion: .record),
    .flag("strict", \.isStrict, help: "End with 1 for warnings as well"),
    .flag("staged", \.readsIndex, help: "Look at what is staged in git, not at the files"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library: Library
    do {
      library = try context.library()
    } catch let error as LocatedProblem where context.isJSON {
      // A settings file that cannot be read is a problem like any other.
      context.output.json(Self.json([error.problem]))
      return .failed
    }
    let (refs, problems) = try readsIndex ? staged(library, context) : found(library, context)
    if context.isJSON {
      context.output.json(Self.json(problems))
    } else {
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
    let problems = try RecordChecks(scan, of: library).problems(of: refs)
    guard words.isEmpty else { return (refs, problems) }
    return (refs, problems + library.configuration.problems + scan.problems)
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

  private static func json(_ problems: [Problem]) -> JSONValue {
    ["schema": "stories.check/1", "problems": .array(problems.map(ProblemText.json))]
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

/// Collects the problems of records, also of those that are in sync.
struct RecordChecks {
  private let scan: Scan
  private let reader: RecordReader

  init(_ scan: Scan, of library: Library) {
    self.scan = scan
    reader = RecordReader(library: library, references: scan.references)
  }

  func problems(of refs: [RecordRef]) throws -> [Problem] {
    let wanted = Set(refs)
    return scan.entries.filter { wanted.contains($0.ref) }.flatMap(problems)
  }

  private func problems(of entry: ScanEntry) -> [Problem] {
    guard entry.hasRecord, let file = try? reader.file(of: entry) else { return entry.problems }
    let own = file.problems(references: scan.references, sidecar: reader.sidecar(of: entry))
    return own + entry.problems.filter { !own.contains($0) }
  }
}
