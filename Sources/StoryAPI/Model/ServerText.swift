/// Text from outside, made fit to stand in a message on a terminal.
public enum ServerText {
  /// The longest text that ``shown(_:limit:)`` gives, in characters, where nothing else is said.
  public static let limit = 300

  /// The text with everything escaped that could steer a terminal or change how the line around it
  /// is read: control characters, line and paragraph separators, and the characters that override
  /// the direction of writing (Unicode UAX 9, section 2). They become `\u{1b}` and the like.
  ///
  /// A text longer than `limit` characters is cut and ends in `…`.
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
