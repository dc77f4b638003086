/// Who wins where both sides changed one field to different values.
public enum Strategy: String, Sendable, CaseIterable {
  /// The server's value.
  case server
  /// The value in the local file.
  case local
  /// The value that was written later: the file's modification time against the server's
  /// `updatedAt`. Git rewrites modification times, so this is for libraries outside git.
  case newest
  /// Whatever the field's merge rule can bring together; what it cannot is asked.
  case merge
  /// A person decides: the conflict is recorded until `stories resolve` settles it.
  case ask
}

/// How two changed values of one field come together before any strategy is asked.
public enum MergeRule: String, Sendable, CaseIterable {
  /// Either value as a whole.
  case scalar
  /// A number that both sides add to: the server's value plus what was added here.
  case counter
  /// A switch: the side that changed it wins.
  case flag
  /// Values without order: additions and removals of both sides.
  case set
  /// Long text: lines that were changed on one side only.
  case lines
}
