/// The normalized scheme, host and port of a URL (RFC 6454, section 4).
struct WebOrigin: Sendable, Hashable {
  /// Whether the scheme is https. Otherwise it is http.
  let isSecure: Bool
  /// The host in lowercase. An IPv6 address is in brackets.
  let host: String
  /// The port, which defaults to the scheme's.
  let port: Int

  static func split(_ url: String) throws(ServerAddress.Problem) -> (WebOrigin, rest: Substring) {
    guard let mark = url.firstRange(of: "://") else { throw .scheme(url) }
    let scheme = url[..<mark.lowerBound].lowercased()
    guard scheme == "https" || scheme == "http" else { throw .scheme(url) }
    let isSecure = scheme == "https"
    let end = url[mark.upperBound...].firstIndex { "/?#\\".contains($0) } ?? url.endIndex
    let authority = url[mark.upperBound..<end]
    guard !authority.contains("@") else { throw .userInfo }
    let colon: String.Index?
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else { throw .host(url) }
      let after = authority.index(after: close)
      guard after == authority.endIndex || authority[after] == ":" else { throw .host(url) }
      colon = after == authority.endIndex ? nil : after
    } else {
      colon = authority.firstIndex(of: ":")
    }
    let host = authority[..<(colon ?? authority.endIndex)].lowercased()
    guard isHost(host) else { throw .host(url) }
    var port = isSecure ? 443 : 80
    if let colon, authority.index(after: colon) < authority.endIndex {
      let digits = authority[authority.index(after: colon)...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
        (1...65_535).contains(number)
      else { throw url.contains("@") ? .userInfo : .port(url) }
      port = number
    }
    return (WebOrigin(isSecure: isSecure, host: host, port: port), url[end...])
  }

  var text: String {
    let scheme = isSecure ? "https" : "http"
    return port == (isSecure ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }

  /// Whether the host is this machine: `localhost`, `[::1]` or an address `127.x.x.x`.
  ///
  /// Names are not looked up, and other spellings of such addresses do not count, so that no name
  /// passes for loopback but leads elsewhere.
  var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { (1...3).contains($0.utf8.count) && UInt8($0) != nil }
  }

  private static func isHost(_ host: String) -> Bool {
    if host.hasPrefix("[") {
      let inner = host.dropFirst().dropLast()
      return host.hasSuffix("]") && inner.contains(":")
        && inner.utf8.allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
    }
    return !host.isEmpty && host.utf8.count <= 253
      && host.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-._".utf8.contains($0) }
  }
}

extension WebOrigin {
  init?(url: String) {
    guard let (origin, _) = try? Self.split(url) else { return nil }
    self = origin
  }
}
