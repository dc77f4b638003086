/// A kind of item that the server makes on request. Each has its own limit.
public enum Making: String, Sendable, CaseIterable {
  /// `POST /stories` without content.
  case story = "story_generation"
  /// `POST /stories/{id}/audio`.
  case audio = "audio_generation"
  /// `POST /heroes/{id}/avatar`.
  case avatar = "avatar_generation"
  /// `POST /stories/{id}/illustrations`. All illustrations of a story count as one.
  case illustrations = "illustration_generation"

  /// The plural, for messages.
  var noun: String {
    switch self {
    case .story: "stories"
    case .audio: "narrations"
    case .avatar: "avatars"
    case .illustrations: "sets of illustrations"
    }
  }
}

/// The items made for an account in the current hour.
///
/// An hour starts with the first item made after the previous hour has ended.
struct Allowance: Sendable {
  /// The number of items of one kind made since the start of an hour.
  struct Use: Equatable, Sendable {
    var what: Making
    /// The start of the hour, in milliseconds of the server's clock.
    var since: Int64
    var count: Int
  }

  /// The length of an hour in milliseconds.
  static let period: Int64 = 3_600_000

  private(set) var uses: [Use] = []

  /// Returns the current count of a kind, or a count of 0 starting at `now`.
  func use(of what: Making, now: Int64) -> Use {
    let use = uses.first { $0.what == what }
    guard let use, now < use.since + Self.period, now >= use.since else {
      return Use(what: what, since: now, count: 0)
    }
    return use
  }

  /// Returns the current count of a kind.
  ///
  /// - Throws: `APIFailure` with status 429 and `Retry-After` if the hourly limit is reached.
  func use(of what: Making, below limit: Int, now: Int64) throws(APIFailure) -> Use {
    let use = use(of: what, now: now)
    guard use.count >= limit else { return use }
    let seconds = max(1, (use.since + Self.period - now + 999) / 1000)
    throw APIFailure(
      429, "rateLimited",
      "This server makes \(limit) \(what.noun) an hour; more of them in \(seconds) s.",
      headers: [HTTPHeader("Retry-After", String(seconds))])
  }

  /// Replaces the count of a kind.
  mutating func note(_ use: Use) {
    uses.removeAll { $0.what == use.what }
    uses.append(use)
  }
}

/// Options for making stories, illustrations and narrations.
public struct GenerationOptions: Sendable {
  /// The hourly limits for each account.
  public var limits: [Making: Int] = [.story: 30, .audio: 30, .avatar: 30, .illustrations: 30]
  /// The maximum total size of an account's pictures and narrations in bytes. The default is 4 GiB.
  public var mediaBytes = 4 << 30
  /// The engine that writes, draws and narrates.
  public var engine: any Engine = Placeholder()
  /// Whether to draw requested illustrations. A server started for another purpose leaves them to
  /// the next one, so that nobody pays for work they did not ask for.
  public var drawsIllustrations = true
  /// Receives messages for the people who run the server, one line each, without secrets.
  public var note: @Sendable (String) -> Void = { _ in }

  /// Creates the default options.
  public init() {}

  func limit(of what: Making) -> Int { limits[what] ?? 0 }
}
