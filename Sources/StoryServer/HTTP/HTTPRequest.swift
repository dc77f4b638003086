/// A request that was understood, with its body.
struct HTTPRequest: Sendable {
  var method: String
  var target: HTTPTarget
  var headers: HTTPHeaders
  var body: [UInt8] = []
  /// Whether it said how long its body is, be it empty.
  var hasFraming = true
  /// The address that it came to, in numbers; empty for one that came over no socket.
  var localAddress = ""
  /// The address that it came from, in numbers; empty for one that came over no socket.
  var peerAddress = ""

  /// Whether the body is said to be JSON (RFC 8259, section 11; RFC 6839, section 3.1).
  var isJSON: Bool {
    guard let field = headers["content-type"] else { return false }
    let parts = field.utf8.split(separator: UInt8(ascii: ";")).map {
      String(decoding: HTTPHeaders.trimmed($0), as: UTF8.self).lowercased()
    }
    guard let type = parts.first, type == "application/json" || type.hasSuffix("+json") else {
      return false
    }
    return parts.dropFirst().allSatisfy { parameter in
      !parameter.hasPrefix("charset=")
        || ["charset=utf-8", "charset=\"utf-8\""].contains(parameter)
    }
  }

  /// The origin that the client used, as its `Host` tells; a proxy that speaks https says so in
  /// `X-Forwarded-Proto`.
  var origin: String {
    let isSecure = headers["x-forwarded-proto"]?.lowercased() == "https"
    return "\(isSecure ? "https" : "http")://\(headers["host"] ?? "localhost")"
  }

  /// The token behind `Bearer` (RFC 6750, section 2.1).
  var bearerToken: String? {
    guard let field = headers["authorization"] else { return nil }
    let parts = field.utf8.split(separator: UInt8(ascii: " "))
    guard parts.count == 2,
      String(decoding: parts[0], as: UTF8.self).lowercased() == "bearer"
    else { return nil }
    return String(decoding: parts[1], as: UTF8.self)
  }
}
