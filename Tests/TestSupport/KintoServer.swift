import Foundation
package import JSONText
package import StoryAPI
package import Testing

/// A Kinto that runs beside the tests, on a loopback port of its own, with its data in memory unless the
/// settings say otherwise.
///
/// It takes a second or two to start, so tests share one and give each library a bucket of its own. It
/// ends with the process that started it: its standard input closes then.
package final class KintoServer: Sendable {
  /// A Python that has the packages `kinto` and `waitress`; `.ci/run` makes one.
  package static let python = ProcessInfo.processInfo.environment["STORIES_KINTO_PYTHON"]
  /// In CI nothing is skipped: without Kinto the tests fail.
  package static let isExpected =
    python != nil || ProcessInfo.processInfo.environment["CI"] != nil
  /// Why the tests are skipped elsewhere.
  package static let skipped: Comment =
    "STORIES_KINTO_PYTHON names no Python with Kinto (pip install kinto waitress)"

  /// The name and password of the account that tests use.
  package static let user = "tests"
  package static let password = "once upon a time"

  /// It did not start.
  package struct Failure: Error {
    package var output: String
  }

  /// Serves what `kinto.main` makes of the settings, on a port that the system picks.
  private static let script = """
    import bcrypt, functools, json, os, sys, threading, warnings
    warnings.simplefilter("ignore")
    # Passwords of tests need no hash that takes a quarter of a second.
    bcrypt.gensalt = functools.partial(bcrypt.gensalt, 4)
    from kinto import main
    from waitress.server import create_server
    from webob import Request
    app = main({}, **json.loads(sys.argv[1]))
    if sys.argv[3] == "migrate":
        from kinto.core import scripts
        scripts.migrate({"registry": app.registry})
    account = Request.blank("/v1/accounts/" + sys.argv[2], method="PUT")
    account.content_type = "application/json"
    account.body = b'{"data": {"password": "once upon a time"}}'
    account.get_response(app)
    server = create_server(
        app, host="127.0.0.1", port=0, threads=8, connection_limit=1000, asyncore_use_poll=True,
        channel_timeout=86400)
    print(server.effective_port, flush=True)
    def end():
        sys.stdin.read()
        os._exit(0)
    threading.Thread(target=end, daemon=True).start()
    server.run()
    """

  /// Where it is.
  package let url: String
  private let program: RunningProgram

  /// The settings that all servers of tests have.
  package static let settings: [String: String] = [
    "includes": "kinto.plugins.default_bucket kinto.plugins.accounts",
    "storage_backend": "kinto.core.storage.memory", "cache_backend": "kinto.core.cache.memory",
    "permission_backend": "kinto.core.permission.memory",
    "userid_hmac_secret": "tests", "default_bucket_hmac_secret": "tests",
    "multiauth.policies": "account",
    "multiauth.policy.account.use": "kinto.plugins.accounts.AccountsPolicy",
    "account_create_principals": "system.Everyone",
    "bucket_create_principals": "system.Authenticated",
    "account_cache_ttl_seconds": "86400",
  ]

  /// Starts a server; it answers when this returns.
  ///
  /// - Parameters:
  ///   - changes: settings that differ from ``settings``, without `kinto.` in front.
  ///   - migrates: whether its database has to be set up first.
  package init(_ changes: [String: String] = [:], migrates: Bool = false) throws {
    let settings = Self.settings.merging(changes) { $1 }
    let json = JSONValue.object(
      JSONObject(
        settings.sorted { $0.key < $1.key }.map {
          (
            key: $0.key.hasPrefix("multiauth") ? $0.key : "kinto.\($0.key)",
            value: .string($0.value)
          )
        }))
    program = try RunningProgram(
      ProgramStart(
        words: [
          Self.python ?? "python3", "-I", "-c", Self.script,
          String(decoding: json.compactBytes, as: UTF8.self),
          Self.user, migrates ? "migrate" : "",
        ], folder: NSTemporaryDirectory()))
    guard let line = program.firstLine(), let port = Int(line) else {
      program.signal(SIGKILL)
      throw Failure(output: program.wait().errors)
    }
    url = "http://127.0.0.1:\(port)"
  }

  deinit { kill() }

  /// Ends it at once, whatever it is doing.
  package func kill() { program.signal(SIGKILL) }

  /// The server that most tests share.
  package static func shared() throws -> KintoServer { try common.get() }

  private static let common = Result { try KintoServer() }

  /// Shared servers with other settings, by what is particular about them.
  package static func shared(_ variant: Variant) throws -> KintoServer {
    switch variant {
    case .plain: try shared()
    case .small: try small.get()
    case .single: try single.get()
    case .large: try large.get()
    }
  }

  /// Settings that other people may have chosen.
  package enum Variant: String, Sendable, CaseIterable {
    case plain
    /// Pages of three records.
    case small
    /// No batches, pages of ten, no bucket for each account.
    case single
    /// Batches of two hundred.
    case large
  }

  private static let small = Result {
    try KintoServer(["paginate_by": "3", "batch_max_requests": "4"])
  }
  private static let single = Result {
    try KintoServer([
      "paginate_by": "10", "batch_max_requests": "1", "includes": "kinto.plugins.accounts",
    ])
  }
  private static let large = Result { try KintoServer(["batch_max_requests": "200"]) }

  /// The address of a bucket that no other test has.
  package func newBucket() -> String { "\(url)/v1/buckets/\(Self.newName("b"))" }

  /// A name that no other test has.
  package static func newName(_ start: String) -> String {
    start + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased().prefix(12)
  }

  /// What a request was answered with.
  package struct Answer: Sendable {
    package var status: Int
    package var value: JSONValue
    package var etag: String?
  }

  /// Sends a request as another client would.
  ///
  /// - Parameters:
  ///   - path: what follows `/v1`.
  ///   - user: who asks; `nil` for nobody.
  @discardableResult
  package func send(
    _ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil, headers: HTTPHeaders = [:],
    user: String? = KintoServer.user, password: String = KintoServer.password
  ) async throws -> Answer {
    var request = HTTPRequest(
      method: method, url: url + "/v1" + path, headers: headers, timeout: patience)
    request.body = body?.compactBytes ?? []
    if request.headers["Content-Type"] == nil, body != nil {
      request.headers["Content-Type"] = "application/json"
    }
    if let user { request.headers["Authorization"] = Self.authorization(user, password) }
    let response = try await Self.transport.send(request)
    return Answer(
      status: response.status, value: (try? JSONValue(parsing: response.body)) ?? .null,
      etag: response.headers["ETag"])
  }

  /// The header that says who asks (RFC 7617).
  package static func authorization(_ user: String, _ password: String) -> String {
    "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }

  private static let transport = URLSessionTransport()
}

extension Trait where Self == ConditionTrait {
  /// For suites that need a Kinto.
  package static var withKinto: Self { .enabled(if: KintoServer.isExpected, KintoServer.skipped) }
}
