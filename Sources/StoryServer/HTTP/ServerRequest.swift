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
}
