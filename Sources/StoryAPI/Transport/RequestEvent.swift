/// An event of a client, for logs and for displaying waits.
public enum RequestEvent: Sendable {
  /// A request was completed or failed.
  case finished(RequestReport)
  /// An attempt failed; the next one follows after a wait.
  case waiting(RetryNotice)
  /// The wait ended.
  case resumed
  /// The server says that it is going to end, in its own words.
  case alert(String)
  /// A session was renewed but could not be stored, so it is lost when the program ends.
  case sessionNotStored(TokenStoreError)
}

/// One attempt of a request, without secrets.
public struct RequestReport: Sendable, Hashable, CustomStringConvertible {
  /// The method.
  public var method: HTTPMethod
  /// The path and query.
  public var target: String
  /// The status, or `nil` without a response.
  public var status: Int?
  /// The reason that there is no response.
  public var failure: NetworkFailure?
  /// The duration.
  public var duration: Duration
  /// The number of the attempt, from 1.
  public var attempt: Int
  /// The number of attempts that a request may have.
  public var attempts = 1
  /// The server's address.
  public var server = ""
  /// The request body, redacted and truncated, or `nil` if bodies are not logged.
  public var requestBody: String?
  /// The response body, redacted and truncated, or `nil` if bodies are not logged.
  public var responseBody: String?

  /// One line such as `GET /api/heroes?limit=100 200 12 ms`, with bodies on separate lines.
  public var description: String {
    let milliseconds = Int(duration / .milliseconds(1))
    var text = "\(method.rawValue) \(ServerText.shown(Redaction.target(target))) "
    text += status.map { String($0) } ?? failure.map { "failed (\($0.word))" } ?? "cancelled"
    text += " \(milliseconds) ms"
    if attempt > 1 { text += " (try \(attempt))" }
    if let requestBody, !requestBody.isEmpty { text += "\n  > \(requestBody)" }
    if let responseBody, !responseBody.isEmpty { text += "\n  < \(responseBody)" }
    return text
  }
}

/// A wait before the next attempt.
public struct RetryNotice: Sendable, Hashable {
  /// The method and path of the request.
  public var request: String
  /// The reason for repeating it.
  public var error: APIError
  /// The number of the failed attempt, from 1.
  public var attempt: Int
  /// The time until the next attempt.
  public var wait: Duration
  /// The number of attempts that the request may have.
  public var attempts = 1
  /// The server's address.
  public var server = ""
}

extension NetworkFailure {
  var word: String {
    switch self {
    case .refused: "refused"
    case .unknownHost: "unknown host"
    case .offline: "offline"
    case .timedOut: "timed out"
    case .tooSlow, .headTooSlow: "too slow"
    case .connectionLost: "connection lost"
    case .truncated: "truncated"
    case .insecure: "not secure"
    case .notHTTP: "no HTTP"
    case .pinNotCheckable: "pin not checkable"
    case .pinMismatch: "pin mismatch"
    case .redirectRefused: "redirect refused"
    case .redirectLoop: "redirect loop"
    case .answerTooLarge: "answer too large"
    case .other: "other"
    }
  }
}
