public import StoryLibrary
public import StorySync

/// Why nothing was made.
public enum GenerationError: Error, Sendable, Hashable {
  /// The server does not have the record, and it was not to be sent.
  case notOnServer(RecordRef)
  /// The record could not be sent.
  case notSent(RecordRef, NotSent)
  /// A story was to be written anew, and the server has no engine that writes.
  case placeholder(RecordRef)
  /// The answer was lost, and the server shows nothing that was made since. It may still come: a
  /// pull brings it.
  case answerLost
  /// The answer was lost, and the server has several new stories; a pull brings them.
  case severalMade(Int)

  /// Why a record was not sent.
  public enum NotSent: Sendable, Hashable {
    /// It has edits that the server does not have, and it was not to be sent.
    case hasEdits
    /// It is a draft, which has no text yet.
    case isDraft
    /// It is in conflict.
    case isInConflict
    /// The push failed.
    case failed(SyncReport.Failure)
  }
}
