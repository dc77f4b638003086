/// When a server is asked how far its work is.
public struct Polling: Sendable, Hashable {
  /// The wait before the first question.
  public var first = Duration.seconds(1)
  /// The longest wait; each is half as long again as the one before.
  public var longest = Duration.seconds(10)
  /// How long it is asked in all; the server goes on after that.
  public var limit = Duration.seconds(600)

  /// The usual: from 1 s to 10 s, for 10 minutes.
  public init() {}

  /// The wait after another one.
  func wait(after wait: Duration) -> Duration { min(wait * 1.5, longest) }
}
