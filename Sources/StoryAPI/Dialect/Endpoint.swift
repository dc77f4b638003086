public import JSONText
import StoryLibrary

/// A request of the contract as a value, without the server that it is sent to.
///
/// Only factory methods create endpoints, and they know every route. See ``Dialect`` for the
/// differences between servers.
public struct Endpoint: Sendable, Hashable {
  /// The use of the session's token.
  public enum Authorization: Sendable, Hashable {
    /// Sent without a token.
    case never
    /// Sent with a token if there is a session.
    case optional
    /// Sent only with a token.
    case required
  }

  /// The time that the server may take.
  public enum Patience: Sendable, Hashable {
    /// The usual time.
    case standard
    /// The time for writing a story or drawing a picture.
    case generation
  }

  /// The base of a path.
  public enum Root: Sendable, Hashable {
    /// The server's origin.
    case origin
    /// The API, on a server that may have it below a path.
    case service
    /// The bucket within that API.
    case bucket
  }

  /// The method.
  public let method: HTTPMethod
  /// The path from ``root``, percent-encoded: `/api/heroes/0d3f`.
  public let path: String
  /// The base of ``path``.
  public let root: Root
  /// The query's names and values in order, not yet encoded.
  public let query: [QueryItem]
  /// The body, if any.
  public let body: JSONValue?
  /// The use of the session's token.
  public let authorization: Authorization
  /// The time that the server may take.
  public let patience: Patience
  /// The tag of the revision that a write is based on, sent as `If-Match`.
  public let revision: String?
  /// The key that makes the server do a write only once, sent as `Idempotency-Key`.
  public let idempotencyKey: String?
  /// Whether the server requires an `Origin` header.
  public let needsOrigin: Bool
  /// Whether the body has several writes, each with its own key or id.
  let isBatch: Bool
  /// The body's media type.
  let contentType: String
  /// A session to use instead of the client's.
  let fixedSession: Session?
  /// The tag of an answer that the client already has, sent as `If-None-Match`. `*` matches any.
  var knownTag: String?

  /// A name and value of a query.
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

  /// The method and path, for messages.
  var name: String { "\(method.rawValue) \(path)" }

  /// Whether the request proves the identity of its sender, so that a refusal means a wrong
  /// password.
  var isSignIn: Bool { authorization == .never && fixedSession == nil }

  /// The path, from ``root``, with the query.
  public var target: String {
    guard !query.isEmpty else { return path }
    return path + "?"
      + query.map { percentEncoded($0.name) + "=" + percentEncoded($0.value) }
      .joined(separator: "&")
  }
}
