/// What is left of one kind of the server's work.
public struct UsageLimit: Sendable, Hashable {
  /// The server's name for the work: `story_generation`.
  public var operation: String
  /// How often it is done in a period.
  public var limit: Int
  /// How often it still is.
  public var remaining: Int
  /// When the period ends; `nil` where the server does not tell.
  public var resetAt: ServerDate?

  /// A limit from its parts.
  public init(operation: String, limit: Int, remaining: Int, resetAt: ServerDate? = nil) {
    self.operation = operation
    self.limit = limit
    self.remaining = remaining
    self.resetAt = resetAt
  }
}
