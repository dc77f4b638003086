package import JSONText
import StoryLibrary

/// A request of the contract as a value, without the server that it is sent to.
///
/// Only factory methods create endpoints, and they know every route. See ``Dialect`` for the
/// differences between servers.
package struct Endpoint: Sendable {
  /// The use of the session's token.
  package enum Authorization: Sendable, Hashable {
    /// Sent without a token.
    case never
    /// Sent with a token if there is a session.
    case optional
    /// Sent only with a token.
    case required
  }

  /// The time that the server may take.
  package enum Patience: Sendable, Hashable {
    case standard
    /// The time for writing a story or drawing a picture.
    case generation
  }

  enum Root: Sendable, Hashable {
    case origin
    /// The API, on a server that may have it below a path.
    case service
    /// The bucket within that API.
    case bucket
  }

  package let method: HTTPMethod
  /// The path from ``root``, percent-encoded: `/api/heroes/0d3f`.
  package let path: String
  var root = Root.origin
  /// The query's names and values in order, not yet encoded.
  var query: [(name: String, value: String)] = []
  package var body: JSONValue?
  var contentType = "application/json"
  package var authorization = Authorization.required
  package var patience = Patience.standard
  /// The tag of the revision that a write is based on, sent as `If-Match`.
  package var revision: String?
  /// The tag of an answer that the client already has, sent as `If-None-Match`. `*` matches any.
  package var knownTag: String?
  /// The key that makes the server do a write only once, sent as `Idempotency-Key`.
  package var idempotencyKey: String?
  /// Whether the server requires an `Origin` header.
  package var needsOrigin = false
  /// Whether the body has several writes, each with its own key or id.
  var isBatch = false
  /// A session to use instead of the client's.
  var fixedSession: Session?

  /// The maximum length of an id in a path, in bytes.
  private static let maximumLength = 1_024

  /// Returns an id as a percent-encoded segment of a path.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that cannot be one segment: an empty one, `.`
  ///   and `..` (RFC 3986, section 5.2.4 removes them), or one that is too long.
  static func segment(_ id: String) throws(APIError) -> String {
    guard !id.isEmpty, id != ".", id != "..", id.utf8.count <= maximumLength else {
      throw .invalidIdentifier(ServerText.shown(id, limit: 80))
    }
    return percentEncoded(id)
  }

  var name: String { "\(method.rawValue) \(path)" }

  /// Whether the request proves the identity of its sender, so that a refusal means a wrong
  /// password.
  var isSignIn: Bool { authorization == .never && fixedSession == nil }

  /// The path, from ``root``, with the query.
  package var target: String {
    guard !query.isEmpty else { return path }
    let items = query.map { percentEncoded($0.name) + "=" + percentEncoded($0.value) }
    return path + "?" + items.joined(separator: "&")
  }
}
