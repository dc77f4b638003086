import JSONText

extension Endpoint {
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
    Endpoint(
      .post, dialect.signInPath,
      body: ["email": .string(email), "password": .string(password.value)],
      authorization: .never, needsOrigin: dialect.signInNeedsOrigin)
  }

  /// Ends the session on the server.
  public static func signOut(_ dialect: Dialect) -> Endpoint {
    Endpoint(.post, "/api/auth/sign-out", needsOrigin: dialect.signInNeedsOrigin)
  }

  /// Asks for the session to go on: a new token, or news of the one there is.
  ///
  /// It carries the old token by itself, so it is not one of the requests that take the session's.
  static func refresh(_ session: Session, _ dialect: Dialect) -> Endpoint {
    dialect.refreshEndpoint(session)
  }

  /// The account.
  public static func profile(_ dialect: Dialect) -> Endpoint {
    Endpoint(.get, dialect.base + "/user/profile")
  }

  /// Changes the account's name.
  public static func updateProfile(name: String, _ dialect: Dialect) -> Endpoint {
    Endpoint(.patch, dialect.base + "/user/profile", body: ["name": .string(name)])
  }

  /// What is left of the server's work, per kind of work.
  public static func usage(_ dialect: Dialect) -> Endpoint {
    Endpoint(.get, dialect.base + "/user/usage")
  }
}
