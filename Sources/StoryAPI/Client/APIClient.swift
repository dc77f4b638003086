import JSONText
import StoryLibrary

/// Speaks the contract with one server, in whatever dialect that server has.
///
/// One client serves one origin and at most one account; it may be used from many tasks at once.
/// The token goes to that origin and to no other. Requests that fail for a passing reason are sent
/// again as the ``RetryPolicy`` says; a session that is about to end is renewed, once for all
/// requests that are under way.
public actor APIClient {
  /// The server that this client speaks with.
  public nonisolated let server: ServerAddress
  /// What this client goes by.
  public nonisolated let configuration: ClientConfiguration
  /// What was sent and received so far.
  public internal(set) var statistics = RequestStatistics()
  /// The session that requests are sent with; `nil` when signed out.
  public internal(set) var session: Session?
  /// How far the server's clock is ahead of this machine's, by its last answer; `nil` before one.
  public internal(set) var clockDifference: Duration?

  let transport: any Transport
  let gate: RequestGate
  let renewal = SharedWork<Session>()
  let deadline: Duration?
  var limiter: RateLimiter?
  /// When, by the server's clock, the session is renewed; `nil` where nobody reckoned it yet.
  var renewalDate: ServerDate?

  /// How often the session was renewed.
  var renewals = 0

  private let inquiry = SharedWork<ServerInfo>()
  private var knownInfo: ServerInfo?

  /// A client for one server. Nothing is sent yet.
  ///
  /// The time for the whole run, where the configuration limits it, begins now.
  public init(
    server: ServerAddress, transport: any Transport = URLSessionTransport(),
    configuration: ClientConfiguration = ClientConfiguration(), session: Session? = nil
  ) {
    self.server = server
    self.transport = transport
    self.configuration = configuration
    self.session = session
    gate = RequestGate(limit: configuration.maximumRequests)
    limiter = configuration.rateLimit.map(RateLimiter.init)
    deadline = configuration.runTime.map { configuration.time.uptime() + $0 }
  }

  /// What the server says of itself; asked for once, then remembered.
  ///
  /// - Throws: `APIError` as any request does; `unsupported` where the dialect was left open and
  ///   the server has neither.
  public func serverInfo() async throws(APIError) -> ServerInfo {
    if let knownInfo { return knownInfo }
    return try await inquiry.value { [self] in
      await Result.catching { () throws(APIError) in try await inquire() }
    }
  }

  /// Whether the server answers now: one try without a token, nothing is repeated. An answer that
  /// tells of trouble of its own (5xx), as a proxy gives for a server that is gone, is none.
  public func isReachable() async -> Bool {
    let endpoint = Endpoint.health(configuration.dialect ?? knownInfo?.dialect ?? .v0)
    let response = try? await once(endpoint, session: nil, attempt: 1)
    return response.map { $0.status < 500 } ?? false
  }

  /// The dialect in use: the configured one, else what the server speaks.
  func dialect() async throws(APIError) -> Dialect {
    if let dialect = configuration.dialect { return dialect }
    return try await serverInfo().dialect
  }

  private func inquire() async throws(APIError) -> ServerInfo {
    if let knownInfo { return knownInfo }
    let info = try await askForInfo()
    knownInfo = info
    return info
  }

  /// With the dialect left open, both health routes are tried; the one that answers as it should
  /// names the dialect. With one that is set and not there, the error names the one that is.
  private func askForInfo() async throws(APIError) -> ServerInfo {
    guard let wanted = configuration.dialect else { return try await findDialect() }
    do throws(APIError) {
      return try await health(wanted)
    } catch {
      // Perhaps only the setting is wrong; then it is said what would be right.
      guard error == .notFound,
        let info = try? await firstHealth(Dialect.allCases.filter { $0 != wanted })
      else { throw error }
      throw .unsupported(
        .dialect(server: server.text, speaks: info.dialect, wanted: wanted))
    }
  }

  private func findDialect() async throws(APIError) -> ServerInfo {
    let last = configuration.dialectMemory?.recall()
    let rest = Dialect.allCases.filter { $0 != last }
    let info = try await firstHealth((last.map { [$0] } ?? []) + rest)
    if info.dialect != last { configuration.dialectMemory?.keep(info.dialect) }
    return info
  }

  private func firstHealth(_ dialects: [Dialect]) async throws(APIError) -> ServerInfo {
    for dialect in dialects {
      do throws(APIError) {
        return try await health(dialect)
      } catch {
        guard Self.isOfAnotherDialect(error) else { throw error }
      }
    }
    throw .unsupported(.otherServer(server.text))
  }

  /// Whether a health route may just not be there.
  private static func isOfAnotherDialect(_ error: APIError) -> Bool {
    switch error {
    // The server does not answer to this name, whatever is asked.
    case .server(421, _): false
    case .notFound, .decoding, .forbidden, .unauthorized, .validation, .server(400...499, _): true
    default: false
    }
  }

  private func health(_ dialect: Dialect) async throws(APIError) -> ServerInfo {
    try dialect.serverInfo(at: try await answer(to: .health(dialect), dialect).place)
  }
}
