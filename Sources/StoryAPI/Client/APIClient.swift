import JSONText
import StoryLibrary

/// Speaks the contract with one server, in whatever dialect that server has.
///
/// One client serves one origin and at most one account; it may be used from many tasks at once.
/// The token goes to that origin and to no other.
public actor APIClient {
  /// What a client goes by.
  public struct Configuration: Sendable {
    /// The dialect; `nil` asks the server which one it speaks, once.
    public var dialect: Dialect?
    /// The program's version, for the `User-Agent` header.
    public var programVersion: String
    /// How long a server may stay silent.
    public var timeout: Duration
    /// The same for work that takes a server long, such as writing a story.
    public var generationTimeout: Duration
    /// The clocks.
    public var time: TimeSource

    /// The usual: the embedded server's dialect, 15 s, 180 s, the system's clocks.
    public init(
      dialect: Dialect? = .v0, programVersion: String = "1.0.0", timeout: Duration = .seconds(15),
      generationTimeout: Duration = .seconds(180), time: TimeSource = .system
    ) {
      self.dialect = dialect
      self.programVersion = programVersion
      self.timeout = timeout
      self.generationTimeout = generationTimeout
      self.time = time
    }
  }

  /// The server that this client speaks with.
  public nonisolated let server: ServerAddress
  /// What this client goes by.
  public nonisolated let configuration: Configuration
  /// What was sent and received so far.
  public private(set) var statistics = RequestStatistics()
  /// The session that requests are sent with; `nil` when signed out.
  public var session: Session?

  private let transport: any Transport
  private var knownInfo: ServerInfo?

  /// A client for one server. Nothing is sent yet.
  public init(
    server: ServerAddress, transport: any Transport = URLSessionTransport(),
    configuration: Configuration = Configuration(), session: Session? = nil
  ) {
    self.server = server
    self.transport = transport
    self.configuration = configuration
    self.session = session
  }

  /// Goes on with another session, or with none.
  public func use(_ session: Session?) { self.session = session }

  /// What the server says of itself; asked for once, then remembered.
  ///
  /// - Throws: `APIError` as any request does.
  public func serverInfo() async throws(APIError) -> ServerInfo {
    if let knownInfo { return knownInfo }
    let info = try await askForInfo()
    knownInfo = info
    return info
  }

  /// The dialect in use: the configured one, else what the server speaks.
  func dialect() async throws(APIError) -> Dialect {
    if let dialect = configuration.dialect { return dialect }
    return try await serverInfo().dialect
  }

  /// With the dialect left open, both health routes are tried; the one that answers as it should
  /// names the dialect.
  private func askForInfo() async throws(APIError) -> ServerInfo {
    if let dialect = configuration.dialect { return try await health(dialect) }
    do throws(APIError) {
      return try await health(.v0)
    } catch {
      switch error {
      case .notFound, .decoding, .forbidden, .unauthorized, .server(400...499, _):
        return try await health(.v1)
      default: throw error
      }
    }
  }

  private func health(_ dialect: Dialect) async throws(APIError) -> ServerInfo {
    try dialect.serverInfo(at: try await answer(to: .health(dialect), dialect).place)
  }

  /// Sends a request and gives its parsed answer.
  ///
  /// - Parameter kind: the kind of the record that is asked for, where it is one.
  /// - Throws: `APIError` for everything but a success.
  func answer(
    to endpoint: Endpoint, _ dialect: Dialect, kind: EntityKind? = nil
  ) async throws(APIError) -> Answer {
    let request = try request(for: endpoint)
    let response = try await exchange(request)
    let name = "\(endpoint.method.rawValue) \(endpoint.path)"
    if (200...299).contains(response.status) { return try Answer(response, request: name) }
    if let target = response.url.flatMap({ WebOrigin(url: $0) }), target != server.webOrigin {
      // Another origin got no token, so its refusal says nothing about the session.
      throw .network(.redirectRefused(target: target.text))
    }
    let now = configuration.time.now()
    let context = RefusalContext(
      request: name, kind: kind, isSignIn: endpoint.authorization == .never,
      until: RetryHint.wait(response.headers, now: now).map { now.advanced(by: $0) })
    throw dialect.error(
      status: response.status, body: try? JSONValue(parsing: response.body), context)
  }

  private func exchange(_ request: HTTPRequest) async throws(APIError) -> HTTPResponse {
    statistics.requests += 1
    statistics.bytesUp += request.body.count
    do throws(TransportError) {
      let response = try await transport.send(request)
      statistics.bytesDown += response.body.count
      return response
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .network(let failure): throw .network(failure)
      }
    }
  }

  private func request(for endpoint: Endpoint) throws(APIError) -> HTTPRequest {
    var request = HTTPRequest(
      method: endpoint.method, url: server.origin + endpoint.target,
      timeout: endpoint.patience == .generation
        ? configuration.generationTimeout : configuration.timeout)
    request.headers["Accept"] = "application/json"
    request.headers["User-Agent"] = "stories/\(configuration.programVersion)"
    if let body = endpoint.body {
      request.headers["Content-Type"] = "application/json"
      request.body = body.compactBytes
    }
    if endpoint.needsOrigin { request.headers["Origin"] = server.origin }
    if let key = endpoint.idempotencyKey {
      request.headers["Idempotency-Key"] = try Self.fieldValue(key)
    }
    if let revision = endpoint.revision {
      request.headers["If-Match"] = try "\"\(Self.fieldValue(revision))\""
    }
    switch endpoint.authorization {
    case .never: break
    case .optional, .required:
      if let token = session?.token, let value = try? Self.fieldValue(token.value) {
        request.headers["Authorization"] = "Bearer \(value)"
      } else if endpoint.authorization == .required {
        throw .unauthorized(.notSignedIn)
      }
    }
    return request
  }

  /// A text that can stand in a header field and within quotes there.
  private static func fieldValue(_ text: String) throws(APIError) -> String {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 }) else {
      throw .invalidIdentifier(ServerText.shown(text, limit: 80))
    }
    return text
  }
}
