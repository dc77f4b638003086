import StoryLibrary

/// Makes whoever guesses secrets wait.
///
/// Wrong tries are counted for a name from a network, and for a name from everywhere. From the fifth
/// one of a network on, its next try has to wait: 1 s, then twice as long each time, up to 15 min.
/// From the fiftieth one of all networks that the name was never right from, those wait together, a
/// minute at most: many machines guess no faster than one, and the owner, at a place where the
/// password has been right before, is not kept out by them. Nobody's thread is held meanwhile.
///
/// A try counts as wrong until it turns out right, so that many at a time are no way around this. The
/// counts live in memory, at most ``capacity`` of them.
final class SignInThrottle: Sendable {
  /// The most names and networks that are remembered.
  static let capacity = 4096
  /// After this long without a wrong try, in milliseconds, those before are forgotten.
  private static let memory: Int64 = 3_600_000

  /// Who tries; `network` is `nil` for all of them together.
  private struct Key: Hashable {
    var name: HalfDigest
    var network: String?
  }

  /// How many wrong tries there may be before the first wait, and the longest wait, in milliseconds.
  private struct Rule {
    var free: Int
    var longest: Int64

    static let network = Rule(free: 5, longest: 900_000)
    static let everywhere = Rule(free: 50, longest: 60_000)

    func wait(after failures: Int) -> Int64 {
      failures < free ? 0 : min(1000 << min(failures - free, 20), longest)
    }
  }

  private struct Count {
    var failures = 0
    /// When the last wrong try was, in milliseconds.
    var last: Int64 = 0
    /// Whether the secret has been right.
    var isKnown = false

    /// How long the next try has to wait.
    func wait(_ rule: Rule, now: Int64) -> Int64 {
      let wait = rule.wait(after: failures)
      let left = last + wait - now
      // More than the whole is left where the clock was set back.
      return left > wait ? 0 : max(0, left)
    }

    mutating func fail(now: Int64) {
      if now - last > SignInThrottle.memory { failures = 0 }
      failures += 1
      last = now
    }
  }

  private let counts = Monitor<[Key: Count]>([:])

  /// Begins a try, which counts as wrong until ``succeed(_:from:now:)`` or ``withdraw(_:from:)``.
  ///
  /// - Parameters:
  ///   - name: what the secret is for; whether it exists makes no difference.
  ///   - network: where the try comes from.
  ///   - now: the server's clock, in milliseconds.
  /// - Returns: how long to wait, in milliseconds; `nil` if the try may be made now.
  func begin(_ name: String, from network: String, now: Int64) -> Int64? {
    let (own, all) = Self.keys(name, network)
    return counts.withLock { counts in
      var count = counts[own] ?? Count()
      let wait = count.wait(.network, now: now)
      if wait > 0 { return wait }
      if !count.isKnown {
        var total = counts[all] ?? Count()
        let wait = total.wait(.everywhere, now: now)
        if wait > 0 { return wait }
        total.fail(now: now)
        Self.keep(total, all, in: &counts)
      }
      count.fail(now: now)
      Self.keep(count, own, in: &counts)
      return nil
    }
  }

  /// Notes that the secret was right: the name's wrong tries from here are forgotten, and those from
  /// everywhere together.
  func succeed(_ name: String, from network: String, now: Int64) {
    let (own, all) = Self.keys(name, network)
    counts.withLock { counts in
      counts[all] = nil
      Self.keep(Count(failures: 0, last: now, isKnown: true), own, in: &counts)
    }
  }

  /// Takes back a try that was not made.
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

  /// Keeps a count; where there are too many, the one that says least goes.
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

extension APIFailure {
  /// 429 for wrong passwords or codes, with when to come back.
  static func tooManyAttempts(milliseconds: Int64) -> APIFailure {
    let seconds = (milliseconds + 999) / 1000
    return APIFailure(
      429, "tooManyAttempts", "There were too many wrong tries; the next one in \(seconds) s.",
      headers: [HTTPHeader("Retry-After", String(seconds))])
  }
}
