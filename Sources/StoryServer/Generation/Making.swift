/// What the server makes when it is asked to; each has a limit of its own.
public enum Making: String, Sendable, CaseIterable {
  /// `POST /stories` without content.
  case story = "story_generation"
  /// `POST /stories/{id}/audio`.
  case audio = "audio_generation"
  /// `POST /heroes/{id}/avatar`.
  case avatar = "avatar_generation"
  /// `POST /stories/{id}/illustrations`; all pictures of a story count as one.
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

/// What an account has had made in the current hour.
///
/// An hour begins with the first thing that is made after the one before has passed.
struct Allowance: Sendable {
  /// How much of something was made since a moment.
  struct Use: Equatable, Sendable {
    var what: Making
    /// Milliseconds of the server's clock.
    var since: Int64
    var count: Int
  }

  /// The length of an hour in milliseconds.
  static let period: Int64 = 3_600_000

  private(set) var uses: [Use] = []

  /// What counts at a moment; with a count of 0 and that moment where nothing does.
  func use(of what: Making, now: Int64) -> Use {
    let use = uses.first { $0.what == what }
    guard let use, now < use.since + Self.period, now >= use.since else {
      return Use(what: what, since: now, count: 0)
    }
    return use
  }

  /// Takes the newest count of something.
  mutating func note(_ use: Use) {
    uses.removeAll { $0.what == use.what }
    uses.append(use)
  }
}

/// How the server has stories, pictures and narrations made.
public struct GenerationOptions: Sendable {
  /// How often each thing is made for an account in an hour.
  public var limits: [Making: Int] = [.story: 30, .audio: 30, .avatar: 30, .illustrations: 30]
  /// How many bytes the pictures and narrations of an account may have together; 4 GiB.
  public var mediaBytes = 4 << 30
  /// What writes, draws and reads aloud.
  public var engine: any Engine = Placeholder()
  /// Whether illustrations that were asked for are drawn. A server that runs for another purpose
  /// leaves them to the next one, so that nobody pays for what they did not ask for.
  public var drawsIllustrations = true
  /// Receives what people who run the server should know, one line each, without secrets.
  public var note: @Sendable (String) -> Void = { _ in }

  /// The defaults.
  public init() {}

  func limit(of what: Making) -> Int { limits[what] ?? 0 }
}
