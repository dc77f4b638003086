import StoryLibrary
import StorySync

/// `stories status`: how every record stands against what the server said last.
struct StatusCommand: Command {
  /// The stable forms for scripts.
  enum PorcelainVersion: String, ChoiceArgument {
    case v1
  }

  var usesExitCode = false
  var porcelain: PorcelainVersion?
  var usesNulls = false
  var showsAll = false
  var maximumAge: TimeSpan?

  static let name = "status"
  static let summary = "Show what changed here since the last sync"
  static let section = HelpSection.library
  static let discussion = """
    Compares each record with its sidecar, which holds what the server said last. No network is \
    used, so what changed on the server is not in it.

    Each line starts with two letters, for here and for the server: A new, M edited, D deleted, \
    R renamed, U in conflict, ! unreadable, . unchanged. Behind the record stand the fields that \
    changed.

    An edited record that says what an older synced version said gets a hint: git may have brought it \
    back. Pictures of stories are the server's: what was changed of them here is told, and the next \
    pull puts it back.

    With --porcelain=v1 each line is the two letters, a space and the record; behind a tab the \
    changed fields joined by commas; for a renamed record behind another tab the name it had. With \
    -z each of these parts ends in a NUL byte instead: two for each record, three for a renamed \
    one. This form does not change.

    With --max-age it ends with 1 where the last pull that took in everything is older than that, or \
    where there was none.
    """
  static let examples = [
    Example("stories status", "what a push would send"),
    Example("stories status --all", "records in sync as well"),
    Example("stories status --exit-code", "for scripts: ends with 10 when something is pending"),
    Example(
      "stories status -q --max-age 24h", "for watching: ends with 1 after a day without a pull"),
  ]
  static let parameters: [Parameter<StatusCommand>] = [
    .flag("exit-code", \.usesExitCode, help: "End with 10 when something is pending"),
    .option("porcelain", value: "v1", \.porcelain, help: "Print the stable form for scripts"),
    .flag("", letter: "z", \.usesNulls, help: "End what --porcelain prints with NUL bytes"),
    .option(
      "max-age", value: "TIME", \.maximumAge,
      help: "End with 1 where the last complete pull is older, such as 24h"),
    .flag("all", \.showsAll, help: "Show records in sync as well"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if porcelain != nil, context.isJSON { throw UsageError(.excluded("--porcelain", by: "--json")) }
    if usesNulls, porcelain == nil { throw UsageError(.missing("--porcelain=v1", for: "-z")) }
    let library = try context.library()
    let scan = try context.scan(library, kinds: EntityKind.allCases)
    let older = GitRepository(library).map { OlderVersions(library, in: $0).found(in: scan) }
    let report = StatusReport(
      scan, of: library, server: library.configuration.server.text, older: older ?? [])
    let age = PullAge(library, limit: maximumAge, context)
    if context.isJSON {
      context.output.json(report.json(all: showsAll, age))
    } else if porcelain != nil {
      context.output.bytes(report.porcelain(all: showsAll, nulls: usesNulls))
    } else {
      report.write(to: context.output, in: library, context: context, all: showsAll)
    }
    if let problem = age.problem {
      context.output.sink.flush()
      problem.write(to: context.errors)
    }
    return .worst([
      age.problem?.exitCode ?? .done, usesExitCode && report.isPending ? .pending : .done,
    ])
  }
}
