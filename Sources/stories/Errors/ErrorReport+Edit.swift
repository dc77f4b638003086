import StoryLibrary
import StorySync

extension ErrorReport {
  init(_ error: EditError) {
    let (code, exitCode): (String, ExitCode) =
      switch error {
      case .noSuchRecord, .removed: ("no-record", .wrongUsage)
      case .exists: ("name-taken", .wrongUsage)
      case .otherKind: ("other-kind", .wrongUsage)
      case .readOnly: ("read-only", .wrongUsage)
      case .stillNamed: ("still-named", .stopped)
      case .noConflict: ("no-conflict", .wrongUsage)
      case .cannotMerge: ("cannot-merge", .conflictsLeft)
      case .twoIDs: ("two-ids", .conflictsLeft)
      case .otherRecord: ("other-record", .conflictsLeft)
      case .changedMeanwhile: ("changed-meanwhile", .failed)
      case .isOpen: ("open", .stopped)
      case .noSuchRun, .severalRuns: ("no-run", .wrongUsage)
      case .noVersion: ("no-version", .wrongUsage)
      case .noReadableVersion: ("no-version", .wrongUsage)
      case .missing: ("missing", .failed)
      case .inConflict: ("in-conflict", .conflictsLeft)
      case .notCheckedOut: ("not-checked-out", .failed)
      }
    self.init(code, error.message, hint: error.hint, exitCode: exitCode)
  }

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

extension EditError {
  var message: String {
    switch self {
    case .noSuchRecord(let ref, _): "there is no \(ref)"
    case .removed(let ref): "\(ref.path) was removed"
    case .exists(let ref): "\(ref) already exists"
    case .otherKind(let ref, let kind): "\(ref) cannot become one of the \(kind.rawValue)"
    case .readOnly(let ref):
      "\(ref) belongs to the server: \(ref.kind.rawValue) cannot be edited, renamed, removed or restored locally"
    case .stillNamed(let ref, let referrers):
      "\(ref) is still referenced by \(referrers.listed(upTo: 3))"
    case .noConflict(let ref): "\(ref) is not in conflict"
    case .cannotMerge(let ref): "\(ref) was deleted on one side, so there is nothing to merge"
    case .twoIDs(let ref): "git merged two different records under the name \(ref)"
    case .otherRecord(let ref, let home, let isLocal):
      "the \(isLocal ? "local" : "server") version of \(ref) is another record"
        + (home.map { ", which is \($0) here" } ?? "")
    case .changedMeanwhile(let ref): "\(ref.path) was saved at the same moment"
    case .isOpen(let ref, let holder): "\(ref) is open in an editor (\(holder))"
    case .noSuchRun(let name): name.isEmpty ? "there is no run yet" : "there is no run \(name)"
    case .severalRuns(let name): "several runs begin with \(name)"
    case .noVersion(let ref): "no earlier version was kept under the name \(ref)"
    case .noReadableVersion(let ref): "no version of \(ref) that was kept can be read"
    case .missing(let ref): ErrorReport(missing: [ref], isKeptLost: true).message
    case .inConflict(let ref): "\(ref) is in conflict"
    case .notCheckedOut(let ref): "\(ref) is not checked out"
    }
  }

  /// The advice, or `nil` if the message is enough.
  var hint: String? {
    switch self {
    case .noSuchRecord(_, let nearest): nearest.map { "did you mean \($0)?" }
    case .removed(let ref): "to bring it back: stories restore \(ref.word)"
    case .exists: "choose another name"
    case .readOnly: "a pull restores what the server has: stories sync pull"
    case .stillNamed: "change those references first, or remove those records too"
    case .noConflict: "`stories conflicts` lists what is"
    case .cannotMerge: "choose --local or --server"
    case .twoIDs: "choose --local (your branch's) or --server (the other branch's)"
    case .otherRecord(let ref, let home, let isLocal):
      "copy what you want to keep of it from \(ref.path) to \(home?.path ?? "a new name"), then choose "
        + (isLocal ? "--server" : "--local")
    case .changedMeanwhile: "run the command again"
    case .isOpen: "close it, then run the same command again"
    case .noSuchRun(""): nil
    case .noSuchRun, .severalRuns: "`stories log` lists the runs"
    case .noReadableVersion(let ref):
      "look at them: stories restore \(ref.word) --list"
    case .missing(let ref): ErrorReport(missing: [ref], isKeptLost: true).hint
    case .inConflict(let ref): "choose a version with `stories resolve \(ref.word)`"
    case .notCheckedOut(let ref):
      "git sparse-checkout add \(ShellWord.quoting(Path.parent(ref.path)))"
    case .otherKind(let ref, _):
      "a record keeps its kind: write the new name as \(ref.kind.folder)/NAME"
    case .noVersion: nil
    }
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
    case .refused(let error): error.message
    case .problem(let problem): problem.message
    case .failed(let error): "its file cannot be changed: \(error.reason)"
    }
  }
}
