/// How many requests a client sends at most in a period.
public struct RateLimit: Sendable, Hashable {
  /// How many.
  public var requests: Int
  /// In what time; no stretch of this length sees more than ``requests`` begin.
  public var period: Duration

  /// A limit from its parts.
  public init(requests: Int, per period: Duration) {
    self.requests = requests
    self.period = period
  }
}

/// Remembers when the last requests began.
struct RateLimiter {
  let limit: RateLimit
  private var begins: [Duration] = []

  init(_ limit: RateLimit) { self.limit = limit }

  /// Takes the next place in line; how long it is until then.
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
