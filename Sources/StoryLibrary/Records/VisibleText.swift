/// Makes text from files and servers safe to display. Only this type escapes what could control a
/// terminal or change how the surrounding text is read.
public enum VisibleText {
  /// Returns the text as ``escaping(_:)`` does, truncated to `limit` scalars with `…` at the end.
  public static func escaping(_ text: String, limit: Int) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return escaping(text) }
    return escaping(String(scalars[..<end])) + "…"
  }

  /// Returns the text on one line, escaping control characters, line ends, line and paragraph
  /// separators, and bidirectional control characters (Unicode UAX 9, section 2).
  public static func escaping(_ text: String) -> String { escaping(text, keepsLines: false) }

  /// Returns the text with the same escapes except for line ends (LF, CRLF) and tabs.
  public static func escapingLines(_ text: String) -> String { escaping(text, keepsLines: true) }

  private static func escaping(_ text: String, keepsLines: Bool) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var result = ""
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\n" where keepsLines, "\t" where keepsLines,
        "\r" where keepsLines && scalars.first == "\n":
        result.unicodeScalars.append(scalar)
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isUnsafe(scalar):
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns an equivalent JSON text with JSON escapes for all unsafe characters except line feeds.
  public static func escapingJSON(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0 != "\n" && isUnsafe($0) }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar != "\n", isUnsafe(scalar) {
        result += "\\u" + Hexadecimal.text(UInt16(scalar.value))
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns whether a scalar must be escaped for a terminal.
  public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
      true
    default: false
    }
  }
}
