/// The reason that no complete response arrived.
public enum NetworkFailure: Error, Sendable, Hashable {
  /// Nothing listens at the server's address.
  case refused
  /// The server's name is unknown.
  case unknownHost
  /// This machine has no network.
  case offline
  /// The server was silent for too long.
  case timedOut
  /// The server kept sending, but the response was incomplete after `limit`.
  case tooSlow(limit: Duration)
  /// The server kept sending for at least `limit` without completing the head, or the body of a
  /// redirect. On Linux, Foundation may continue to read for as long as this program runs.
  case headTooSlow(limit: Duration)
  /// The connection broke before the response began.
  case connectionLost
  /// The connection broke during the response.
  case truncated
  /// No secure connection was established; the text explains why, if the system provides it.
  case insecure(String)
  /// The response is not HTTP.
  case notHTTP
  /// A key is pinned for this server, but this system cannot check it.
  case pinNotCheckable
  /// The server's key is not one of the pinned ones.
  case pinMismatch
  /// A refused redirect to `target`, an origin: to plain http, or with a body to another origin.
  case redirectRefused(target: String)
  /// A redirect to a URL that was already visited, or one too many.
  case redirectLoop
  /// The response is larger than `limit` bytes.
  case answerTooLarge(limit: Int)
  /// Another failure with the system's text.
  case other(String)

  /// Whether the server certainly received nothing, so that any request may be repeated.
  public var neverArrived: Bool {
    switch self {
    case .refused, .unknownHost, .offline, .insecure, .pinNotCheckable, .pinMismatch: true
    default: false
    }
  }

  /// Whether the same request may succeed later.
  public var isPassing: Bool {
    switch self {
    case .refused, .unknownHost, .offline, .timedOut, .connectionLost, .truncated, .other: true
    default: false
    }
  }
}
