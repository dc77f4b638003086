public import JSONText

extension Session {
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
