/// A complete response.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code.
  public var status: Int
  /// The header fields, whose names are case-insensitive.
  public var headers: HTTPHeaders
  /// The body, with content codings such as gzip decoded.
  public var body: [UInt8]
  /// The URL of the response, which differs from the request after redirects.
  public var url: String?

  /// Creates a response.
  public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: String? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }
}
