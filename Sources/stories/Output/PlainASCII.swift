/// Output in plain ASCII, for terminals and programs that know nothing else (`LC_ALL=C`).
///
/// Punctuation and lines of tables become similar characters. Any other character becomes an
/// escape, so nothing is lost and nothing is ambiguous.
enum PlainASCII {
  /// Returns whether the environment asks for it: the locale of characters is `C` or `POSIX`
  /// (POSIX.1-2024, XBD section 8.2). Without any locale, output is UTF-8.
  static func isWanted(_ environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    return locale == "C" || locale == "POSIX"
  }

  static func text(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar.isASCII {
        result.unicodeScalars.append(scalar)
      } else {
        result += signs[scalar] ?? "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
  }

  /// Returns an equivalent JSON text in ASCII (RFC 8259, section 7).
  static func json(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    return text.utf16.reduce(into: "") { result, unit in
      if let scalar = Unicode.Scalar(unit), scalar.isASCII {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
  }

  private static let signs: [Unicode.Scalar: String] = [
    "“": "\"", "”": "\"", "„": "\"", "«": "\"", "»": "\"", "‘": "'", "’": "'", "‚": "'",
    "›": ">", "‹": "<", "…": "...", "–": "-", "—": "-", "‑": "-", "−": "-", "·": "*", "•": "*",
    "→": "->", "←": "<-", "≠": "!=", "≤": "<=", "≥": ">=", "×": "x", "✓": "ok", "\u{A0}": " ",
    "─": "-", "│": "|", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+", "┌": "+", "┐": "+",
    "└": "+", "┘": "+", "█": "#", "░": ".",
    "⠋": "|", "⠙": "/", "⠹": "-", "⠸": "\\", "⠼": "|", "⠴": "/", "⠦": "-", "⠧": "\\",
    "⠇": "|", "⠏": "/",
  ]
}

extension Text {
  var inASCII: Text { mapped(PlainASCII.text) }
}
