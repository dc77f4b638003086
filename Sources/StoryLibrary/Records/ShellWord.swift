/// Writes text as one word of a line for a shell.
public enum ShellWord {
  /// The text as it is if a shell takes it so, else in single quotes.
  public static func quoting(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte >= 0x80 || byte > 0x20 && !"'\"\\$&;|<>()*?[]{}!#~`".utf8.contains(byte)
    }
    return isPlain && !text.isEmpty && text.utf8.first != UInt8(ascii: "-") ? text : quoted(text)
  }

  /// The text in single quotes.
  public static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
