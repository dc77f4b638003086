import StoryAPI
import StoryLibrary
import StorySync

/// The age of the last complete pull, for monitoring.
struct PullAge: Sendable {
  /// When it ended, or `nil` if there was none.
  let pulledAt: ServerDate?
  /// The maximum age, or `nil` if none was requested.
  let limit: TimeSpan?
  private let now: ServerDate

  /// The time by which a pull may lie in the future, after the clock was set back.
  private static let tolerance = Duration.seconds(300)

  init(_ library: Library, limit: TimeSpan?, _ context: Context) {
    pulledAt = library.pulledAt
    self.limit = limit
    now = context.time.now()
  }

  private var age: Duration? { pulledAt.map { now.duration(since: $0) } }

  /// The error if it is too old, or `nil`.
  var problem: ErrorReport? {
    guard let limit else { return nil }
    let message: String
    if let age {
      if age < .zero - Self.tolerance {
        message =
          "the last complete pull was at \(pulledAt?.wire ?? ""), which is in the future for this machine's clock"
      } else {
        guard age > limit.duration else { return nil }
        message =
          "the last complete pull was \(Phrases.span(age)) ago, more than \(limit.text)"
      }
    } else {
      message = "there has been no complete pull yet"
    }
    return ErrorReport("stale", message, hint: "stories sync pull", exitCode: .failed)
  }
}
