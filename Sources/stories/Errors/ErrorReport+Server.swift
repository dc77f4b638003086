import Foundation
import StoryAPI
import StoryLibrary
import StoryServer
import StorySync

extension APIError {
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
    case .forbidden, .lacksRight: "forbidden"
    case .notFound, .noCollection: "not-found"
    case .conflict: "conflict"
    case .preconditionFailed: "precondition-failed"
    case .rateLimited: "rate-limited"
    case .validation: "validation"
    case .tooLarge: "too-large"
    case .notMade: "not-made"
    case .server: "server"
    case .network: "network"
    case .decoding, .list, .dialectChanged: "decoding"
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

extension APIError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    let message = self == .cancelled ? "interrupted" : self.message(at: context.reach.value)
    var hint = suggestion
    // The library's settings say nothing about the server of the command line.
    if [.network(.refused), .network(.unknownHost), .network(.notHTTP)].contains(self),
      context.global.server != nil || !Self.isOfLibrary(context)
    {
      hint = "Check the address, and that the server is running."
    }
    return .init(code, message, hint: hint, exitCode: exitCode)
  }
}

extension APIError {
  /// Returns whether the server that was asked is that of the library here; `clone` asks another one.
  fileprivate static func isOfLibrary(_ context: Context) -> Bool {
    guard let root = Library.root(from: context.folder) else { return false }
    guard let reach = context.reach.value, let library = try? Library(root: root) else {
      return true
    }
    return library.configuration.server.text.hasPrefix(reach.server)
  }
}

extension ServerAddress.Problem: ReportedError {
  func report(in context: Context) -> ErrorReport {
    guard case .plainHTTP(let origin) = self else {
      return .init(
        "bad-server", message, hint: suggestion,
        exitCode: self == .userInfo ? .stopped : .wrongUsage)
    }
    return .init(
      "bad-server", message,
      hint: "use https, or allow it for this address: "
        + Self.permission(forPlainHTTPTo: origin, in: context), exitCode: .stopped)
  }

  /// Returns the command that allows plain http for an address, without moving a library to it.
  private static func permission(forPlainHTTPTo origin: String, in context: Context) -> String {
    let setting = try? context.serverSetting(context.library(checksState: false))
    guard let setting, !setting.isNamedByPerson, case .url(let url) = setting.server else {
      return "stories sign-in --server \(ShellWord.quoting(origin)) --allow-plain-http"
    }
    return "stories remote set \(ShellWord.quoting(url)) --allow-plain-http"
  }
}

extension StoryServerError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .dataFolderInUse:
      .init(
        "in-use", message, hint: "stop the other one, or use another folder", exitCode: .stopped)
    case .damagedLog(let path, _, _):
      .init(
        "damaged-log", message,
        hint: Path.name(Path.parent(path)) == EmbeddedServer.folderName
          ? "remove \(context.shown(Path.parent(path))): it is rebuilt from the sidecars"
          : "restore the file from a backup, or remove that line: libraries that have its change then"
            + " undo it or stop at their next sync",
        exitCode: .stopped)
    case .unsupportedLogVersion:
      .init("newer-version", message, hint: "use a newer version of stories", exitCode: .stopped)
    case .cannotListen(_, _, let reason):
      .init(
        "cannot-listen", message,
        hint: isAboutHost(reason)
          ? "check --host: 127.0.0.1 is this machine alone, 0.0.0.0 is all of its networks"
          : "use another port, or a free one: \(context.again(adding: "--port", "0"))")
    default: .init("server", message)
    }
  }

  /// Returns whether an address could not be found, or is another machine's.
  private func isAboutHost(_ reason: String) -> Bool {
    let system = [EADDRNOTAVAIL, EAFNOSUPPORT].map { String(cString: strerror($0)) }
    let names = [EAI_NONAME, EAI_AGAIN, EAI_FAIL, EAI_FAMILY].map {
      String(cString: gai_strerror($0))
    }
    return (system + names).contains(reason)
  }
}

extension EmbeddedServer.Failure: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .refused(let records):
      .init(
        "sidecars-refused", "the embedded server cannot import these sidecars",
        causes: records,
        hint: "restore the sidecars from git, or remove them: then their"
          + " records count as new", exitCode: .stopped)
    case .unreadable(let problem):
      .init("sidecar", problem.text, hint: problem.advice, exitCode: .stopped)
    case .left(let records):
      .init(
        "stopped",
        "stopped for safety: the embedded server has \(records.listed(upTo: 3)), but no sidecar has"
          + " \(records.count == 1 ? "its id" : "their ids"), so a sync could create"
          + " \(Phrases.them(records.count)) a second time",
        hint: "to continue where it left off: `stories remote set embedded`", exitCode: .stopped)
    }
  }
}

extension ServerAddress.Problem {
  var message: String {
    switch self {
    case .scheme(let text):
      "“\(Self.shown(text))” is not a server address: it must start with https:// or http://."
    case .userInfo: "A server address must not contain a user name or a password."
    case .host(let text): "“\(Self.shown(text))” does not name a host that can be connected to."
    case .port(let text): "The port in “\(Self.shown(text))” is not a number from 1 to 65535."
    case .path(let text):
      "“\(Self.shown(text))” has something after the host that is no server's path."
    case .plainHTTP(let origin):
      "\(origin) is not encrypted: anyone on the network could read tokens and stories."
    }
  }

  private static func shown(_ text: String) -> String { ServerText.shown(Redaction.url(text)) }

  var suggestion: String {
    switch self {
    case .scheme, .host, .port: "Write it like https://stories.example or http://localhost:8080."
    case .path:
      "Write it like https://stories.example, or for Kinto like https://host/v1/buckets/family."
    case .userInfo: "Leave it out and sign in: stories sign-in"
    case .plainHTTP: "Use https."
    }
  }
}

extension StoryServerError {
  var message: String {
    switch self {
    case .cannotListen(let host, let port, let reason):
      "The server cannot listen on \(host) port \(port): \(reason)."
    case .dataFolderInUse(let path): "Another server is using the data folder \(path)."
    case .damagedLog(let path, let line, let reason):
      "\(path):\(line): the log is damaged: \(reason)."
    case .unsupportedLogVersion(let path, let version):
      "\(path) has version \(version), which is newer than this program supports."
    case .file(let path, let operation, let reason): "\(path): cannot \(operation): \(reason)."
    case .alreadyStarted: "The server has already been started."
    case .stopped: "The server has been stopped."
    case .unknownAccount(let email): "No account has the e-mail address \(email)."
    case .invalidEmail(let email): "“\(email)” is not an e-mail address."
    }
  }
}

extension RemoteMover.Refusal: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .conflicts(let refs):
      .init(
        "conflicts-left",
        "unresolved conflicts with the old server's versions: "
          + Phrases.list(refs.prefix(5).map(\.description)) + (refs.count > 5 ? ", …" : ""),
        hint: "resolve them first: stories resolve", exitCode: .conflictsLeft)
    case .absent(let refs):
      .init(
        "missing",
        "only the old server is sure to have what is missing or unreadable here: "
          + refs.listed(upTo: 5),
        hint: """
          get \(Phrases.them(refs.count)) first: stories status, then stories sync pull; if that server \
          is gone for good, add --abandon-unconfirmed
          """, exitCode: .stopped)
    case .notCheckedOut(let refs):
      .init(
        "not-checked-out",
        "the sidecars of \(refs.listed(upTo: 5)) are not checked out, and would keep the old server's ids",
        hint: "check everything out first: git sparse-checkout disable", exitCode: .stopped)
    case .openWrites:
      .init(
        "open-writes", "the old server has not confirmed everything that was sent to it",
        hint: """
          finish that first: stories sync push; if that server is gone for good, add \
          --abandon-unconfirmed
          """, exitCode: .stopped)
    }
  }
}
