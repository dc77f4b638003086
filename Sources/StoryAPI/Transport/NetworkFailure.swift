/// What kept a whole answer from arriving.
public enum NetworkFailure: Error, Sendable, Hashable {
  /// Nothing listens at the server's address.
  case refused
  /// The server's name is unknown.
  case unknownHost
  /// This machine has no network.
  case offline
  /// The server stayed silent for too long.
  case timedOut
  /// The server kept sending, and the answer was not complete after `limit`.
  case tooSlow(limit: Duration)
  /// The server kept sending for at least `limit`, but no whole head, or after a redirect's head no whole
  /// body. On Linux Foundation may go on reading for as long as this program runs.
  case headTooSlow(limit: Duration)
  /// The connection broke before the answer began.
  case connectionLost
  /// The connection broke within the answer.
  case truncated
  /// No secure connection came about; the text says why, where the system tells.
  case insecure(String)
  /// What answered does not speak HTTP.
  case notHTTP
  /// A key is pinned for this server and this system offers no way to check it.
  case pinNotCheckable
  /// The server's key is none of those that are pinned for it.
  case pinMismatch
  /// A redirect that is not followed: to plain http, or with a body to another origin. `target` is
  /// the origin it led to.
  case redirectRefused(target: String)
  /// A redirect that leads back to where it came from, or one too many.
  case redirectLoop
  /// The answer has more bytes than `limit`.
  case answerTooLarge(limit: Int)
  /// Something else; the text is the system's.
  case other(String)

  /// Whether the server surely got nothing of the request, so that even a request that must not run
  /// twice may be sent again.
  public var neverArrived: Bool {
    switch self {
    case .refused, .unknownHost, .offline, .insecure, .pinNotCheckable, .pinMismatch: true
    default: false
    }
  }

  /// Whether the same request may well succeed a little later.
  public var isPassing: Bool {
    switch self {
    case .refused, .unknownHost, .offline, .timedOut, .connectionLost, .truncated, .other: true
    default: false
    }
  }
}
