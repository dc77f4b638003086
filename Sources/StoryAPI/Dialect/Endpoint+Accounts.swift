import JSONText

extension Endpoint {
  /// Creates an account on a server where this does not create a session.
  ///
  /// - Throws: `APIError.invalidIdentifier` for a name that cannot be part of a path.
  static func makeAccount(name: String, password: Secret) throws(APIError) -> Endpoint {
    try Endpoint(
      method: .put, path: "/accounts/" + segment(name), root: .service,
      body: ["data": ["password": .string(password.value)]], authorization: .never, knownTag: "*")
  }

  static func trySession(_ session: Session, _ dialect: Dialect) -> Endpoint {
    let profile = profile(dialect)
    return Endpoint(
      method: .get, path: profile.path, root: profile.root, authorization: .never,
      fixedSession: session)
  }

  /// Creates an account and a session.
  package static func signUp(
    email: String, password: Secret, name: String?, inviteCode: Secret? = nil, _ dialect: Dialect
  ) -> Endpoint {
    var body: JSONObject = ["email": .string(email), "password": .string(password.value)]
    // `v1` requires a name. The part before the @ is what mail programs show, too.
    let name = name ?? (dialect == .v1 ? String(email.prefix { $0 != "@" }) : nil)
    if let name { body["name"] = .string(name) }
    if let inviteCode { body["inviteCode"] = .string(inviteCode.value) }
    return begin("sign-up", body, dialect)
  }

  /// Creates a session.
  package static func signIn(email: String, password: Secret, _ dialect: Dialect) -> Endpoint {
    if dialect == .kinto {
      return trySession(Session(name: email, password: password), dialect)
    }
    return begin(
      "sign-in", ["email": .string(email), "password": .string(password.value)], dialect)
  }

  private static func begin(_ step: String, _ body: JSONObject, _ dialect: Dialect) -> Endpoint {
    let path = "/api/auth/" + step + (dialect == .v1 ? "/email" : "")
    return Endpoint(
      method: .post, path: path, body: .object(body), authorization: .never,
      needsOrigin: dialect == .v1)
  }

  /// Ends the session on the server. `nil` if the server keeps no sessions.
  package static func signOut(_ dialect: Dialect) -> Endpoint? {
    dialect == .kinto
      ? nil : Endpoint(method: .post, path: "/api/auth/sign-out", needsOrigin: dialect == .v1)
  }

  /// Renews a session: requests a new token, or the state of the current one.
  ///
  /// It is sent with that session's token, even if the client has another one by then.
  static func refresh(_ session: Session, _ dialect: Dialect) -> Endpoint {
    switch dialect {
    case .v0:
      var body = JSONObject()
      if let token = session.refreshToken { body["refreshToken"] = .string(token.value) }
      return Endpoint(
        method: .post, path: "/api/auth/session/refresh", body: .object(body),
        authorization: .never, fixedSession: session)
    case .v1:
      return Endpoint(
        method: .get, path: "/api/auth/get-session", authorization: .never, fixedSession: session)
    // Kinto does not renew anything. The answer only shows whether the session is valid.
    case .kinto: return trySession(session, dialect)
    }
  }

  /// Requests the account.
  package static func profile(_ dialect: Dialect) -> Endpoint {
    dialect == .kinto
      ? Endpoint(method: .get, path: "/", root: .service)
      : Endpoint(method: .get, path: dialect.base + "/user/profile")
  }

  /// Changes the account's name.
  ///
  /// - Throws: `APIError.unsupported` if accounts have no separate name.
  package static func updateProfile(
    name: String, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    if dialect == .kinto { throw .unsupported(.profile) }
    return Endpoint(
      method: .patch, path: dialect.base + "/user/profile", body: ["name": .string(name)])
  }

  /// Requests the remaining quota for each kind of generation.
  ///
  /// - Throws: `APIError.unsupported` if the server does not generate anything.
  package static func usage(_ dialect: Dialect) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return Endpoint(method: .get, path: dialect.base + "/user/usage")
  }
}
