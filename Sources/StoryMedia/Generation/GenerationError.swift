public import StoryLibrary

/// Why nothing was made.
public enum GenerationError: Error, Sendable, Hashable {
  /// The server does not have the record, and it was not to be sent.
  case notOnServer(RecordRef)
  /// The record could not be sent; the text says why.
  case notSent(RecordRef, reason: String)
  /// A story was to be written anew, and the server has no engine that writes.
  case placeholder(RecordRef)
  /// The answer was lost, and the server shows nothing that was made since. It may still come: a
  /// pull brings it.
  case answerLost
  /// The answer was lost, and the server has several new stories; a pull brings them.
  case severalMade(Int)
}
