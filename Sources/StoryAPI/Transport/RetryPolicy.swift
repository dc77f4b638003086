/// The schedule for repeating requests.
public struct RetryPolicy: Sendable, Hashable {
  /// The waits between attempts.
  public enum Backoff: Sendable, Hashable {
    /// A random time between zero and `base`, doubled with each attempt up to `maximum` (“full
    /// jitter”), so that clients that failed together do not return together.
    case exponential(base: Duration, maximum: Duration)
    /// These times, repeating the last one if there are more attempts.
    case fixed([Duration])
  }

  /// The maximum number of repetitions; 0 for none.
  public var retries: Int
  /// The waits between attempts.
  public var backoff: Backoff
  /// The longest wait that a server may request; the request fails if it asks for more.
  public var longestServerWait: Duration

  /// Creates a policy. Defaults: 3 repetitions, waits of 1 s to 30 s, server waits up to 5 minutes.
  public init(
    retries: Int = 3,
    backoff: Backoff = .exponential(base: .seconds(1), maximum: .seconds(30)),
    longestServerWait: Duration = .seconds(300)
  ) {
    self.retries = retries
    self.backoff = backoff
    self.longestServerWait = longestServerWait
  }

  /// No repetitions.
  public static let never = RetryPolicy(retries: 0)

  /// Returns the wait after a failed attempt.
  ///
  /// - Parameters:
  ///   - attempt: The number of the failed attempt, from 1.
  ///   - serverWait: The wait that the server requested, which applies if it is longer.
  ///   - random: A number from 0 up to but not including 1.
  /// - Returns: `nil` to give up.
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

  /// Returns whether repeating the request may avoid the error.
  static func isWorthwhile(_ error: APIError) -> Bool {
    switch error {
    case .rateLimited: true
    case .server(let status, _): [408, 500, 502, 503, 504].contains(status)
    case .network(let failure): failure.isPassing
    default: false
    }
  }

  /// Returns whether a request that must not be carried out twice was certainly not carried out.
  static func wasNotDone(_ error: APIError) -> Bool {
    switch error {
    case .rateLimited, .unauthorized: true
    case .network(let failure): failure.neverArrived
    default: false
    }
  }
}
