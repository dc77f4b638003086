/// The person that an account belongs to.
public struct User: Sendable, Hashable {
  /// The server's id, opaque.
  public var id: String
  /// The address that signs in.
  public var email: String
  /// The name, where there is one.
  public var name: String?
  /// When the account was made, as the server writes it.
  public var createdAt: String?

  /// A user from its parts.
  public init(id: String, email: String, name: String? = nil, createdAt: String? = nil) {
    self.id = id
    self.email = email
    self.name = name
    self.createdAt = createdAt
  }
}
