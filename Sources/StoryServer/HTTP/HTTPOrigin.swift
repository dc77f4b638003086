/// A host and optional port, as in `Host` and URLs (RFC 3986, section 3.2).
struct HTTPAuthority: Equatable, Sendable {
  /// In lowercase. An IPv6 address has no brackets.
  let host: String
  let port: Int?

  /// Parses an authority without user information.
  ///
  /// - Returns: `nil` if the text has no host, or anything besides host and port.
  init?(_ text: some StringProtocol) {
    let text = text.lowercased()
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "[") {
      guard let close = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let inner = rest[rest.index(after: rest.startIndex)..<close]
      guard inner.contains(UInt8(ascii: ":")), inner.allSatisfy(Self.isAddressByte) else {
        return nil
      }
      host = String(Substring(inner))
      rest = rest[rest.index(after: close)...]
    } else {
      let name = rest.prefix { $0 != UInt8(ascii: ":") }
      guard !name.isEmpty, name.allSatisfy(Self.isNameByte) else { return nil }
      host = String(Substring(name))
      rest = rest[name.endIndex...]
    }
    guard !rest.isEmpty else {
      port = nil
      return
    }
    let digits = rest.dropFirst()
    guard rest.first == UInt8(ascii: ":"), (1...5).contains(digits.count),
      digits.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(Substring(digits)),
      number <= 65_535
    else { return nil }
    port = number
  }

  /// Whether the host is this machine by name: `localhost`, `::1`, or `127.x.x.x`.
  var isLoopback: Bool {
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { (1...3).contains($0.utf8.count) && UInt8($0) != nil }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    "abcdefghijklmnopqrstuvwxyz0123456789-._".utf8.contains(byte)
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    "0123456789abcdef:.".utf8.contains(byte)
  }
}

/// The scheme, host and port of a page, as in `Origin` (RFC 6454, section 7).
struct HTTPOrigin: Hashable, Sendable {
  let isSecure: Bool
  /// In lowercase.
  let host: String
  /// The scheme's default if the text has no port.
  let port: Int

  /// Parses an origin.
  ///
  /// - Returns: `nil` for anything but `http` or `https`, a host, and an optional port.
  init?(_ text: String) {
    let text = text.lowercased()
    isSecure = text.hasPrefix("https://")
    guard isSecure || text.hasPrefix("http://"),
      let authority = HTTPAuthority(text.dropFirst(isSecure ? 8 : 7))
    else { return nil }
    host = authority.host
    port = authority.port ?? (isSecure ? 443 : 80)
  }
}
