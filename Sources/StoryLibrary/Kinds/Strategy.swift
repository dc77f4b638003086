/// The resolution of a field that both sides changed to different values.
public enum Strategy: String, Sendable, CaseIterable {
  /// The server's value wins.
  case server
  /// The local value wins.
  case local
  /// The value that was written later wins: the file's modification time is compared with the
  /// server's `updatedAt`. Git rewrites modification times, so this is for libraries outside git.
  case newest
  /// The field's merge rule applies; what it cannot merge becomes a conflict.
  case merge
  /// The user decides: the conflict is recorded until `stories resolve` settles it.
  case ask
}

/// The rule for merging two changed values of a field, which applies before any strategy.
public enum MergeRule: String, Sendable, CaseIterable {
  /// One of the values as a whole.
  case scalar
  /// A number that both sides increase: the server's value plus the local increase.
  case counter
  /// A switch: the changed value wins.
  case flag
  /// An unordered set: additions and removals of both sides.
  case set
  /// Long text: lines changed on only one side are merged.
  case lines
}
