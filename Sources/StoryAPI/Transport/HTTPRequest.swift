/// The methods that the contract uses.
public enum HTTPMethod: String, Sendable, Hashable {
  /// Reads.
  case get = "GET"
  /// Reads the head of what ``get`` would answer.
  case head = "HEAD"
  /// Puts something at a place that the client chooses.
  case put = "PUT"
  /// Creates a record or starts work.
  case post = "POST"
  /// Changes the members in the body.
  case patch = "PATCH"
  /// Deletes.
  case delete = "DELETE"
}

/// A request for a ``Transport``.
public struct HTTPRequest: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The method.
  public var method: HTTPMethod
  /// The complete URL, percent-encoded.
  public var url: String
  /// The header fields, except `Host` and `Content-Length`, which the transport adds.
  public var headers: HTTPHeaders
  /// The body, or an empty array for none.
  public var body: [UInt8]
  /// The maximum silence of the server.
  public var timeout: Duration
  /// The maximum time of the whole response, or with a ``BodySink`` of each ``leastBytes``.
  public var timeLimit: Duration = .seconds(300)
  /// The maximum size of the decoded body in bytes, unless a ``BodySink`` receives it.
  public var answerLimit = Self.answerLimit
  /// Whether redirects to other origins require https. If not, one loopback origin may redirect to
  /// another without encryption.
  public var staysOnOriginOrSecure = false

  /// The default maximum size of a response body: 12 MiB, so that concurrent ones fit in memory.
  public static let answerLimit = 12 << 20
  /// The maximum size of the body of an error response: 1 MiB.
  public static let errorLimit = 1 << 20
  /// The minimum number of bytes for a ``BodySink`` in each ``timeLimit``: 64 KiB.
  public static let leastBytes = 64 << 10

  /// Creates a request.
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

  /// The method and the URL without secrets.
  public var description: String { "\(method.rawValue) \(Redaction.url(url))" }

  /// The method, the URL, the headers and the body's size, without secrets.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method.rawValue, "url": Redaction.url(url), "headers": headers.description,
        "body": "\(body.count) bytes",
      ])
  }
}
