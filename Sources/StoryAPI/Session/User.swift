/// The user of an account.
public struct User: Sendable, Hashable {
  /// The server's id, opaque.
  public var id: String
  /// The address for signing in, or the account's name on a server without addresses.
  public var email: String
  /// The name, if any.
  public var name: String?
  /// The creation time of the account, as the server writes it.
  public var createdAt: String?

  /// Creates a user.
  public init(id: String, email: String, name: String? = nil, createdAt: String? = nil) {
    self.id = id
    self.email = email
    self.name = name
    self.createdAt = createdAt
  }
}

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
