/// One whole answer.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code.
  public var status: Int
  /// The header fields; names are looked up without case.
  public var headers: HTTPHeaders
  /// The body, content codings such as gzip already undone.
  public var body: [UInt8]
  /// The URL that answered: another one than was asked where redirects were followed.
  public var url: String?

  /// An answer from its parts.
  public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: String? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }
}
