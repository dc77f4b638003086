import JSONText

extension Endpoint {
  /// Creates an account on a server where this does not create a session.
  ///
  /// - Throws: `APIError.invalidIdentifier` for a name that cannot be part of a path.
  static func makeAccount(name: String, password: Secret) throws(APIError) -> Endpoint {
    try Endpoint(
      .put, "/accounts/" + PathSegment(id: name).encoded, from: .service,
      body: ["data": ["password": .string(password.value)]], authorization: .never, knownTag: "*")
  }

  /// Requests the account that a session belongs to.
  static func trySession(_ session: Session, _ dialect: Dialect) -> Endpoint {
    let profile = profile(dialect)
    return Endpoint(
      .get, profile.path, from: profile.root, authorization: .never, fixedSession: session)
  }

  /// Creates an account and a session.
  public static func signUp(
    email: String, password: Secret, name: String?, inviteCode: Secret? = nil, _ dialect: Dialect
  ) -> Endpoint {
    var body = dialect.signUpBody(email: email, password: password, name: name)
    if let inviteCode { body["inviteCode"] = .string(inviteCode.value) }
    return Endpoint(
      .post, dialect.signUpPath, body: .object(body), authorization: .never,
      needsOrigin: dialect.signInNeedsOrigin)
  }

  /// Creates a session.
  public static func signIn(email: String, password: Secret, _ dialect: Dialect) -> Endpoint {
    if dialect == .kinto {
      return trySession(Session(name: email, password: password), dialect)
    }
    return Endpoint(
      .post, dialect.signInPath,
      body: ["email": .string(email), "password": .string(password.value)],
      authorization: .never, needsOrigin: dialect.signInNeedsOrigin)
  }

  /// Ends the session on the server. `nil` if the server keeps no sessions.
  public static func signOut(_ dialect: Dialect) -> Endpoint? {
    dialect == .kinto
      ? nil : Endpoint(.post, "/api/auth/sign-out", needsOrigin: dialect.signInNeedsOrigin)
  }

  /// Renews a session: requests a new token, or the state of the current one.
  ///
  /// The request has the old token, so it is not one of those that are sent with the client's
  /// session.
  static func refresh(_ session: Session, _ dialect: Dialect) -> Endpoint {
    dialect.refreshEndpoint(session)
  }

  /// Requests the account.
  public static func profile(_ dialect: Dialect) -> Endpoint {
    dialect == .kinto
      ? Endpoint(.get, "/", from: .service) : Endpoint(.get, dialect.base + "/user/profile")
  }

  /// Changes the account's name.
  ///
  /// - Throws: `APIError.unsupported` if accounts have no separate name.
  public static func updateProfile(
    name: String, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    if dialect == .kinto { throw .unsupported(.profile) }
    return Endpoint(.patch, dialect.base + "/user/profile", body: ["name": .string(name)])
  }

  /// Requests the remaining quota for each kind of generation.
  ///
  /// - Throws: `APIError.unsupported` if the server does not generate anything.
  public static func usage(_ dialect: Dialect) throws(APIError) -> Endpoint {
    try dialect.requireMedia()
    return Endpoint(.get, dialect.base + "/user/usage")
  }
}
