/// An answer, before it is encoded.
package struct ServerResponse: Sendable {
  package var status: Int
  package var headers: [HTTPHeader] = []
  package var body: [UInt8] = [] { didSet { file = nil } }
  /// A file sent instead of ``body``.
  var file: FilePart?
  /// The value of `Content-Type`, if there is a body.
  var contentType = "application/json"
  var closes = false
  /// The number of body bytes after which the connection is closed, or `nil` to send the whole
  /// body. For tests.
  package var bodyLimit: Int?

  package init(_ status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A range of a file, read while it is sent.
  typealias FilePart = (file: MediaFile, range: Range<Int>)

  /// Makes this the answer with a file, or with a part of it.
  ///
  /// - Throws: `APIFailure` with status 416 if the file does not have the part.
  mutating func setFile(_ file: MediaFile, range: String?) throws(APIFailure) {
    switch ByteRange(range, size: file.size) {
    case .whole:
      self.file = (file, 0..<file.size)
    case .part(let part):
      status = 206
      self.file = (file, part)
      headers.append(
        HTTPHeader(
          "Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"))
    case .unsatisfiable:
      throw APIFailure(
        416, "rangeNotSatisfiable", "The file has \(file.size) bytes.",
        headers: [HTTPHeader("Content-Range", "bytes */\(file.size)")])
    }
  }

  /// The length of the body in bytes, including that of a file.
  package var length: Int { file?.range.count ?? body.count }

  /// Whether an answer with this status can have a body (RFC 9110, sections 15.3.5 and 15.4.5).
  var mayHaveBody: Bool { status != 204 && status != 304 }

  /// Returns the bytes before the body.
  func head(date: String) -> [UInt8] {
    var head = "HTTP/1.1 \(status) \(Self.reason(status))\r\nDate: \(date)\r\n"
    // In a 304, the length would be that of the 200 answer (RFC 9110, section 8.6).
    if mayHaveBody {
      if length > 0 { head += "Content-Type: \(contentType)\r\n" }
      head += "Content-Length: \(length)\r\n"
    }
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    if closes { head += "Connection: close\r\n" }
    return Array((head + "\r\n").utf8)
  }

  /// Returns the reason phrase for a status (RFC 9110, section 15).
  static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 303: "See Other"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 424: "Failed Dependency"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: "Status"
    }
  }
}
