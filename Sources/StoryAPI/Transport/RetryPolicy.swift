/// How often and after what time a request is sent again.
public struct RetryPolicy: Sendable, Hashable {
  /// The waits between tries.
  public enum Backoff: Sendable, Hashable {
    /// A random time between zero and `base` doubled with each try, at most `maximum` (“full
    /// jitter”), so that clients that failed together do not come back together.
    case exponential(base: Duration, maximum: Duration)
    /// These times, the last one again where there are more tries.
    case fixed([Duration])
  }

  /// How often a request is sent again at most; 0 for never.
  public var retries: Int
  /// The waits between tries.
  public var backoff: Backoff
  /// The longest wait that a server may ask for; where it asks for more the request fails at once.
  public var longestServerWait: Duration

  /// The usual: 3 retries, from 1 s to 30 s, a server's own wait up to 5 minutes.
  public init(
    retries: Int = 3,
    backoff: Backoff = .exponential(base: .seconds(1), maximum: .seconds(30)),
    longestServerWait: Duration = .seconds(300)
  ) {
    self.retries = retries
    self.backoff = backoff
    self.longestServerWait = longestServerWait
  }

  /// Never again.
  public static let never = RetryPolicy(retries: 0)

  /// How long to wait after a try failed.
  ///
  /// - Parameters:
  ///   - attempt: the number of the try that failed, from 1.
  ///   - serverWait: what the server asked for, which is obeyed where it is longer.
  ///   - random: a number from 0 up to but without 1.
  /// - Returns: `nil` where there is to be no other try.
  public func delay(after attempt: Int, serverWait: Duration?, random: Double) -> Duration? {
    guard attempt <= retries else { return nil }
    if let serverWait, serverWait > longestServerWait { return nil }
    return max(own(after: attempt, random: random), serverWait ?? .zero)
  }

  private func own(after attempt: Int, random: Double) -> Duration {
    switch backoff {
    case .exponential(let base, let maximum):
      let doubled = base * Double(1 << min(attempt - 1, 30))
      return min(doubled, maximum) * random
    case .fixed(let waits):
      return waits.isEmpty ? .zero : waits[min(attempt - 1, waits.count - 1)]
    }
  }

  /// Whether an error is one that the same request may be spared by another try.
  static func isWorthwhile(_ error: APIError) -> Bool {
    switch error {
    case .rateLimited: true
    case .server(let status, _): [408, 500, 502, 503, 504].contains(status)
    case .network(let failure): failure.isPassing
    default: false
    }
  }

  /// Whether a request that must not be done twice was surely not done.
  static func wasNotDone(_ error: APIError) -> Bool {
    switch error {
    case .rateLimited, .unauthorized: true
    case .network(let failure): failure.neverArrived
    default: false
    }
  }
}
