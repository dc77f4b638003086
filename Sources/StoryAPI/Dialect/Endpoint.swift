public import JSONText

/// One request of the contract as a value: what is asked for, without the server it goes to.
///
/// Made by its factories only, which know every route; see ``Dialect`` for what differs between
/// servers.
public struct Endpoint: Sendable, Hashable {
  /// Whether the request carries the session's token.
  public enum Authorization: Sendable, Hashable {
    /// Never.
    case never
    /// Where there is a session.
    case optional
    /// Always; without a session the request is not sent.
    case required
  }

  /// How long the server may take.
  public enum Patience: Sendable, Hashable {
    /// As long as any request.
    case standard
    /// As long as it takes to write a story or draw a picture.
    case generation
  }

  /// What a path starts from.
  public enum Root: Sendable, Hashable {
    /// The server's host.
    case origin
    /// The API of a server that may lie below a path.
    case service
    /// What holds the records within that API.
    case bucket
  }

  /// The method.
  public let method: HTTPMethod
  /// The path from ``root``, percent-encoded: `/api/heroes/0d3f`.
  public let path: String
  /// What ``path`` starts from.
  public let root: Root
  /// The query's names and values, not yet encoded, in their order.
  public let query: [QueryItem]
  /// The body; `nil` for none.
  public let body: JSONValue?
  /// Whether the token goes along.
  public let authorization: Authorization
  /// How long the server may take.
  public let patience: Patience
  /// The tag of the version that a write is based on, sent as `If-Match`.
  public let revision: String?
  /// The key under which a server does a write once, sent as `Idempotency-Key`.
  public let idempotencyKey: String?
  /// Whether the server insists on an `Origin` header.
  public let needsOrigin: Bool
  /// Whether the body holds many writes, each with a key or an id of its own.
  let isBatch: Bool
  /// The body's media type.
  let contentType: String
  /// A session to send in the place of the client's.
  let fixedSession: Session?
  /// The tag of an answer that is held already, sent as `If-None-Match`; `*` for any.
  var knownTag: String?

  /// One name and value of a query.
  public struct QueryItem: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  init(
    _ method: HTTPMethod, _ path: String, from root: Root = .origin, query: [QueryItem] = [],
    body: JSONValue? = nil, contentType: String = "application/json",
    authorization: Authorization = .required, patience: Patience = .standard,
    revision: String? = nil, knownTag: String? = nil, idempotencyKey: String? = nil,
    needsOrigin: Bool = false, isBatch: Bool = false, fixedSession: Session? = nil
  ) {
    self.method = method
    self.path = path
    self.root = root
    self.contentType = contentType
    self.knownTag = knownTag
    self.query = query
    self.body = body
    self.authorization = authorization
    self.patience = patience
    self.revision = revision
    self.idempotencyKey = idempotencyKey
    self.needsOrigin = needsOrigin
    self.isBatch = isBatch
    self.fixedSession = fixedSession
  }

  /// Method and path, for messages.
  var name: String { "\(method.rawValue) \(path)" }

  /// Whether the request is what proves who asks, so that its refusal means a wrong password.
  var isSignIn: Bool { authorization == .never && fixedSession == nil }

  /// Path, from ``root``, and query.
  public var target: String {
    guard !query.isEmpty else { return path }
    return path + "?"
      + query.map { percentEncoded($0.name) + "=" + percentEncoded($0.value) }
      .joined(separator: "&")
  }
}
