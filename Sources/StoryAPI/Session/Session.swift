import Foundation

/// The credentials of an account on one server.
public struct Session: Sendable, Hashable {
  /// The authentication scheme of the token (RFC 9110, section 11.6.2).
  public enum Scheme: String, Sendable, Hashable {
    /// The token is what the server gave.
    case bearer = "Bearer"
    /// The token is name and password (RFC 7617); it does not end.
    case basic = "Basic"
  }

  /// The token.
  public var token: Secret
  /// The authentication scheme of the token.
  public var scheme = Scheme.bearer
  /// The token for requesting a new one, if the server provides it. It is valid only once.
  public var refreshToken: Secret?
  /// The end of the token's validity by the server's clock, or `nil` if unknown.
  public var expiresAt: ServerDate?
  /// The start of the token's validity by the server's clock, or `nil` if unknown.
  public var validFrom: ServerDate?
  /// The user, or `nil` if not yet requested.
  public var user: User?
  /// Whether it may be renewed and stored. A token from the environment may not: renewing it would
  /// invalidate it for its owner.
  public var isRenewable: Bool

  /// Creates a session.
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

  /// A session by name and password, for servers that ask for both with each request.
  public init(name: String, password: Secret) {
    self.init(token: Secret(Data("\(name):\(password.value)".utf8).base64EncodedString()))
    scheme = .basic
  }
}
