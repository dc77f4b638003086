/// Makes external text safe for messages on a terminal.
public enum ServerText {
  /// The default limit of ``shown(_:limit:)`` in characters.
  public static let limit = 300

  /// Returns the text with everything escaped that could control a terminal or change how its line
  /// is read: control characters, line and paragraph separators, and bidirectional control
  /// characters (Unicode UAX 9, section 2), for example as `\u{1b}`.
  ///
  /// A text longer than `limit` characters is truncated and ends in `…`.
  public static func shown(_ text: String, limit: Int = limit) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < limit else { return result + "…" }
      count += 1
      switch scalar.value {
      case 0x0A: result += "\\n"
      case 0x0D: result += "\\r"
      case 0x09: result += "\\t"
      case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
