/// A parsed request with its body.
package struct ServerRequest: Sendable {
  package var method: String
  package var target: HTTPTarget
  package var headers: HeaderFields
  var framing = BodyFraming.length(0)
  package var body: [UInt8] = []
  /// Whether the client can receive another answer on this connection.
  var keepsAlive = false
  /// Whether the client waits for `100 Continue` before sending the body.
  var awaitsContinue = false
  /// The address that the request arrived at, in numbers. Empty if it did not come over a socket.
  var localAddress = ""
  /// The port that the request arrived at, or 0 if it did not come over a socket.
  package var port = 0
  /// The address of the sender, in numbers. Empty if the request did not come over a socket.
  var peerAddress = ""

  /// The framing of the body (RFC 9112, section 6.3).
  enum BodyFraming: Equatable, Sendable {
    /// No declared length, so there is no body.
    case none
    case length(Int)
    case chunked
  }

  /// Creates a request that did not come over a socket.
  package init(method: String, target: HTTPTarget, headers: [HTTPHeader], body: [UInt8]) {
    self.method = method
    self.target = target
    self.headers = HeaderFields(headers)
    self.body = body
  }

  /// Whether the body's type is JSON (RFC 8259, section 11; RFC 6839, section 3.1).
  var isJSON: Bool {
    guard let field = headers["content-type"] else { return false }
    let parts = field.utf8.split(separator: UInt8(ascii: ";")).map {
      String(decoding: $0.trimmed, as: UTF8.self).lowercased()
    }
    guard let type = parts.first, type == "application/json" || type.hasSuffix("+json") else {
      return false
    }
    return parts.dropFirst().allSatisfy { parameter in
      !parameter.hasPrefix("charset=")
        || ["charset=utf-8", "charset=\"utf-8\""].contains(parameter)
    }
  }

  /// The requested part of a file, which only `GET` has (RFC 9110, section 14.2).
  var range: String? { method == "GET" ? headers["range"] : nil }

  /// The origin that the client used, from `Host` and a proxy's `X-Forwarded-Proto`.
  var origin: String {
    let isSecure = headers["x-forwarded-proto"]?.lowercased() == "https"
    return "\(isSecure ? "https" : "http")://\(headers["host"] ?? "localhost")"
  }

  /// The bearer token (RFC 6750, section 2.1).
  var bearerToken: String? {
    let parts = headers["authorization"]?.utf8.split(separator: UInt8(ascii: " ")) ?? []
    guard parts.count == 2, Substring(parts[0]).lowercased() == "bearer" else { return nil }
    return String(Substring(parts[1]))
  }

  /// The methods defined by HTTP. Others are answered with 501 (RFC 9110, section 9.1).
  private static let methods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT",
  ]

  static let badLineEnd = APIFailure.badRequest(
    "malformedRequest", "Lines of a request end with CR LF.")

  /// Parses a request's line and header fields.
  ///
  /// Anything that different readers might interpret differently is refused: bare CR or LF, folded
  /// lines, space before a colon, and contradictory lengths.
  ///
  /// - Throws: The failure to answer with. The connection cannot be used afterwards.
  init(head lines: some Collection<[UInt8]>) throws(APIFailure) {
    guard !lines.contains(where: { $0.contains(0x0D) }) else { throw Self.badLineEnd }
    let words = (lines.first ?? []).split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3, words[0].allSatisfy(Self.isTokenByte), !words[0].isEmpty,
      words[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else {
      throw .badRequest("malformedRequest", "The request line is not method, target, version.")
    }
    let isOld = try Self.isOldVersion(words[2])
    let method = String(decoding: words[0], as: UTF8.self)
    guard Self.methods.contains(method) else {
      throw APIFailure(501, "unknownMethod", "Unknown method \(method).")
    }
    let fields = try lines.dropFirst().map(Self.header)
    guard let target = HTTPTarget(String(decoding: words[1], as: UTF8.self)) else {
      throw .badRequest("malformedTarget", "The request target is not a path.")
    }
    self.init(method: method, target: target, headers: fields, body: [])
    // RFC 9112, section 3.2: exactly one.
    guard headers.all("host").count == 1 || (isOld && headers.all("host").isEmpty) else {
      throw .badRequest("malformedRequest", "A request has exactly one Host field.")
    }
    keepsAlive = !isOld && !headers.list("connection").contains("close")
    framing = try Self.framing(headers, isOld: isOld)
    if let expectation = headers["expect"], !isOld {
      guard expectation.lowercased() == "100-continue" else {
        throw APIFailure(417, "expectationFailed", "Only 100-continue can be expected here.")
      }
      awaitsContinue = framing != .none
    }
  }

  private static func isOldVersion(_ word: ArraySlice<UInt8>) throws(APIFailure) -> Bool {
    let version = Array(word.dropFirst(5))
    guard word.count == 8, word.starts(with: "HTTP/".utf8), (0x30...0x39).contains(version[0]),
      version[1] == UInt8(ascii: "."), (0x30...0x39).contains(version[2])
    else {
      throw .badRequest("malformedRequest", "The request line does not end with an HTTP version.")
    }
    guard version[0] == UInt8(ascii: "1") else {
      throw APIFailure(505, "versionNotSupported", "This server speaks HTTP/1.1.")
    }
    return version[2] == UInt8(ascii: "0")
  }

  private static func header(_ line: [UInt8]) throws(APIFailure) -> HTTPHeader {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isTokenByte)
    else {
      throw .badRequest("malformedHeader", "A header field is not name, colon, value.")
    }
    let value = line[(colon + 1)...].trimmed
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw .badRequest("malformedHeader", "A header field has a control character.")
    }
    return HTTPHeader(
      String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  private static func framing(
    _ headers: HeaderFields, isOld: Bool
  ) throws(APIFailure) -> BodyFraming {
    let lengths = headers.all("content-length")
    let codings = headers.list("transfer-encoding")
    if !headers.all("transfer-encoding").isEmpty {
      guard lengths.isEmpty, !isOld else {
        throw .badRequest(
          "conflictingLengths", "Transfer-Encoding with Content-Length, or in HTTP/1.0.")
      }
      guard codings == ["chunked"] else {
        throw APIFailure(
          501, "unknownTransferEncoding", "The only supported transfer encoding is chunked.")
      }
      return .chunked
    }
    guard let text = lengths.first else { return .none }
    guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      throw .badRequest("conflictingLengths", "Content-Length is not one number.")
    }
    // A number too large for `Int` is larger than every limit on bodies.
    return .length(Int(text) ?? Int.max)
  }

  /// Returns whether a byte is a token character (RFC 9110, section 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
