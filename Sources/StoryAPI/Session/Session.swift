/// What lets this machine act for an account on one server.
public struct Session: Sendable, Hashable {
  /// The bearer token.
  public var token: Secret
  /// What a new token is asked for with, where the server gives such a thing. It rotates: each
  /// serves once.
  public var refreshToken: Secret?
  /// When the token ends, by the server's clock; `nil` where the server does not tell.
  public var expiresAt: ServerDate?
  /// From when the token holds, by the server's clock; `nil` where nobody told.
  public var validFrom: ServerDate?
  /// Whose session it is; `nil` where that was not asked yet.
  public var user: User?
  /// Whether it may be renewed and stored; a token from the environment belongs to whoever set it,
  /// and renewing it would end it for them.
  public var isRenewable: Bool

  /// A session from its parts.
  public init(
    token: Secret, refreshToken: Secret? = nil, expiresAt: ServerDate? = nil,
    validFrom: ServerDate? = nil, user: User? = nil, isRenewable: Bool = true
  ) {
    self.token = token
    self.refreshToken = refreshToken
    self.expiresAt = expiresAt
    self.validFrom = validFrom
    self.user = user
    self.isRenewable = isRenewable
  }
}
