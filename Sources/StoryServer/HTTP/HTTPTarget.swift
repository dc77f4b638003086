import StoryLibrary

/// The target of a request: a path and parameters.
package struct HTTPTarget: Sendable {
  struct Parameter: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// The path and query, as sent.
  package let text: String
  /// The path, as sent.
  let path: String
  /// The path's segments, percent-decoded. An encoded slash is part of its segment.
  package let segments: [String]
  /// The query, as sent, or nothing.
  var query: String { String(Substring(text.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())) }
  /// The query's parameters, percent-decoded. A `+` is literal (RFC 3986), because dates contain
  /// it.
  let parameters: [Parameter]

  /// Parses a target in origin form, or in absolute form, whose authority is ignored (RFC 9112,
  /// sections 3.2.1 and 3.2.2).
  ///
  /// - Returns: `nil` if it has neither form, or has invalid percent-encoding or UTF-8.
  package init?(_ text: String) {
    var rest = text.utf8[...]
    if rest.first != UInt8(ascii: "/") {
      guard let scheme = Self.schemeEnd(rest) else { return nil }
      rest = rest[scheme...].drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    }
    self.text =
      rest.first == UInt8(ascii: "/") ? String(Substring(rest)) : "/" + String(Substring(rest))
    let parts = self.text.utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    path = String(Substring(parts[0]))
    var segments: [String] = []
    for segment in parts[0].dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard let decoded = percentDecoded(segment) else { return nil }
      segments.append(decoded)
    }
    guard let parameters = parts.count == 2 ? Self.parameters(parts[1]) : [] else { return nil }
    self.segments = segments
    self.parameters = parameters
  }

  /// Returns the pairs of a query or form, or `nil` if their encoding is not valid.
  static func parameters(_ bytes: some Collection<UInt8>) -> [Parameter]? {
    var parameters: [Parameter] = []
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      let sides = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = percentDecoded(sides[0]),
        let value = sides.count == 2 ? percentDecoded(sides[1]) : ""
      else { return nil }
      parameters.append(Parameter(name: name, value: value))
    }
    return parameters
  }

  private static func schemeEnd(_ bytes: Substring.UTF8View) -> Substring.UTF8View.Index? {
    for scheme in ["http://", "https://"] {
      let start = bytes.prefix(scheme.utf8.count)
      if String(decoding: start, as: UTF8.self).lowercased() == scheme { return start.endIndex }
    }
    return nil
  }
}
