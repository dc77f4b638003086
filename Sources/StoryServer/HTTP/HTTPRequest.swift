/// A parsed request with its body.
struct HTTPRequest: Sendable {
  var method: String
  var target: HTTPTarget
  var headers: HTTPHeaders
  var body: [UInt8] = []
  /// Whether the request declares the length of its body, even if it is empty.
  var hasFraming = true
  /// The address that the request arrived at, in numbers. Empty if it did not come over a socket.
  var localAddress = ""
  /// The address of the sender, in numbers. Empty if the request did not come over a socket.
  var peerAddress = ""

  /// Whether the body's type is JSON (RFC 8259, section 11; RFC 6839, section 3.1).
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

  /// The requested part of a file, which only `GET` has (RFC 9110, section 14.2).
  var range: String? { method == "GET" ? headers["range"] : nil }

  /// The origin that the client used, from `Host` and a proxy's `X-Forwarded-Proto`.
  var origin: String {
    let isSecure = headers["x-forwarded-proto"]?.lowercased() == "https"
    return "\(isSecure ? "https" : "http")://\(headers["host"] ?? "localhost")"
  }

  /// The bearer token (RFC 6750, section 2.1).
  var bearerToken: String? {
    guard let field = headers["authorization"] else { return nil }
    let parts = field.utf8.split(separator: UInt8(ascii: " "))
    guard parts.count == 2,
      String(decoding: parts[0], as: UTF8.self).lowercased() == "bearer"
    else { return nil }
    return String(decoding: parts[1], as: UTF8.self)
  }
}
