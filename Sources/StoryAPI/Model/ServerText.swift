import StoryLibrary

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
    VisibleText.escaping(text, limit: limit)
  }
}
