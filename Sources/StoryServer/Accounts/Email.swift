/// An email address in lowercase, without surrounding whitespace.
struct Email: Hashable, Sendable {
  let text: String

  /// Validates an address as far as possible without sending mail: one `@` with text on both sides,
  /// no whitespace or control characters, at most 254 bytes (RFC 5321, section 4.5.3.1).
  init?(_ input: String) {
    var scalars = input.unicodeScalars[...]
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    let text = String(scalars).lowercased()
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.utf8.count <= 254,
      text.unicodeScalars.allSatisfy({
        $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace
      })
    else { return nil }
    self.text = text
  }
}
