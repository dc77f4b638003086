/// Makes text from files and servers safe to show: the one place that escapes what could steer a
/// terminal or change how the text around it is read.
public enum VisibleText {
  /// The text on one line: control characters, line ends, line and paragraph separators, and the
  /// characters that override the direction of writing (Unicode UAX 9, section 2) are escaped.
  public static func escaping(_ text: String) -> String { escaping(text, keepsLines: false) }

  /// The same for a text of several lines: line ends (LF, CRLF) and tabs are kept.
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

  /// A JSON text in which every unsafe character is a JSON escape, so that it says the same; the line
  /// feeds of its layout are kept.
  public static func escapingJSON(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0 != "\n" && isUnsafe($0) }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar != "\n", isUnsafe(scalar) {
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns whether a scalar must not reach a terminal as it is.
  public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
      true
    default: false
    }
  }
}
