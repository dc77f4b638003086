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
  /// Whether a redirect may lead to no other origin but one with https; without it one loopback
  /// origin may lead to another in the clear.
  public var staysOnOriginOrSecure = false

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
