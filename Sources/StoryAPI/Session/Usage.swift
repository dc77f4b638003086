/// The remaining usage of one kind of server work.
public struct UsageLimit: Sendable, Hashable {
  /// The server's name for the work, such as `story_generation`.
  public var operation: String
  /// The number of uses per period.
  public var limit: Int
  /// The number of uses left.
  public var remaining: Int
  /// The end of the period, or `nil` if the server does not say.
  public var resetAt: ServerDate?
}
