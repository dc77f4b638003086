import StoryLibrary
import StorySync

extension EditError: ReportedError {
  func report(in context: Context) -> ErrorReport { report }

  var report: ErrorReport {
    switch self {
    case .noSuchRecord(let ref, let nearest):
      .misuse("no-record", "there is no \(ref)", hint: nearest.map { "did you mean \($0)?" })
    case .removed(let ref):
      .misuse(
        "no-record", "\(ref.path) was removed",
        hint: "to bring it back: stories restore \(ref.word)")
    case .exists(let ref):
      .misuse("name-taken", "\(ref) already exists", hint: "choose another name")
    case .otherKind(let ref, let kind):
      .misuse(
        "other-kind", "\(ref) cannot become one of the \(kind.rawValue)",
        hint: "a record keeps its kind: write the new name as \(ref.kind.folder)/NAME")
    case .readOnly(let ref):
      .misuse(
        "read-only",
        "\(ref) belongs to the server: \(ref.kind.rawValue) cannot be edited, renamed, removed or"
          + " restored locally", hint: "a pull restores what the server has: stories sync pull")
    case .stillNamed(let ref, let referrers):
      .init(
        "still-named", "\(ref) is still referenced by \(referrers.listed(upTo: 3))",
        hint: "change those references first, or remove those records too", exitCode: .stopped)
    case .noConflict(let ref):
      .misuse("no-conflict", "\(ref) is not in conflict", hint: "`stories conflicts` lists what is")
    case .cannotMerge(let ref):
      .init(
        "cannot-merge", "\(ref) was deleted on one side, so there is nothing to merge",
        hint: "choose --local or --server", exitCode: .conflictsLeft)
    case .twoIDs(let ref):
      .init(
        "two-ids", "git merged two different records under the name \(ref)",
        hint: "choose --local (your branch's) or --server (the other branch's)",
        exitCode: .conflictsLeft)
    case .otherRecord(let ref, let home, let isLocal):
      .init(
        "other-record",
        "the \(isLocal ? "local" : "server") version of \(ref) is another record"
          + (home.map { ", which is \($0) here" } ?? ""),
        hint: "copy what you want to keep of it from \(ref.path) to \(home?.path ?? "a new name"),"
          + " then choose " + (isLocal ? "--server" : "--local"), exitCode: .conflictsLeft)
    case .changedMeanwhile(let ref):
      .init(
        "changed-meanwhile", "\(ref.path) was saved at the same moment",
        hint: "run the command again")
    case .isOpen(let ref, let holder):
      .init(
        "open", "\(ref) is open in an editor (\(holder))",
        hint: "close it, then run the same command again", exitCode: .stopped)
    case .noSuchRun(""): .misuse("no-run", "there is no run yet")
    case .noSuchRun(let name):
      .misuse("no-run", "there is no run \(name)", hint: "`stories log` lists the runs")
    case .severalRuns(let name):
      .misuse("no-run", "several runs begin with \(name)", hint: "`stories log` lists the runs")
    case .noVersion(let ref):
      .misuse("no-version", "no earlier version was kept under the name \(ref)")
    case .noReadableVersion(let ref):
      .misuse(
        "no-version", "no version of \(ref) that was kept can be read",
        hint: "look at them: stories restore \(ref.word) --list")
    case .missing(let ref): ErrorReport(missing: [ref], isKeptLost: true)
    case .inConflict(let ref):
      .init(
        "in-conflict", "\(ref) is in conflict",
        hint: "choose a version with `stories resolve \(ref.word)`", exitCode: .conflictsLeft)
    case .notCheckedOut(let ref):
      .init(
        "not-checked-out", "\(ref) is not checked out",
        hint: "git sparse-checkout add \(ShellWord.quoting(Path.parent(ref.path)))")
    }
  }
}

extension ErrorReport {
  /// Records that are missing together with their sidecars.
  ///
  /// - Parameter isKeptLost: whether a restore found no readable version of them either.
  init(missing refs: [RecordRef], isKeptLost: Bool = false) {
    let isOne = refs.count == 1
    let them = Phrases.them(refs.count)
    let list = refs.listed()
    self.init(
      "missing",
      "\(isOne ? "\(list) and its sidecar" : "\(Phrases.kinds(refs)) and their sidecars")"
        + " are missing locally"
        + (isKeptLost ? ", and no readable version of \(them) was kept" : "")
        + (isOne ? "" : ": \(list)"),
      hint: "`stories sync pull` brings \(them) back",
      exitCode: isKeptLost ? .failed : .wrongUsage)
  }
}

extension RunHistory.Obstacle {
  var message: String {
    switch self {
    case .edited: "it was edited since"
    case .gone: "it was renamed or removed since"
    case .notChanged: "the run did not change it"
    case .interrupted: "the run was interrupted, so edits since cannot be told apart"
    case .savedMeanwhile: "it was saved at the same moment"
    case .refused(let error): error.report.message
    case .problem(let problem): problem.message
    case .failed(let error): "its file cannot be changed: \(error.reason)"
    }
  }
}
