import StoryAPI
import StoryLibrary
import StoryServer

extension APIError {
  /// How a program ends that this error ended.
  var exitCode: ExitCode {
    switch self {
    case .cancelled: .interrupted
    case .unauthorized: .signInFirst
    case .network, .deadlineExceeded, .rateLimited, .server(502...504, _): .unreachable
    default: .failed
    }
  }

  /// The error in one word, for scripts.
  var code: String {
    switch self {
    case .unauthorized(.notSignedIn): "not-signed-in"
    case .unauthorized(.wrongPassword): "wrong-password"
    case .unauthorized: "session-expired"
    case .forbidden: "forbidden"
    case .notFound: "not-found"
    case .conflict: "conflict"
    case .preconditionFailed: "precondition-failed"
    case .rateLimited: "rate-limited"
    case .validation: "validation"
    case .tooLarge: "too-large"
    case .server: "server"
    case .network: "network"
    case .decoding: "decoding"
    case .unconfirmed: "unconfirmed"
    case .invalidIdentifier: "invalid-identifier"
    case .unsupported: "unsupported"
    case .notCached: "not-cached"
    case .tokenStore: "token-store"
    case .deadlineExceeded: "deadline-exceeded"
    case .cancelled: "interrupted"
    }
  }
}

extension ErrorReport {
  /// An error of a server, or on the way to it.
  init(_ error: APIError, in context: Context) {
    let message = error == .cancelled ? "Interrupted" : error.message
    self.init(error.code, message, hint: error.suggestion, exitCode: error.exitCode)
  }

  /// An address that this program does not connect to.
  init(_ problem: ServerAddress.Problem) {
    self.init(
      "bad-server", problem.message, hint: problem.suggestion,
      exitCode: problem.isUnsafe ? .stopped : .wrongUsage)
  }

  /// A server of this program that cannot start or go on.
  init(_ error: StoryServerError, in context: Context) {
    switch error {
    case .dataFolderInUse:
      self.init(
        "in-use", "\(error)", hint: "stop the other one, or name another folder",
        exitCode: .stopped)
    case .damagedLog(let path, _, _):
      let isEmbedded = Path.name(Path.parent(path)) == EmbeddedBackend.folderName
      self.init(
        "damaged-log", "\(error)",
        hint: isEmbedded
          ? "remove \(context.shown(Path.parent(path))): it is made again from the sidecars"
          : "nothing was changed; bring the file back from a backup, or remove that line",
        exitCode: .stopped)
    case .unsupportedLogVersion:
      self.init(
        "newer-version", "\(error)", hint: "use a newer version of stories", exitCode: .stopped)
    case .cannotListen:
      self.init(
        "cannot-listen", "\(error)", hint: "name another port, or 0 for a free one: --port 0",
        exitCode: .failed)
    default: self.init("server", "\(error)", exitCode: .failed)
    }
  }

  /// An embedded backend that must not be used as it is.
  init(_ failure: EmbeddedBackend.Failure, in context: Context) {
    switch failure {
    case .refused(let records):
      self.init(
        "sidecars-refused", "the embedded server cannot take over what these sidecars say",
        causes: records,
        hint: "bring the sidecars back from git, or remove them: then their"
          + " records count as new", exitCode: .stopped)
    case .unreadable(let problem):
      self.init("sidecar", "\(problem)", hint: problem.hint, exitCode: .stopped)
    }
  }
}

extension ServerAddress.Problem {
  /// Whether the address is well formed, but must not be used.
  fileprivate var isUnsafe: Bool {
    switch self {
    case .plainHTTP, .userInfo: true
    case .scheme, .host, .port, .path: false
    }
  }
}
