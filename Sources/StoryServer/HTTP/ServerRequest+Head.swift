extension ServerRequest {
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
