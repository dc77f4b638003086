public import StoryLibrary
public import StorySync

/// The reason that nothing was made.
public enum GenerationError: Error, Sendable, Hashable {
  /// The server does not have the record, and the options forbid sending it.
  case notOnServer(RecordRef)
  /// The record could not be sent.
  case notSent(RecordRef, NotSent)
  /// A story was to be rewritten, but the server has no engine for writing.
  case placeholder(RecordRef)
  /// The response was lost, and the server has nothing new. It may appear later; a pull fetches it.
  case answerLost
  /// The response was lost, and the server has several new stories, which a pull fetches.
  case severalMade(Int)

  /// The reason that a record was not sent.
  public enum NotSent: Sendable, Hashable {
    /// It has edits that the server does not have, and the options forbid sending them.
    case hasEdits
    /// It is a draft, which has no text yet.
    case isDraft
    /// It has a conflict.
    case isInConflict
    /// The push failed.
    case failed(SyncReport.Failure)
  }
}
