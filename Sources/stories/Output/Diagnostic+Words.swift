import StoryLibrary
import StorySync

extension Diagnostic {
  /// The diagnostic in one word, for scripts.
  var code: String { words.code }
  var message: String { words.message }
  /// The next sync's treatment of it, or `nil` if the message is enough.
  var outlook: String? { words.outlook }
  /// The advice, or `nil` if there is nothing to do.
  var hint: String? { words.hint }

  private struct Words {
    var code: String
    var message: String
    var outlook: String?
    var hint: String?

    init(_ code: String, _ message: String, _ outlook: String? = nil, _ hint: String? = nil) {
      (self.code, self.message) = (code, message)
      (self.outlook, self.hint) = (outlook, hint)
    }
  }

  private var words: Words {
    switch what {
    case .newerVersion(let version):
      .init(
        "newer-version",
        "has version \(version), but this program supports versions up to"
          + " \(LibraryConfiguration.version)", "the library is only read",
        "use a newer version of stories")
    case .readOnly:
      .init(
        "read-only", "is not writable", "a pull fails",
        "check the permissions: ls -ld \(ShellWord.quoting(file ?? "."))")
    case .unsafe(let reason):
      .init(
        "unsafe", "cannot be used: \(reason)", Self.noSync,
        LibraryError.unsafeState(path: file ?? "", reason: reason).unsafeHint)
    case .unreadable(let error):
      .init(
        "unreadable", "cannot be read: \(error.reason)", Self.noSync,
        error.isLink
          ? "replace it with what it points to, or remove the link"
          : "check the permissions: ls -ld \(ShellWord.quoting(file ?? "."))")
    case .notScanned(let reason): .init("unreadable", "cannot be scanned: \(reason)", Self.noSync)
    case .stateIsTracked:
      .init(
        "state-is-tracked", SafetyStop.stateIsTracked.message, Self.noSync,
        SafetyStop.stateIsTracked.hint)
    case .gitFailed:
      .init(
        "git-failed", "git does not answer", "what it tracks and ignores was not checked",
        "see what git reports: git status")
    case .sparseUnknown(let marker):
      .init(
        "sparse-unknown",
        "git does not report which records are not checked out, and \(marker) may be that of a sparse"
          + " checkout", Self.noSync, "see what git reports: git ls-files -t")
    case .sidecarsIgnored:
      .init(
        "sidecars-ignored", "git ignores these sidecars",
        "a clone takes these records for new ones and matches them by content",
        "remove .sync from .gitignore: sidecars are committed with their records")
    case .problem(let problem, let outlook):
      .init(problem.code.rawValue, problem.message, outlook.map(words), problem.advice)
    case .orphan(let ref):
      .init(
        "orphan", "has no record", "the next push deletes \(ref) on the server",
        "if that is not intended: `git checkout -- \(ShellWord.quoting(ref.path))`, or"
          + " `stories restore \(ref.word)`")
    case .deleteStated(let ref):
      .init(
        "delete-stated", "marks \(ref) as deleted, but the record exists", "the record stays")
    case .savedBeside(let isNew):
      .init(
        "saved-beside",
        "is an edit that was saved during a sync, next to the record it belongs to",
        isNew ? "it is sent as a new record" : nil,
        "merge the two, then remove this one")
    case .stale:
      .init(
        "stale", "has no record, and another sidecar has its id",
        "the next sync removes it")
    case .temporary where repair == nil:
      .init(
        "temporary", "has the name of a temporary file, but its purpose is unknown",
        "it is left alone", "remove it by hand if you do not need it")
    case .temporary:
      .init(
        "temporary", "is a stale temporary file of an interrupted run",
        area == .staleFiles
          ? "the next sync removes it; an edit in it gets its name back" : nil)
    case .emptyFolder: .init("empty-folder", "holds no sidecar")
    case .odd(let count, let first):
      .init(
        "odd",
        "\(count == 1 ? "1 record has" : "\(count) records have") warnings, the first is \(first)",
        nil, "see them all: stories check")
    case .invalid(let count, let first):
      .init(
        "invalid",
        "\(count == 1 ? "1 record has" : "\(count) records have") errors, the first is \(first)",
        "it is not sent until they are fixed", "see them all: stories check")
    case .conflicts(let count):
      .init(
        "conflicts", "\(count == 1 ? "1 record waits" : "\(count) records wait") for a decision",
        nil,
        "see what: stories conflicts")
    case .failed(let failure):
      .init(
        "failed", "failed last time: \(failure.message)", "the next sync tries it again",
        failure.hint)
    case .noState:
      .init(
        "no-state", "there is no .stories/ on this machine",
        "the next pull lists everything on the server; nothing can be undone")
    case .stateIsNoFolder:
      .init("unsafe", "is not a folder", Self.noSync, "remove it; it is created again")
    case .openState: .init("open-state", "can be read by others on this machine")
    case .notIgnored: .init("not-ignored", "does not make git ignore .stories/")
    case .locked(let holder): .init("locked", "a sync is running: \(holder)")
    case .lock(let reason): .init("lock", "cannot be used: \(reason)", Self.noSync)
    case .journal(let reason): .init("journal", "cannot be read: \(reason)", Self.noSync)
    case .interrupted(let writes, let files):
      .init(
        "interrupted",
        "a run was interrupted: "
          + [
            writes > 0 ? "\(writes) sent without an answer" : nil,
            files > 0 ? "\(files) received without their sidecars" : nil,
          ].compactMap(\.self).joined(separator: ", "), "the next sync finishes it first",
        "stories sync")
    case .damaged: .init("unreadable", "is damaged", "it is ignored")
    case .otherServer: .init("other-server", "belongs to another server or account", Self.wholeList)
    case .otherSidecars:
      .init(
        "other-sidecars", "does not match the sidecars (after a checkout or a merge)",
        Self.wholeList)
    case .unfinishedRun(let name):
      .init(
        "unfinished-run", "did not finish", nil, "see what it kept: stories log \(name)")
    case .draft:
      .init(
        "draft", "was written in an editor or a merge tool, and was not applied", nil,
        "copy what you need from it, then remove it")
    }
  }

  private func words(_ outlook: Outlook) -> String {
    switch outlook {
    case .neitherSentNorDeleted: "it is neither sent nor deleted"
    case .leftAlone:
      "the record is not changed on either side" + (area == .records ? "; the others continue" : "")
    case .rebuilt:
      "the next sync finds the record on the server and writes a new sidecar; differences become"
        + " a conflict"
    case .newerTaken: "the next sync takes the newer of the two versions"
    case .waits: "it is not synced until you choose which of two records it is"
    case .hidden: "what it points to is not synced"
    case .noSync: Self.noSync
    }
  }

  private static let noSync = "nothing is synced"
  private static let wholeList = "the next pull reads the server's whole list"
}

extension Repair {
  var words: String {
    switch self {
    case .repairSidecar(_, let path): "take the newer of the two versions in \(path)"
    case .dropSidecar(let ref): "remove \(ref.sidecarPath), kept in a run"
    case .keepRecord(let ref): "remove the delete mark of \(ref) from \(ref.sidecarPath)"
    case .settleStaleFile(let path):
      "remove \(path); if it holds an edit, the edit gets its name back"
    case .removeFolder(let path): "remove the empty folder \(path)"
    case .closeState: "make .stories/ private"
    case .ignoreState: "write .stories/.gitignore, so that git ignores the folder"
    case .dropState(let path): "remove \(path), which the next sync creates again"
    }
  }
}

extension LibraryRepairer.Outcome {
  /// Whether the repair is done, and details to report.
  var words: (isDone: Bool, detail: String?) {
    switch self {
    case .done: (true, nil)
    case .restored: (true, "it held an edit, which has its name back")
    case .saved(let name): (true, "it held an edit, which is kept as \(name)")
    case .notNeeded: (false, "there is nothing left to repair")
    case .notEmpty: (false, "it is no longer empty")
    case .changed: (false, "it holds something else now")
    case .savedMeanwhile: (false, "it was saved at the same moment")
    case .unknown: (false, "its purpose is unknown")
    case .notSettled(let error): (false, error.reason)
    case .failed(let error): (false, error.description)
    case .problem(let problem): (false, problem.message)
    }
  }
}
