import StoryAPI
import StoryServer
import TestSupport

/// An embedded server, a client of it that is signed in, and the clock that both go by.
struct ServedClient {
  let server: StoryServer
  let client: APIClient
  let store: MemoryTokenStore
  let clock: SteppingClock
  /// How far the server's clock is ahead.
  let skew: Box<Duration>
  let api: ServerAPI

  static let email = "ada@example.org"
  static let password = Secret("a long password")

  init(
    _ api: ServerAPI = .v0, features: Set<ServerFeature> = Set(ServerFeature.allCases),
    lifetime: Int64 = 86_400_000, retries: RetryPolicy = RetryPolicy()
  ) async throws {
    let (clock, skew) = (SteppingClock(), Box(Duration.zero))
    var options = ServerOptions()
    options.api = api
    options.features = features
    options.requestLogSize = 1_000
    options.passwordCost = 1
    options.sessionLifetime = lifetime
    options.clock = {
      let now = clock.now.advanced(by: skew.value)
      return now.seconds * 1_000 + Int64(now.nanoseconds) / 1_000_000
    }
    server = try StoryServer(options: options)
    try server.start()
    store = MemoryTokenStore()
    self.clock = clock
    self.skew = skew
    self.api = api
    client = try Self.client(server, api, store, clock, retries)
    try await client.signUp(email: Self.email, password: Self.password, name: "Ada")
    server.clearRequestLog()
  }

  private static func client(
    _ server: StoryServer, _ api: ServerAPI, _ store: MemoryTokenStore, _ clock: SteppingClock,
    _ retries: RetryPolicy
  ) throws -> APIClient {
    var configuration = ClientConfiguration.quick(
      clock, dialect: Dialect(rawValue: api.rawValue), retries: retries)
    configuration.tokenStore = store
    return APIClient(server: try ServerAddress(server.url), configuration: configuration)
  }

  /// A client as the next command makes one: with the same store, and not signed in yet.
  func next(retries: RetryPolicy = RetryPolicy()) throws -> APIClient {
    try Self.client(server, api, store, clock, retries)
  }

  /// What stands in front of `/heroes`.
  var base: String { api == .v0 ? "/api" : "/api/v1" }

  /// The path that a session is renewed at.
  var renewalPath: String {
    api == .v0 ? "/api/auth/session/refresh" : "/api/auth/get-session"
  }

  /// Paths and statuses of the requests since the last call.
  func takeRequests() -> [String] {
    defer { server.clearRequestLog() }
    return server.requestLog.map { request in
      let status = request.status.map { String($0) } ?? "-"
      return "\(request.method) \(request.path.replacing(base, with: "")) \(status)"
    }
  }
}
