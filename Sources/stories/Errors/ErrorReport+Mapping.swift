import Foundation
import StoryAPI
import StoryLibrary
import StoryMedia
import StoryPages
import StoryServer
import StorySync

extension ErrorReport {
  /// Maps any error to text, hint and exit code; this is the only place that does.
  ///
  /// - Parameter context: determines how paths are shown.
  init(_ error: any Error, in context: Context) {
    switch error {
    case let error as any ReportedError: self = error.report(in: context)
    case is CancellationError: self.init("interrupted", "interrupted", exitCode: .interrupted)
    default: self.init("failed", "\(error)")
    }
    // These are sentences, because notes and logs have them too.
    if error is APIError || error is TokenStoreError || error is ServerAddress.Problem
      || error is StoryServerError || error is MediaFailure
    {
      message = Phrases.clause(message)
      hint = hint.map(Phrases.clause)
    }
    self = runnable(in: context)
    if error is APIError || error is TokenStoreError { message = context.runnable(message) }
  }

  /// A problem of a file, with the file's path as shown.
  init(_ problem: Problem, shown: String) {
    self.init(
      problem.code.rawValue, problem.message,
      at: Place(shown: shown, file: problem.file, position: problem.position), hint: problem.advice)
  }
}

extension Problem: ReportedError {
  func report(in context: Context) -> ErrorReport {
    let root = Library.root(from: context.folder)
    return .init(self, shown: root.map { context.shown(Path.join($0, file)) } ?? file)
  }
}

extension RecordImporter.Rejection: ReportedError {
  /// The report of the first problem, at its place in the text that it came from.
  func report(in context: Context) -> ErrorReport { .init(problems[0], shown: problems[0].file) }
}

extension TokenStoreError: ReportedError {
  func report(in context: Context) -> ErrorReport { APIError.tokenStore(self).report(in: context) }
}

extension SyncStopped: ReportedError {
  func report(in context: Context) -> ErrorReport { stops.report(in: context) }
}

extension SafetyStop: ReportedError {
  func report(in context: Context) -> ErrorReport { [self].report(in: context) }
}

extension [SafetyStop] {
  fileprivate func report(in context: Context) -> ErrorReport {
    let library = Library.root(from: context.folder).flatMap { try? Library(root: $0) }
    return .init(
      "stopped", "stopped for safety: \(map(\.message).joined(separator: "; "))",
      hint: first.map { stop in
        library.map { context.shown(hint: stop.hint, in: $0) } ?? stop.hint
      }, exitCode: .stopped)
  }
}

extension LibraryError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .notFound(let folder):
      .misuse(
        "no-library", "no library here: there is no library.json in \(folder) or above it",
        hint: "create one with `stories init`, or use another folder with `stories -C DIR …`")
    case .exists(let root):
      .misuse(
        "library-exists", "there is already a library in \(context.shown(root))",
        hint: "see its status: stories -C \(ShellWord.quoting(context.shown(root))) status")
    case .newerVersion(let version, let file):
      .init(
        "newer-version",
        "\(file) has version \(version), but this program supports versions up to"
          + " \(LibraryConfiguration.version), so it only reads this library",
        hint: "use a newer version of stories", exitCode: .stopped)
    case .unsafeState(let path, let reason):
      .init(
        "unsafe-state", "\(context.shown(path)) cannot be used: \(reason)", hint: unsafeHint,
        exitCode: .stopped)
    case .locked(let holder):
      .init(
        "locked", "another command is changing this library: \(holder)",
        hint: "wait until it is done, then run the same command again", exitCode: .stopped)
    case .sparseUnknown(let marker, let failure):
      .init(
        "git-failed",
        "git does not report which records are not checked out, and \(context.shown(marker)) may be that of"
          + " a sparse checkout",
        causes: [failure.message],
        hint: failure.hint
          ?? "see what git reports: git -C "
          + "\(ShellWord.quoting(context.shown(Path.parent(marker)))) ls-files -t",
        exitCode: .stopped)
    }
  }
}

extension FileError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    var hint: String?
    if isLink {
      hint =
        "replace it with what it points to, or remove it: symbolic links in a library are not followed"
    } else if isDiskFull {
      hint = "free some space, then run the same command again; nothing was lost"
    } else if code == EROFS {
      hint =
        "this disk is read-only: mount it for writing, or work in a copy of the folder elsewhere"
    } else if isReadOnly {
      hint =
        "check the permissions: ls -ld "
        + ShellWord.quoting(context.shown(Path.parent(self.path)))
    } else if isMissing, operation == .read {
      hint = "check the path"
    } else if isMissing, operation == .write {
      hint =
        "create its folder first: mkdir -p "
        + ShellWord.quoting(context.shown(Path.parent(self.path)))
    }
    // A temporary file is said to be what it will be.
    let name = Path.name(self.path).replacing(/^\.stories-tmp-[0-9a-f]{16}-[0-9a-f]{16}-/, with: "")
    let path = context.shown(Path.join(Path.parent(self.path), name))
    return .init("file", "cannot \(operation.rawValue) \(path)", causes: [reason], hint: hint)
  }
}

extension LibraryError {
  /// The advice for a path that must not be used; what is in `.stories` may be a file.
  var unsafeHint: String {
    if case .unsafeState(let path, _) = self,
      Path.name(Path.parent(path)) == Library.stateFolderName
    {
      return "replace it with what it points to, or remove it"
    }
    return "put a plain folder in its place, or remove it"
  }
}

extension GitFailure: ReportedError {
  func report(in context: Context) -> ErrorReport {
    .init("no-index", "git does not report what is staged", hint: "see `git status`")
  }

  fileprivate var message: String {
    switch self {
    case .notStarted(let code): "git cannot be started: \(String(cString: strerror(code)))"
    case .timedOut: "git did not answer in time"
    case .tooMuchOutput: "git wrote too much output"
    case .refused(let status): "git exited with status \(status)"
    case .missingObjects(1): "git does not have the text of 1 sidecar, as in a partial clone"
    case .missingObjects(let count):
      "git does not have the texts of \(count) sidecars, as in a partial clone"
    }
  }

  /// The advice, or `nil` if git's own message is best.
  fileprivate var hint: String? {
    switch self {
    case .notStarted: "install git, or add its folder to PATH"
    case .missingObjects: "fetch them: git fetch --refetch --no-filter"
    case .timedOut, .tooMuchOutput, .refused: nil
    }
  }
}

extension ExportError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .nothing:
      .misuse(
        "nothing-to-export", "there are no stories to export",
        hint: "write one: stories new story TITLE")
    case .folderInUse(let path): CommandError.folderInUse(path).report(in: context)
    case .notAFolder(let path):
      .misuse(
        "not-a-folder", "\(context.shown(path)) is not a folder",
        hint: "choose a new or empty folder")
    case .foreignFile(let path):
      .misuse(
        "foreign-file",
        "\(context.shown(path)) exists and was not written by an export, or was edited since",
        hint: "move it, or choose another name")
    case .insideLibrary(let path):
      .misuse(
        "inside-library", "\(context.shown(path)) is part of the library",
        hint: "choose another folder, such as site")
    case .unreadableManifest(let path):
      .init(
        "bad-manifest",
        "\(context.shown(path)) is damaged, so the files of the earlier export are not known",
        hint: "restore it, or export to another folder")
    case .changed(let ref):
      .init(
        "changed-meanwhile", "\(ref) was changed during the export and can no longer be read",
        hint: "run the command again")
    case .tooLarge:
      .misuse(
        "book-too-large", "a book can have at most 4 GiB and 65,535 files",
        hint: "choose fewer stories, such as one folder or one hero")
    }
  }
}

extension GitSetup.Failure: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .noRepository(let root):
      .misuse(
        "no-repository", "the library in \(context.shown(root)) is not in a git repository",
        hint: "create one: git init \(ShellWord.quoting(context.shown(root)))")
    case .noGit: .init("no-git", "git does not answer", hint: "install git, and see `git status`")
    case .attributesNotAFile(let path):
      .init(
        "attributes",
        "\(context.shown(path)) is not a file, and git reads only a file of that name",
        hint: "rename or remove it, then run the same command again")
    case .unsafePath(let path):
      .misuse(
        "unsafe-path",
        "the path \(path) contains a control character, so it cannot be written into a hook",
        hint: "rename the folder, then run the same command again")
    case .refusedSetting(let key):
      .init(
        "git-config", "git did not accept the setting \(key)",
        hint: "see `git config --local --list`")
    }
  }
}
