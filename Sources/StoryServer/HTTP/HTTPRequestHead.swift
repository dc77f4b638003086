/// A request's line and header fields, with what they say about the connection and the body.
struct HTTPRequestHead: Sendable {
  var method: String
  var target: HTTPTarget
  var headers: HTTPHeaders
  var framing: BodyFraming
  /// Whether the client can receive another answer on this connection.
  var keepsAlive: Bool
  /// Whether the client waits for `100 Continue` before sending the body.
  var awaitsContinue: Bool

  /// The framing of the body (RFC 9112, section 6.3).
  enum BodyFraming: Equatable, Sendable {
    /// No declared length, so there is no body.
    case none
    case length(Int)
    case chunked
  }

  /// The methods defined by HTTP. Others are answered with 501 (RFC 9110, section 9.1).
  private static let methods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT",
  ]

  /// Parses a head without its last line end and the empty line.
  ///
  /// Anything that different readers might interpret differently is refused: bare CR or LF, folded
  /// lines, space before a colon, and contradictory lengths.
  ///
  /// - Throws: The failure to answer with. The connection cannot be used afterwards.
  init(_ bytes: [UInt8]) throws(APIFailure) {
    let lines = try Self.lines(of: bytes)
    guard let first = lines.first else {
      throw .badRequest("malformedRequest", "The request line is missing.")
    }
    let words = bytes[first].split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3, words[0].allSatisfy(Self.isTokenByte), !words[0].isEmpty,
      words[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else {
      throw .badRequest("malformedRequest", "The request line is not method, target, version.")
    }
    let isOld = try Self.isOldVersion(words[2])
    method = String(decoding: words[0], as: UTF8.self)
    guard Self.methods.contains(method) else {
      throw APIFailure(501, "unknownMethod", "Unknown method \(method).")
    }
    headers = try Self.headers(bytes, lines.dropFirst())
    guard let target = HTTPTarget(String(decoding: words[1], as: UTF8.self)) else {
      throw .badRequest("malformedTarget", "The request target is not a path.")
    }
    self.target = target
    // RFC 9112, section 3.2: exactly one.
    guard headers.all("host").count == 1 || (isOld && headers.all("host").isEmpty) else {
      throw .badRequest("malformedRequest", "A request has exactly one Host field.")
    }
    let connection = headers.list("connection")
    keepsAlive = !isOld && !connection.contains("close")
    framing = try Self.framing(headers, isOld: isOld)
    awaitsContinue = false
    if let expectation = headers["expect"], !isOld {
      guard expectation.lowercased() == "100-continue" else {
        throw APIFailure(417, "expectationFailed", "Only 100-continue can be expected here.")
      }
      awaitsContinue = framing != .none
    }
  }

  private static func lines(of bytes: [UInt8]) throws(APIFailure) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A {
        lines.append(start..<index)
        index += 2
        start = index
      } else if bytes[index] == 0x0D || bytes[index] == 0x0A {
        throw .badRequest("malformedRequest", "Lines of a request end with CR LF.")
      } else {
        index += 1
      }
    }
    lines.append(start..<bytes.count)
    return lines
  }

  /// Returns whether the version is HTTP/1.0.
  private static func isOldVersion(_ word: ArraySlice<UInt8>) throws(APIFailure) -> Bool {
    guard word.count == 8, word.starts(with: "HTTP/".utf8) else {
      throw .badRequest("malformedRequest", "The request line does not end with an HTTP version.")
    }
    let version = Array(word.dropFirst(5))
    guard (0x30...0x39).contains(version[0]), version[1] == UInt8(ascii: "."),
      (0x30...0x39).contains(version[2])
    else {
      throw .badRequest("malformedRequest", "The request line does not end with an HTTP version.")
    }
    guard version[0] == UInt8(ascii: "1") else {
      throw APIFailure(505, "versionNotSupported", "This server speaks HTTP/1.1.")
    }
    return version[2] == UInt8(ascii: "0")
  }

  private static func headers(
    _ bytes: [UInt8], _ lines: ArraySlice<Range<Int>>
  ) throws(APIFailure) -> HTTPHeaders {
    var headers = HTTPHeaders(bytes: bytes)
    for line in lines {
      guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")), colon > line.lowerBound,
        bytes[line.lowerBound..<colon].allSatisfy(isTokenByte)
      else {
        throw .badRequest("malformedHeader", "A header field is not name, colon, value.")
      }
      var value = colon + 1..<line.upperBound
      while let first = bytes[value].first, first == 0x20 || first == 0x09 {
        value = value.lowerBound + 1..<value.upperBound
      }
      while let last = bytes[value].last, last == 0x20 || last == 0x09 {
        value = value.lowerBound..<value.upperBound - 1
      }
      guard bytes[value].allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw .badRequest("malformedHeader", "A header field has a control character.")
      }
      headers.append(name: line.lowerBound..<colon, value: value)
    }
    return headers
  }

  private static func framing(
    _ headers: HTTPHeaders, isOld: Bool
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
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
      UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
      UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
