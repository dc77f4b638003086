public import StoryLibrary

/// Why nothing was made.
public enum GenerationError: Error, Sendable, Hashable {
  /// The server does not have the record, and it was not to be sent.
  case notOnServer(RecordRef)
  /// The record could not be sent; the text says why.
  case notSent(RecordRef, reason: String)
  /// The answer was lost, and the server shows nothing that was made since. It may still come: a
  /// pull brings it.
  case answerLost
  /// The answer was lost, and the server has several new stories; a pull brings them.
  case severalMade(Int)

  /// What happened, as a sentence.
  public var message: String {
    switch self {
    case .notOnServer(let ref): "the server does not have \(ref) yet"
    case .notSent(let ref, let reason): "\(ref) could not be sent first: \(reason)"
    case .answerLost: "the answer was lost, and the server shows nothing new"
    case .severalMade(let count):
      "the answer was lost, and the server has \(count) new stories of this hero"
    }
  }

  /// What to do next.
  public var hint: String {
    switch self {
    case .notOnServer: "send it: stories sync push, or leave out --no-push"
    case .notSent(let ref, _): "see how it stands: stories why \(ref)"
    case .answerLost, .severalMade: "look again later: stories sync pull"
    }
  }
}
