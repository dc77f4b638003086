/// What a client tells while it works, for logs and for a line that counts down.
public enum RequestEvent: Sendable {
  /// A request was answered, or failed.
  case finished(RequestReport)
  /// A try failed; the next one follows after a wait.
  case waiting(RetryNotice)
  /// The wait is over.
  case resumed
  /// A session was renewed but could not be stored: it is gone when the program ends.
  case sessionNotStored(TokenStoreError)
}

/// One try of one request, without anything secret.
public struct RequestReport: Sendable, Hashable, CustomStringConvertible {
  /// The method.
  public var method: HTTPMethod
  /// Path and query.
  public var target: String
  /// The status; `nil` where no answer came.
  public var status: Int?
  /// Why no answer came.
  public var failure: NetworkFailure?
  /// How long it took.
  public var duration: Duration
  /// The number of the try, from 1.
  public var attempt: Int
  /// The body sent, redacted and cut; `nil` where bodies are not logged.
  public var requestBody: String?
  /// The body received, redacted and cut; `nil` where bodies are not logged.
  public var responseBody: String?

  /// One line: `GET /api/heroes?limit=100 200 12 ms`, bodies on lines of their own.
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

/// Why and how long a client waits.
public struct RetryNotice: Sendable, Hashable {
  /// Method and path of the request.
  public var request: String
  /// Why it is sent again.
  public var error: APIError
  /// The number of the try that failed, from 1.
  public var attempt: Int
  /// How long until the next.
  public var wait: Duration
}

extension NetworkFailure {
  /// The failure in one or two words, for a log.
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
