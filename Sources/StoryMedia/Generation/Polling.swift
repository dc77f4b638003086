/// The schedule for requesting the progress of work on a server.
public struct Polling: Sendable, Hashable {
  /// The wait before the first request.
  public var first = Duration.seconds(1)
  /// The maximum wait; each wait is 1.5 times the previous one.
  public var longest = Duration.seconds(10)
  /// The total time limit, after which the server continues on its own.
  public var limit = Duration.seconds(600)

  /// Creates the default schedule: from 1 s to 10 s, for 10 minutes.
  public init() {}

  /// Returns the wait after a previous one.
  func wait(after wait: Duration) -> Duration { min(wait * 1.5, longest) }
}
