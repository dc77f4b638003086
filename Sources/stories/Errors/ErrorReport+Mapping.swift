import StoryAPI
import StoryLibrary
import StoryServer
import StorySync

extension ErrorReport {
  /// The one place that turns errors into words, hints and exit codes.
  ///
  /// - Parameter context: tells how paths are shown.
  init(_ error: any Error, in context: Context) {
    switch error {
    case let error as AdvisedError:
      self.init(error.error, in: context)
      hint = error.hint
    case let error as UsageError: self.init(error)
    case let error as CommandError: self.init(error, in: context)
    case let error as SettingError: self.init(error, in: context)
    case let error as LibraryError: self.init(error, in: context)
    case let error as LocatedProblem: self.init(error.problem, root: error.root, in: context)
    case let error as Problem: self.init(error, root: context.libraryRoot(), in: context)
    case let error as FileError: self.init(error, in: context)
    case let error as EditError: self.init(error)
    case let error as GenerationError:
      self.init("generation", error.message, hint: error.hint, exitCode: error.exitCode)
    case let error as MediaFailure:
      self.init("media", error.message, hint: error.hint, exitCode: .failed)
    case let error as SyncStopped: self.init(error.stops)
    case let error as SafetyStop: self.init([error])
    case let error as RemoteError: self.init(error)
    case let error as RemoteMover.Refusal: self.init(error)
    case let error as EditingError: self.init(error)
    case let error as ConflictError: self.init(error)
    case let error as ProgramError: self.init(error)
    case let error as GitSetup.Failure: self.init(error, in: context)
    case is StagedRecords.Unreadable:
      self.init(
        "no-index", "git does not say what is staged", hint: "look what `git status` says",
        exitCode: .failed)
    case let error as APIError: self.init(error, in: context)
    case let error as ServerAddress.Problem: self.init(error)
    case let error as StoryServerError: self.init(error, in: context)
    case let error as EmbeddedBackend.Failure: self.init(error, in: context)
    case is CancellationError: self.init("interrupted", "Interrupted", exitCode: .interrupted)
    default: self.init("failed", "\(error)", exitCode: .failed)
    }
  }

  private init(_ stops: [SafetyStop]) {
    self.init(
      "stopped", "stopped for safety: \(stops.map(\.message).joined(separator: "; "))",
      hint: stops.first?.hint, exitCode: .stopped)
  }

  private init(_ error: LibraryError, in context: Context) {
    switch error {
    case .notFound(let folder):
      self.init(
        "no-library", "there is no library here: no library.json in \(folder) or above it",
        hint: "make one with `stories init`, or name one with `stories -C DIR …`",
        exitCode: .wrongUsage)
    case .exists(let root):
      self.init(
        "library-exists", "there is a library in \(context.shown(root)) already",
        hint: "see what is in it: stories -C \(context.shown(root)) status",
        exitCode: .wrongUsage)
    case .newerVersion(let version):
      self.init(
        "newer-version",
        "library.json has version \(version), and this program knows versions up to"
          + " \(LibraryConfiguration.version), so it only reads this library",
        hint: "use a newer version of stories", exitCode: .stopped)
    case .unsafeState(let path, let reason):
      self.init(
        "unsafe-state", "\(context.shown(path)) cannot be used: \(reason)",
        hint: "put a plain folder in its place, or remove it", exitCode: .stopped)
    case .locked(let holder):
      self.init(
        "locked", "another sync is at work in this library: \(holder)",
        hint: "wait until it has ended, then run the same command again", exitCode: .stopped)
    }
  }

  private init(_ problem: Problem, root: String?, in context: Context) {
    self.init(
      problem.code.rawValue, problem.message, hint: problem.hint, exitCode: .failed)
    let shown = root.map { context.shown(Path.join($0, problem.file)) } ?? problem.file
    place = Place(shown: shown, file: problem.file, position: problem.position)
  }

  private init(_ error: FileError, in context: Context) {
    var hint: String?
    if error.isDiskFull {
      hint = "make room, then run the same command again; nothing was lost"
    } else if error.isReadOnly {
      hint = "check the permissions: ls -ld \(context.shown(Path.parent(error.path)))"
    }
    self.init(
      "file", "cannot \(error.operation.rawValue) \(context.shown(error.path))",
      causes: [error.reason], hint: hint, exitCode: .failed)
  }
}

extension GenerationError {
  /// How a program ends that this error ended.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .notOnServer: .wrongUsage
    case .notSent, .answerLost, .severalMade: .failed
    }
  }
}
