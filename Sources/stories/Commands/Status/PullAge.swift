import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// How long ago the last complete pull was, for those who watch over it.
struct PullAge: Sendable {
  /// When it ended; `nil` where there was none.
  let pulledAt: ServerDate?
  /// How old it may be; `nil` where nobody asked.
  let limit: TimeSpan?
  private let now: ServerDate

  /// How far in the future a pull may seem to be, by a clock that was set meanwhile.
  private static let tolerance = Duration.seconds(300)

  init(_ library: Library, limit: TimeSpan?, _ context: Context) {
    pulledAt = library.pulledAt
    self.limit = limit
    now = context.time.now()
  }

  private var age: Duration? { pulledAt.map { now.duration(since: $0) } }

  /// Why it is too old; `nil` where it is not, or nobody asked.
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

  var json: JSONValue { pulledAt.map { .string($0.wire) } ?? .null }
}
