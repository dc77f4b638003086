import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// A server's health: whether it responds, its features, and their consequences.
struct ServerHealth: Sendable, MemberEncodable {
  enum Session: String, Sendable {
    /// The server is embedded and needs no sign-in.
    case notNeeded
    case signedIn
    case signedOut
    /// The server does not accept the session any more, or not the token in `STORIES_TOKEN`.
    case expired
    case unknown
  }

  var server: String
  var info: ServerInfo?
  /// The account's rights on the bucket, or `nil` if the server has none or was not asked.
  var access: BucketAccess?
  /// How many seconds this machine's clock is ahead of the server's, or `nil` if unknown.
  var clockDifference: Duration?
  var session = Session.unknown
  var account: String?
  /// The end of the session by the server's clock, or `nil` if there is none or it is unknown.
  var expiresAt: ServerDate?
  var failure: ErrorReport?

  /// The minimum difference between clocks to report; an answer's date has whole seconds.
  static let clockTolerance = Duration.seconds(5)

  /// The promises of a sync and how this server keeps them; empty if it did not respond.
  var guarantees: [Guarantee] { info.map { Guarantee.all($0) } ?? [] }

  /// The exit code: being signed out is not a failure.
  var exitCode: ExitCode { failure?.exitCode ?? .done }

  /// Asks a library's server, or one that is named outside of a library. Only reads are sent.
  ///
  /// - Returns: its health, or `nil` if none is named or the library cannot be scanned.
  static func ask(_ library: Library?, _ context: Context) async throws -> ServerHealth? {
    guard let library else {
      guard let setting = try? context.serverSetting(nil), setting.server != .embedded else {
        return nil
      }
      return try await ask(setting, of: nil, context) {
        (try await RemoteServer(setting, of: nil, context).connection(), nil)
      }
    }
    guard let scan = try? context.scan(library) else { return nil }
    let setting = try context.serverSetting(library)
    // Diagnostics never ask the user anything.
    var silent = context
    silent.input.isTerminal = false
    return try await silent.withServer(setting, of: library) { connect in
      try await ask(setting, of: library, context) {
        let connection = try await connect(scan)
        let stop = library.otherOwner(than: connection.identity, scan)
        return (
          connection,
          stop.map { ErrorReport("other-server", $0.message, hint: $0.hint, exitCode: .stopped) }
        )
      }
    }
  }

  /// - Parameter connect: returns the connection, and its problem for the library.
  private static func ask(
    _ setting: ServerSetting, of library: Library?, _ context: Context,
    connect: () async throws -> (Connection, ErrorReport?)
  ) async throws -> ServerHealth {
    var health = ServerHealth(server: setting.server.shown)
    do {
      let (connection, failure) = try await connect()
      health.failure = failure
      health.session = setting.server == .embedded ? .notNeeded : .signedIn
      if setting.server != .embedded {
        health.account = connection.identity.account
        health.expiresAt = await connection.client.session?.expiresAt
      }
      health.info = try await connection.client.serverInfo()
      health.access = try await connection.client.bucketAccess()
      health.clockDifference = await connection.client.clockDifference.map { .zero - $0 }
    } catch APIError.unauthorized(let reason) {
      health.session = reason == .notSignedIn ? .signedOut : .expired
      health.account = nil
      await health.askUnsigned(setting, library, context)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      health.failure = ErrorReport(error, in: context)
    }
    return health
  }

  /// Requests what needs no account, if nobody is signed in.
  private mutating func askUnsigned(
    _ setting: ServerSetting, _ library: Library?, _ context: Context
  ) async {
    guard info == nil, case .url(let url) = setting.server else { return }
    do {
      let client = APIClient(
        server: try context.serverAddress(url), transport: try context.settings().transport,
        configuration: try context.settings().clientConfiguration(
          library?.configuration.api.dialect, context))
      info = try await client.serverInfo()
      clockDifference = await client.clockDifference.map { .zero - $0 }
    } catch {
      failure = ErrorReport(error, in: context)
    }
  }

  // MARK: Output

  var members: Members {
    [
      "server": server, "answers": info != nil, "version": info?.version,
      "api": info.map { "\($0.dialect)" }, "features": features,
      "readOnly": info?.isReadOnly,
      "limits": info.map { ["page": $0.pageLimit, "batch": $0.batchLimit] as Members },
      "capabilities": info?.capabilities,
      "bucket": Omitted(access?.rawValue), "session": session.rawValue,
      "account": account, "expiresAt": expiresAt,
      "clockAheadSeconds": clockDifference?.wholeSeconds, "guarantees": guarantees,
      "error": Omitted(failure),
    ]
  }

  private var features: [Feature] {
    info.map { info in Feature.allCases.filter(info.features.contains) } ?? []
  }

  func write(to output: Output, _ context: Context) {
    var table = Table()
    if let info {
      let features = self.features.map(\.rawValue)
      table.add(
        "answers", Text("yes", .good) + ", version \(info.version), api \("\(info.dialect)")")
      table.add(
        "offers", Text(features.isEmpty ? "nothing beyond the basics" : Phrases.list(features)))
      if !info.capabilities.isEmpty {
        table.add("capabilities", Text(Phrases.list(info.capabilities)))
      }
      if info.isReadOnly { table.add("writes", Text("none: the server is read-only", .warning)) }
    } else {
      table.add("answers", Text("no", .error))
    }
    if let access { table.add("bucket", Self.words(access)) }
    table.add("session", context.runnable(Text(sessionWords)))
    if let words = clockWords { table.add("clock", words) }
    table.write(to: output)
    for guarantee in guarantees {
      let mark = guarantee.gap == nil ? Text("✓ ", .good) : Text("! ", .warning)
      let promise = guarantee.promise.prefix(1).uppercased() + guarantee.promise.dropFirst()
      output.wrapped(Text("\(promise): \(guarantee.means)."), lead: Text("  ") + mark)
      if let gap = guarantee.gap {
        output.wrapped(Text("Not covered: \(gap).", .warning), lead: "    ")
      }
    }
    if let failure {
      output.wrapped(Text(failure.message, .error), lead: "  ")
      for cause in failure.causes { output.wrapped(Text(cause, .faint), lead: "  ") }
      if let hint = failure.hint {
        output.wrapped(context.runnable(Text("Hint: \(hint)", .faint)), lead: "  ")
      }
    }
  }

  private static func words(_ access: BucketAccess) -> Text {
    switch access {
    case .none:
      Text("not there, or not shared with this account", .warning)
        + "; a first push creates it if the account may"
    case .read: "readable; the right “write”, or rights on its collections, may be missing"
    case .write: "readable and writable"
    }
  }

  private var sessionWords: String {
    switch session {
    case .notNeeded: "not needed"
    case .signedIn:
      ([
        "signed in", account.map { "account \($0)" }, expiresAt.map { "until \($0.wire)" },
      ] as [String?]).compactMap(\.self).joined(separator: ", ")
    case .signedOut: "signed out; `stories sign-in` signs in"
    case .expired: "expired; `stories sign-in` signs in again (unset STORIES_TOKEN first)"
    case .unknown: "not known"
    }
  }

  private var clockWords: Text? {
    guard let clockDifference else { return nil }
    let seconds = clockDifference.components.seconds
    guard abs(seconds) >= Self.clockTolerance.components.seconds else {
      return "same as this machine's"
    }
    let side = seconds > 0 ? "behind" : "ahead of"
    return Text("\(abs(seconds)) s \(side) this machine's", .warning)
      + ", which only matters for strategy “newest”"
  }
}
