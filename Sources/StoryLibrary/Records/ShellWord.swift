/// Quotes text as a single shell word.
public enum ShellWord {
  /// Returns the text as is if it is safe in a shell, otherwise in single quotes.
  public static func quoting(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte >= 0x80 || byte > 0x20 && !"'\"\\$&;|<>()*?[]{}!#~`".utf8.contains(byte)
    }
    return isPlain && !text.isEmpty && text.utf8.first != UInt8(ascii: "-") ? text : quoted(text)
  }

  /// Returns the text in single quotes.
  public static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }

  /// Returns the text of a word that ``quoting(_:)`` returned.
  public static func unquoting(_ word: String) -> String {
    guard word.hasPrefix("'") else { return word }
    return String(word.dropFirst().dropLast()).replacing("'\\''", with: "'")
  }
}
