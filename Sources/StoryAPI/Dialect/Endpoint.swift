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

  /// The method.
  public let method: HTTPMethod
  /// The path, percent-encoded: `/api/heroes/0d3f`.
  public let path: String
  /// The query's names and values, not yet encoded, in their order.
  public let query: [QueryItem]
  /// The body; `nil` for none.
  public let body: JSONValue?
  /// Whether the token goes along.
  public let authorization: Authorization
  /// How long the server may take.
  public let patience: Patience
  /// The version that a write is based on, sent as `If-Match`.
  public let revision: String?
  /// The key under which a server does a write once, sent as `Idempotency-Key`.
  public let idempotencyKey: String?
  /// Whether the server insists on an `Origin` header.
  public let needsOrigin: Bool
  /// Whether the body's operations carry keys of their own.
  let hasKeys: Bool
  /// A token to send in the place of the session's.
  let fixedToken: Secret?
  /// The tag of an answer that is held already, sent as `If-None-Match`.
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
    _ method: HTTPMethod, _ path: String, query: [QueryItem] = [], body: JSONValue? = nil,
    authorization: Authorization = .required, patience: Patience = .standard,
    revision: String? = nil, idempotencyKey: String? = nil, needsOrigin: Bool = false,
    hasKeys: Bool = false, fixedToken: Secret? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.authorization = authorization
    self.patience = patience
    self.revision = revision
    self.idempotencyKey = idempotencyKey
    self.needsOrigin = needsOrigin
    self.hasKeys = hasKeys
    self.fixedToken = fixedToken
  }

  /// Method and path, for messages.
  var name: String { "\(method.rawValue) \(path)" }

  /// Whether the request is what proves who asks, so that its refusal means a wrong password.
  var isSignIn: Bool { authorization == .never && fixedToken == nil }

  /// Path and query as they stand in a request line.
  public var target: String {
    guard !query.isEmpty else { return path }
    return path + "?"
      + query.map { percentEncoded($0.name) + "=" + percentEncoded($0.value) }
      .joined(separator: "&")
  }
}
