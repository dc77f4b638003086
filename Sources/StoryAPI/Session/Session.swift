import Foundation
public import JSONText

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

  /// Parses a session from ``json``.
  ///
  /// - Returns: `nil` if `json` is not a session. That includes invalid dates, since they would
  ///   make its validity unknown.
  public init?(json: JSONValue) {
    guard let token = json["token"]?.string, !token.isEmpty else { return nil }
    func date(_ key: String) -> ServerDate?? {
      guard let value = json[key], !value.isNull else { return .some(nil) }
      return value.string.flatMap { ServerDate($0) }.map { .some($0) }
    }
    guard let expiresAt = date("expiresAt"), let validFrom = date("validFrom") else { return nil }
    var user: User?
    if let object = json["user"], let id = object["id"]?.string {
      user = User(
        id: id, email: object["email"]?.string ?? "", name: object["name"]?.string,
        createdAt: object["createdAt"]?.string)
    }
    self.init(
      token: Secret(token), refreshToken: json["refreshToken"]?.string.map(Secret.init),
      expiresAt: expiresAt, validFrom: validFrom, user: user)
    guard let word = json["scheme"]?.string else { return }
    guard let scheme = Scheme(rawValue: word) else { return nil }
    self.scheme = scheme
  }

  /// The session in the form of stores, with unredacted secrets:
  /// `{"token","scheme"?,"refreshToken"?,"expiresAt"?,"validFrom"?,"user"?:{"id","email","name"?,"createdAt"?}}`.
  public var json: JSONValue {
    var object: JSONObject = ["token": .string(token.value)]
    if scheme != .bearer { object["scheme"] = .string(scheme.rawValue) }
    if let refreshToken { object["refreshToken"] = .string(refreshToken.value) }
    if let expiresAt { object["expiresAt"] = .string(expiresAt.text) }
    if let validFrom { object["validFrom"] = .string(validFrom.text) }
    if let user {
      var member: JSONObject = ["id": .string(user.id), "email": .string(user.email)]
      if let name = user.name { member["name"] = .string(name) }
      if let createdAt = user.createdAt { member["createdAt"] = .string(createdAt) }
      object["user"] = .object(member)
    }
    return .object(object)
  }
}
