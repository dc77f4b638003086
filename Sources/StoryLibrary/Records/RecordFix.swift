public import JSONText

/// A repair of a record that is safe to make automatically.
public enum RecordFix: Sendable, Hashable {
  /// Rename a member to a name that is not in use.
  case rename(member: String, to: String)
  /// Replace the value of a member with one that means the same.
  case set(member: String, JSONValue)
  /// Remove a trailing comma, at this byte offset.
  case removeComma(offset: Int)
  /// Add a missing comma, at this byte offset.
  case addComma(offset: Int)
}
