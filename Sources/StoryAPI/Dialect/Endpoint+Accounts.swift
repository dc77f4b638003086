import JSONText

extension Endpoint {
  /// Makes an account, on a server where that makes no session.
  ///
  /// - Throws: `APIError.invalidIdentifier` for a name that no path can hold.
  static func makeAccount(name: String, password: Secret) throws(APIError) -> Endpoint {
    try Endpoint(
      .put, "/accounts/" + PathSegment(id: name).encoded, from: .service,
      body: ["data": ["password": .string(password.value)]], authorization: .never, knownTag: "*")
  }

  /// Asks whom a session belongs to.
  static func trySession(_ session: Session, _ dialect: Dialect) -> Endpoint {
    let profile = profile(dialect)
    return Endpoint(
      .get, profile.path, from: profile.root, authorization: .never, fixedSession: session)
  }

  /// Makes an account and a session.
  public static func signUp(
    email: String, password: Secret, name: String?, inviteCode: Secret? = nil, _ dialect: Dialect
  ) -> Endpoint {
    var body = dialect.signUpBody(email: email, password: password, name: name)
    if let inviteCode { body["inviteCode"] = .string(inviteCode.value) }
    return Endpoint(
      .post, dialect.signUpPath, body: .object(body), authorization: .never,
      needsOrigin: dialect.signInNeedsOrigin)
  }

  /// Makes a session.
  public static func signIn(email: String, password: Secret, _ dialect: Dialect) -> Endpoint {
    if dialect == .kinto {
      return trySession(Session(name: email, password: password), dialect)
    }
    return Endpoint(
      .post, dialect.signInPath,
      body: ["email": .string(email), "password": .string(password.value)],
      authorization: .never, needsOrigin: dialect.signInNeedsOrigin)
  }

  /// Ends the session on the server; `nil` where the server keeps none.
  public static func signOut(_ dialect: Dialect) -> Endpoint? {
    dialect == .kinto
      ? nil : Endpoint(.post, "/api/auth/sign-out", needsOrigin: dialect.signInNeedsOrigin)
  }

  /// Asks for the session to go on: a new token, or news of the one there is.
  ///
  /// It carries the old token by itself, so it is not one of the requests that take the session's.
  static func refresh(_ session: Session, _ dialect: Dialect) -> Endpoint {
    dialect.refreshEndpoint(session)
  }

  /// The account.
  public static func profile(_ dialect: Dialect) -> Endpoint {
    dialect == .kinto
      ? Endpoint(.get, "/", from: .service) : Endpoint(.get, dialect.base + "/user/profile")
  }

  /// Changes the account's name.
  ///
  /// - Throws: `APIError.unsupported` where an account has no other name.
  public static func updateProfile(
    name: String, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    if dialect == .kinto { throw .unsupported(.profile) }
    return Endpoint(.patch, dialect.base + "/user/profile", body: ["name": .string(name)])
  }

  /// What is left of the server's work, per kind of work.
  ///
  /// - Throws: `APIError.unsupported` where the server makes nothing.
  public static func usage(_ dialect: Dialect) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return Endpoint(.get, dialect.base + "/user/usage")
  }
}
