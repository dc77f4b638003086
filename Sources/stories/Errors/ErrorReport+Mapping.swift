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
    case let error as AdvisedError:
      self.init(error.error, in: context)
      hint = error.hint
    case let error as UsageError: self.init(error)
    case let error as CommandError: self.init(mapping: error, in: context)
    case let error as SettingError: self.init(mapping: error, in: context)
    case let error as LibraryError: self.init(mapping: error, in: context)
    case let error as Problem:
      let root = Library.root(from: context.folder)
      self.init(error, shown: root.map { context.shown(Path.join($0, error.file)) } ?? error.file)
    case let error as FileError: self.init(mapping: error, in: context)
    case let error as EditError: self.init(error)
    case let error as GenerationError: self.init(error)
    case let error as ExportError: self.init(mapping: error, in: context)
    case MediaFailure.locked:
      self.init(mapping: LibraryError.locked(holder: "another `stories media`"), in: context)
    case let error as MediaFailure:
      self.init("media", error.message, hint: error.hint(), exitCode: .failed)
    case let error as SyncStopped: self.init(error.stops, in: context)
    case let error as SafetyStop: self.init([error], in: context)
    case let error as RemoteMover.Refusal: self.init(error)
    case let error as EditingError: self.init(error)
    case let error as RecordImporter.Rejection:
      // The first problem, at its place in the text that it came from.
      self.init(error.problems[0], shown: error.problems[0].file)
    case let error as ConflictError: self.init(mapping: error, in: context)
    case let error as ProgramError: self.init(error)
    case let error as ReadingError: self.init(mapping: error, in: context)
    case let error as TransferError: self.init(mapping: error, in: context)
    case let error as GitSetup.Failure: self.init(mapping: error, in: context)
    case is GitFailure:
      self.init(
        "no-index", "git does not report what is staged", hint: "see `git status`",
        exitCode: .failed)
    case let error as APIError: self.init(mapping: error, in: context)
    case let error as TokenStoreError: self.init(mapping: .tokenStore(error), in: context)
    case let error as ServerAddress.Problem: self.init(mapping: error, in: context)
    case let error as StoryServerError: self.init(mapping: error, in: context)
    case let error as EmbeddedServer.Failure: self.init(mapping: error, in: context)
    case is CancellationError: self.init("interrupted", "interrupted", exitCode: .interrupted)
    default: self.init("failed", "\(error)", exitCode: .failed)
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

  private init(_ stops: [SafetyStop], in context: Context) {
    let library = Library.root(from: context.folder).flatMap { try? Library(root: $0) }
    self.init(
      "stopped", "stopped for safety: \(stops.map(\.message).joined(separator: "; "))",
      hint: stops.first.map { stop in
        library.map { context.shown(hint: stop.hint, in: $0) } ?? stop.hint
      },
      exitCode: .stopped)
  }

  private init(mapping error: LibraryError, in context: Context) {
    switch error {
    case .notFound(let folder):
      self.init(
        "no-library", "no library here: there is no library.json in \(folder) or above it",
        hint: "create one with `stories init`, or use another folder with `stories -C DIR …`",
        exitCode: .wrongUsage)
    case .exists(let root):
      self.init(
        "library-exists", "there is already a library in \(context.shown(root))",
        hint: "see its status: stories -C \(ShellWord.quoting(context.shown(root))) status",
        exitCode: .wrongUsage)
    case .newerVersion(let version, let file):
      self.init(
        "newer-version",
        "\(file) has version \(version), but this program supports versions up to"
          + " \(LibraryConfiguration.version), so it only reads this library",
        hint: "use a newer version of stories", exitCode: .stopped)
    case .unsafeState(let path, let reason):
      self.init(
        "unsafe-state", "\(context.shown(path)) cannot be used: \(reason)",
        hint: error.unsafeHint, exitCode: .stopped)
    case .locked(let holder):
      self.init(
        "locked", "another sync or import is running in this library: \(holder)",
        hint: "wait until it is done, then run the same command again", exitCode: .stopped)
    case .sparseUnknown(let marker, let failure):
      let top = ShellWord.quoting(context.shown(Path.parent(marker)))
      self.init(
        "git-failed",
        "git does not report which records are not checked out, and \(context.shown(marker)) may be that of"
          + " a sparse checkout",
        causes: [failure.message],
        hint: failure.hint ?? "see what git reports: git -C \(top) ls-files -t", exitCode: .stopped)
    }
  }

  /// A problem of a file, with the file's path as shown.
  init(_ problem: Problem, shown: String) {
    self.init(
      problem.code.rawValue, problem.message, hint: problem.advice, exitCode: .failed)
    place = Place(shown: shown, file: problem.file, position: problem.position)
  }

  private init(mapping error: FileError, in context: Context) {
    var hint: String?
    if error.isLink {
      hint =
        "replace it with what it points to, or remove it: symbolic links in a library are not followed"
    } else if error.isDiskFull {
      hint = "free some space, then run the same command again; nothing was lost"
    } else if error.code == EROFS {
      hint =
        "this disk is read-only: mount it for writing, or work in a copy of the folder elsewhere"
    } else if error.isReadOnly {
      hint =
        "check the permissions: ls -ld "
        + ShellWord.quoting(context.shown(Path.parent(error.path)))
    }
    // A temporary file is said to be what it will be.
    let name = Path.name(error.path).replacing(
      /^\.stories-tmp-[0-9a-f]{16}-[0-9a-f]{16}-/, with: "")
    let path = context.shown(Path.join(Path.parent(error.path), name))
    self.init(
      "file", "cannot \(error.operation.rawValue) \(path)",
      causes: [error.reason], hint: hint, exitCode: .failed)
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

extension GitFailure {
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
