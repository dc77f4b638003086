/// An answer, before it becomes bytes.
struct HTTPResponse: Sendable {
  var status: Int
  var headers: [HTTPHeader] = []
  var body: [UInt8] = []
  /// What is sent instead of ``body``.
  var file: FilePart?
  /// The value of `Content-Type`, where there is a body.
  var contentType = "application/json"
  /// Whether the connection ends with it.
  var closes = false

  init(_ status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Some bytes of a file, which are read while they are sent.
  struct FilePart: Sendable {
    var file: MediaFile
    var range: Range<Int>
  }

  /// How many bytes the body has.
  var length: Int { file?.range.count ?? body.count }

  /// Whether an answer with this status has a body at all (RFC 9110, sections 15.3.5 and 15.4.5).
  var mayHaveBody: Bool { status != 204 && status != 304 }

  /// The bytes before the body.
  ///
  /// - Parameter date: the value of `Date`.
  func head(date: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    bytes.append(text: "HTTP/1.1 \(status) \(Self.reason(status))\r\nDate: \(date)\r\n")
    // The length of a 304 would be that of another answer (RFC 9110, section 8.6).
    if mayHaveBody {
      if length > 0 { bytes.append(text: "Content-Type: \(contentType)\r\n") }
      bytes.append(text: "Content-Length: \(length)\r\n")
    }
    for header in headers { bytes.append(text: "\(header.name): \(header.value)\r\n") }
    if closes { bytes.append(text: "Connection: close\r\n") }
    bytes.append(text: "\r\n")
    return bytes
  }

  /// The words of RFC 9110 section 15 for a status.
  static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
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
