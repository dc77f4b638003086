import JSONText
import StoryLibrary

/// A client of the wire contract for one server, in that server's dialect.
///
/// A client uses one origin and at most one account, and can be used from many tasks. The token is
/// sent only to that origin. Requests with temporary failures are repeated according to the
/// ``RetryPolicy``. A session that is about to end is renewed once for all current requests.
public actor APIClient {
  /// The server.
  public nonisolated let server: ServerAddress
  /// The configuration.
  public nonisolated let configuration: ClientConfiguration
  /// The totals of sent and received data.
  public internal(set) var statistics = RequestStatistics()
  /// The session for requests, or `nil` when signed out.
  public internal(set) var session: Session?
  /// The lead of the server's clock over this machine's by its last response, or `nil` before one.
  public internal(set) var clockDifference: Duration?

  let transport: any Transport
  let gate: RequestGate
  let renewal = SharedWork<Session>()
  let deadline: Duration?
  var limiter: RateLimiter?
  var renewalDate: ServerDate?

  var renewals = 0
  /// The time before which the server asked for no requests, by the monotonic clock, or `nil`.
  var quietUntil: Duration?
  /// Whether the server's announced end was already reported.
  var hasAlerted = false

  /// The dialect of requests before the server has said which one it speaks.
  private var presumed: Dialect?

  private let inquiry = SharedWork<ServerInfo>()
  var knownInfo: ServerInfo?

  /// Creates a client without sending anything.
  ///
  /// The deadline of the run, if configured, is measured from now.
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

  /// Returns the server's description of itself, which is requested once.
  ///
  /// - Throws: `APIError`; `unsupported` if the dialect is open and the server has neither.
  public func serverInfo() async throws(APIError) -> ServerInfo {
    if let knownInfo { return knownInfo }
    return try await inquiry.value { [self] () throws(APIError) in try await inquire() }
  }

  /// Returns whether the server responds, in one attempt without a token. A server error (5xx),
  /// such as from a proxy whose server is down, does not count.
  public func isReachable() async -> Bool {
    let endpoint = Endpoint.health(
      configuration.dialect ?? knownInfo?.dialect ?? Dialect.candidates(at: server)[0])
    let response = try? await once(endpoint, session: nil, attempt: 1)
    return response.map { $0.status < 500 } ?? false
  }

  /// Returns what a listing depends on. The server is asked only if this does not follow from its
  /// known dialect, which may be out of date: check ``serverInfo()`` before anything is written.
  package func listingInfo() async throws(APIError) -> ServerInfo {
    if let knownInfo { return knownInfo }
    guard let dialect = configuration.dialect ?? configuration.dialectMemory?.recall(),
      Dialect.candidates(at: server).contains(dialect), let info = dialect.listingInfo
    else { return try await serverInfo() }
    presumed = dialect
    return info
  }

  func dialect() async throws(APIError) -> Dialect {
    if let dialect = configuration.dialect ?? knownInfo?.dialect ?? presumed { return dialect }
    return try await serverInfo().dialect
  }

  private func inquire() async throws(APIError) -> ServerInfo {
    if let knownInfo { return knownInfo }
    let info = try await askForInfo()
    knownInfo = info
    return info
  }

  /// If the dialect is left open, both health routes are tried, and the one with a valid response
  /// determines the dialect. If a configured one is missing, the error names the one that exists.
  private func askForInfo() async throws(APIError) -> ServerInfo {
    guard let wanted = configuration.dialect else { return try await findDialect() }
    do throws(APIError) {
      return try await health(wanted)
    } catch {
      // The configuration may be wrong, so the error names the right dialect.
      guard error == .notFound,
        let info = try? await firstHealth(
          Dialect.candidates(at: server).filter { $0 != wanted })
      else { throw error }
      throw .unsupported(
        .dialect(server: server.text, speaks: info.dialect, wanted: wanted))
    }
  }

  private func findDialect() async throws(APIError) -> ServerInfo {
    let candidates = Dialect.candidates(at: server)
    let last = configuration.dialectMemory?.recall()
    let info = try await firstHealth(
      candidates.filter { $0 == last } + candidates.filter { $0 != last })
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

  /// Returns whether the error may mean that a health route does not exist.
  private static func isOfAnotherDialect(_ error: APIError) -> Bool {
    switch error {
    // The server does not respond to this name for any request.
    case .server(421, _): false
    case .notFound, .decoding, .forbidden, .unauthorized, .validation, .server(400...499, _): true
    default: false
    }
  }

  private func health(_ dialect: Dialect) async throws(APIError) -> ServerInfo {
    let info = try dialect.serverInfo(at: try await answer(to: .health(dialect), dialect).place)
    try info.checkBucket(of: server)
    return info
  }
}

/// The totals of data that a client has sent and received.
public struct RequestStatistics: Sendable, Hashable {
  /// The number of requests, including repetitions.
  public var requests = 0
  /// The number of body bytes sent.
  public var bytesUp = 0
  /// The number of body bytes received, after decompression.
  public var bytesDown = 0
}
