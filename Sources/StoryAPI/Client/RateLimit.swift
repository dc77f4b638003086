/// A maximum rate of requests.
public struct RateLimit: Sendable, Hashable {
  /// The number of requests.
  public var requests: Int
  /// The period. No interval of this length has more than ``requests`` starts.
  public var period: Duration

  /// Creates a limit.
  public init(requests: Int, per period: Duration) {
    self.requests = requests
    self.period = period
  }
}

struct RateLimiter {
  let limit: RateLimit
  private var begins: [Duration] = []

  init(_ limit: RateLimit) { self.limit = limit }

  /// Reserves the next slot and returns the wait until then.
  mutating func wait(now: Duration) -> Duration {
    guard limit.requests > 0 else { return .zero }
    var begin = now
    if begins.count >= limit.requests {
      begin = max(now, begins.removeFirst() + limit.period)
    }
    begins.append(begin)
    return begin - now
  }
}
