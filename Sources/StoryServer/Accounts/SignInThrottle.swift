import StoryLibrary

/// Slows down guessing of secrets.
///
/// Wrong attempts are counted for each name and network, and for each name across networks. After
/// the fifth from one network, its next attempt must wait: 1 s at first, then twice as long each
/// time, up to 15 min. After the fiftieth from all networks where the name's secret has never been
/// right, these networks wait together, for at most a minute. Many machines thus guess no faster
/// than one, and do not lock out the owner, whose network is known. No thread is blocked during a
/// wait.
///
/// An attempt counts as wrong until it succeeds, so parallel attempts are no way around the limit.
/// The counts are kept in memory, at most ``capacity`` of them.
final class SignInThrottle: Sendable {
  /// The maximum number of counts.
  static let capacity = 4096
  /// The time without wrong attempts after which earlier ones are forgotten, in milliseconds.
  private static let memory: Int64 = 3_600_000

  /// The counted attempts. `network` is `nil` for those from all networks.
  private struct Key: Hashable {
    var name: HalfDigest
    var network: String?
  }

  /// The number of wrong attempts before the first wait, and the maximum wait in milliseconds.
  private typealias Rule = (free: Int, longest: Int64)
  private static let network: Rule = (free: 5, longest: 900_000)
  private static let everywhere: Rule = (free: 50, longest: 60_000)

  private struct Count {
    var failures = 0
    /// The time of the last wrong attempt, in milliseconds.
    var last: Int64 = 0
    /// Whether the secret has been right from this network.
    var isKnown = false

    /// Throws `APIFailure` with status 429 and the time to wait if the next attempt must wait.
    func check(_ rule: Rule, now: Int64) throws(APIFailure) {
      let excess = failures - rule.free
      let wait = excess < 0 ? 0 : min(1000 << min(excess, 20), rule.longest)
      let left = last + wait - now
      // More than the whole wait remains if the clock was set back.
      guard left > 0, left <= wait else { return }
      let seconds = (left + 999) / 1000
      throw APIFailure(
        429, "tooManyAttempts", "Too many failed attempts; try again in \(seconds) s.",
        headers: [HTTPHeader("Retry-After", String(seconds))])
    }

    mutating func fail(now: Int64) {
      if now - last > SignInThrottle.memory { failures = 0 }
      failures += 1
      last = now
    }
  }

  private let counts = Monitor<[Key: Count]>([:])

  /// Begins an attempt. It counts as wrong until ``succeed(_:from:now:)`` or ``withdraw(_:from:)``.
  ///
  /// - Parameter name: The name that the secret is for. It need not exist.
  /// - Throws: `APIFailure` with status 429 if the attempt must wait.
  func begin(_ name: String, from network: String, now: Int64) throws(APIFailure) {
    let (own, all) = Self.keys(name, network)
    try counts.withLock { (counts) throws(APIFailure) in
      var count = counts[own] ?? Count()
      try count.check(Self.network, now: now)
      if !count.isKnown {
        var total = counts[all] ?? Count()
        try total.check(Self.everywhere, now: now)
        total.fail(now: now)
        Self.keep(total, all, in: &counts)
      }
      count.fail(now: now)
      Self.keep(count, own, in: &counts)
    }
  }

  /// Records a correct attempt: resets the name's count for this network and the one across
  /// networks.
  func succeed(_ name: String, from network: String, now: Int64) {
    let (own, all) = Self.keys(name, network)
    counts.withLock { counts in
      counts[all] = nil
      Self.keep(Count(failures: 0, last: now, isKnown: true), own, in: &counts)
    }
  }

  func withdraw(_ name: String, from network: String) {
    let (own, all) = Self.keys(name, network)
    counts.withLock { counts in
      for key in [own, all] where counts[key]?.failures ?? 0 > 0 { counts[key]?.failures -= 1 }
    }
  }

  private static func keys(_ name: String, _ network: String) -> (own: Key, all: Key) {
    let name = SHA256.digest(name).half
    return (Key(name: name, network: network), Key(name: name, network: nil))
  }

  /// Stores a count. If there are too many, drops the least important one.
  private static func keep(_ count: Count, _ key: Key, in counts: inout [Key: Count]) {
    if counts[key] == nil, counts.count >= capacity {
      let least = counts.min {
        ($0.value.isKnown ? 1 : 0, $0.value.failures, $0.value.last)
          < ($1.value.isKnown ? 1 : 0, $1.value.failures, $1.value.last)
      }
      if let least { counts[least.key] = nil }
    }
    counts[key] = count
  }
}
