/// The methods that the contract uses.
public enum HTTPMethod: String, Sendable, Hashable {
  /// Reads.
  case get = "GET"
  /// Creates, or starts work.
  case post = "POST"
  /// Changes the members that are sent.
  case patch = "PATCH"
  /// Deletes.
  case delete = "DELETE"
}

/// One request as a ``Transport`` sends it.
public struct HTTPRequest: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The method.
  public var method: HTTPMethod
  /// The whole URL, percent-encoded.
  public var url: String
  /// The header fields. `Host` and `Content-Length` are the transport's business.
  public var headers: HTTPHeaders
  /// The body; empty for none.
  public var body: [UInt8]
  /// How long the other side may stay silent before the request fails.
  public var timeout: Duration
  /// How long the whole answer may take; with a ``BodySink``, how long ``leastBytes`` of it may take.
  public var timeLimit: Duration = .seconds(300)
  /// The most bytes of the answer's body after decoding, unless a ``BodySink`` takes it.
  public var answerLimit = Self.answerLimit
  /// Whether a redirect may lead to no other origin but one with https; without it one loopback
  /// origin may lead to another in the clear.
  public var staysOnOriginOrSecure = false

  /// The most bytes of an answer's body, unless a request says otherwise: 12 MiB, so that as many of
  /// them as are under way at once fit in memory.
  public static let answerLimit = 12 << 20
  /// The most bytes of the body of an answer that reports an error: 1 MiB.
  public static let errorLimit = 1 << 20
  /// The bytes that a ``BodySink`` gets at least in each ``timeLimit``: 64 KiB.
  public static let leastBytes = 64 << 10

  /// A request from its parts.
  public init(
    method: HTTPMethod, url: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
    timeout: Duration = .seconds(15)
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }

  /// Method and URL without what may be secret.
  public var description: String { "\(method.rawValue) \(Redaction.url(url))" }

  /// Method, URL, headers and the body's size, without what may be secret.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method.rawValue, "url": Redaction.url(url), "headers": headers.description,
        "body": "\(body.count) bytes",
      ])
  }
}
