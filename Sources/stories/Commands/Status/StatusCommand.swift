import StoryAPI
import StoryLibrary
import StorySync

struct StatusCommand: Command {
  enum PorcelainVersion: String, ChoiceArgument {
    case v1
  }

  var words: [String] = []
  var usesExitCode = false
  var porcelain: PorcelainVersion?
  var usesNulls = false
  var showsAll = false
  var maximumAge: Duration?
  var asksServer = false

  static let name = "status"
  static let summary = "Show what changed locally since the last sync"
  static let discussion = """
    Compares each record with its sidecar, which holds the last synced version. No network is \
    used, so changes on the server are not shown; --remote asks the server too, and changes \
    nothing. With REF, only these records are shown and counted.

    Each line starts with two letters, one for the local and one for the server's side: A new, a \
    draft, M edited, D deleted, R renamed, U conflict, ! unreadable or missing, . unchanged. After \
    the record come its changed fields.

    A new story without text is a draft (a). It is checked and listed, but it is not sent and does \
    not count as pending.

    A record is missing if only its sidecar is left and nothing shows that a person removed the \
    record, or if it disappeared together with its sidecar. A missing record is not deleted on the \
    server, and a pull brings it back; `stories rm` deletes it.

    If an edited record equals an older synced version, a hint says that git may have brought it \
    back. Pictures of stories belong to the server: local changes to them are shown, and the next \
    pull reverts them.

    With --porcelain=v1, each line is the two letters, a space and the record; then a tab and the \
    changed fields, separated by commas; then, for a renamed record, a tab and its old name. With \
    -z, each of these parts ends in a NUL byte instead: two parts per record, three for a renamed \
    one. This format does not change.

    With --max-age, exits with 1 if the last complete pull is older, or if there was none.
    """
  static let examples = [
    Example("stories status", "what a push would send"),
    Example("stories status stories/2026", "only the records of a folder"),
    Example("stories status --all", "records in sync too"),
    Example("stories status --remote", "what a pull would bring, too"),
    Example("stories status --exit-code", "for scripts: exits with 10 if something is pending"),
    Example(
      "stories status -q --max-age 24h", "for monitoring: exits with 1 after a day without a pull"),
  ]
  static let parameters: [Parameter<StatusCommand>] = [
    .arguments(
      "REF", \.words, help: "A record, a folder of records or a kind (default: all)",
      completion: .record),
    .flag("exit-code", \.usesExitCode, help: "Exit with 10 if something is pending"),
    .option("porcelain", value: "v1", \.porcelain, help: "Print the stable format for scripts"),
    .flag("", letter: "z", \.usesNulls, help: "Separate the parts of --porcelain with NUL bytes"),
    .option(
      "max-age", value: "TIME", \.maximumAge,
      help: "Exit with 1 if the last complete pull is older, such as 24h"),
    .flag("remote", \.asksServer, help: "Ask the server for its changes too"),
    .flag("all", \.showsAll, help: "Show records in sync too"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if porcelain != nil, context.isJSON { throw UsageError(.excluded("--porcelain", by: "--json")) }
    if usesNulls, porcelain == nil { throw UsageError(.missing("--porcelain=v1", for: "-z")) }
    let library = try context.library()
    let scan = try context.scan(library, kinds: EntityKind.allCases)
    let older = GitRepository(library)?.olderVersions(in: scan, of: library)
    var answer: SyncReport?
    var problem: ErrorReport?
    do {
      if asksServer { answer = try await ask(library, context) }
    } catch {
      problem = ErrorReport(error, in: context)
    }
    let selection = try selection(of: scan, answer?.remoteChanges, library, context)
    var report = StatusReport(
      scan, of: library, older: older ?? [], remote: answer?.remoteChanges, selection: selection)
    // Problems of local files are in the report anyway.
    let failures = answer?.failed.filter { $0.place == nil } ?? []
    if let failure = failures.first(where: { selection?.contains($0.ref) ?? true }) {
      problem = ErrorReport("failed", "\(failure.ref): \(failure.message)", hint: failure.hint)
    }
    let pulledAt = library.pulledAt
    let stale = staleness(pulledAt, context)
    report.showsAll = showsAll
    report.pulledAt = pulledAt
    report.error = problem ?? stale
    if porcelain != nil {
      context.output.bytes(report.porcelain(nulls: usesNulls))
    } else {
      context.tell(report) { report.write(to: context.output, in: library, context: context) }
    }
    for problem in [problem, stale].compactMap(\.self) {
      context.output.sink.flush()
      problem.write(to: context.errors)
    }
    return .worst([
      stale?.exitCode ?? .done, problem?.exitCode ?? .done,
      usesExitCode && report.isPending ? .pending : .done,
    ])
  }

  /// Returns the error for a last complete pull that is older than `--max-age`, or `nil`.
  private func staleness(_ pulledAt: ServerDate?, _ context: Context) -> ErrorReport? {
    guard let maximumAge else { return nil }
    var message = "there has been no complete pull yet"
    if let pulledAt {
      let age = context.time.now().duration(since: pulledAt)
      if age < .zero - Self.tolerance {
        message =
          "the last complete pull was at \(pulledAt.wire), which is in the future for this machine's"
          + " clock"
      } else {
        guard age > maximumAge else { return nil }
        message =
          "the last complete pull was \(Phrases.span(age)) ago, more than \(maximumAge.text)"
      }
    }
    return ErrorReport("stale", message, hint: "stories sync pull")
  }

  /// How far in the future the last pull may be, in case the clock was set back.
  private static let tolerance = Duration.seconds(300)

  /// Returns the named records, or `nil` if all are shown. Records that only the server has can be named,
  /// too.
  ///
  /// - Throws: `CommandError` for a word without a record.
  private func selection(
    of scan: Scan, _ remote: [RecordRef: SyncReport.RemoteChange]?, _ library: Library,
    _ context: Context
  ) throws(CommandError) -> RecordSelection? {
    guard !words.isEmpty else { return nil }
    var scan = scan
    scan.entries += (remote ?? [:]).keys.filter { scan.entry($0) == nil }
      .map { ScanEntry(ref: $0, state: .synced) }
    let resolver = RefResolver(scan, of: library, context: context, includesMissing: true)
    var selection = RecordSelection()
    for word in words { try selection.add(word, of: EntityKind.allCases, resolver) }
    return selection
  }

  /// Returns the plan of a pull that is not carried out, which has the server's changes.
  ///
  /// - Throws: the error that ended it and is about no record.
  private func ask(_ library: Library, _ context: Context) async throws -> SyncReport {
    let setting = try context.serverSetting(library)
    let report = try await SyncCommand(direction: .pull, isDryRun: true)
      .perform(library, setting, context).report
    if let error = report.error { throw error }
    if let stop = report.stops.first { throw stop }
    return report
  }
}
