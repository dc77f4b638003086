import JSONText

extension Dialect {
  var signUpPath: String {
    switch self {
    case .v0, .kinto: "/api/auth/sign-up"
    case .v1: "/api/auth/sign-up/email"
    }
  }

  var signInPath: String {
    switch self {
    case .v0, .kinto: "/api/auth/sign-in"
    case .v1: "/api/auth/sign-in/email"
    }
  }

  /// Whether signing in and up needs an `Origin` header that names the server.
  var signInNeedsOrigin: Bool { self == .v1 }

  func signUpBody(email: String, password: Secret, name: String?) -> JSONObject {
    var body: JSONObject = ["email": .string(email), "password": .string(password.value)]
    switch self {
    case .v0, .kinto: if let name { body["name"] = .string(name) }
    // The name is required there; what stands before the @ is what mail programs show as well.
    case .v1: body["name"] = .string(name ?? String(email.prefix { $0 != "@" }))
    }
    return body
  }

  /// The request that asks for a session to go on. It carries that session's token, whatever the
  /// client's is by then.
  func refreshEndpoint(_ session: Session) -> Endpoint {
    switch self {
    case .v0:
      var body = JSONObject()
      if let token = session.refreshToken { body["refreshToken"] = .string(token.value) }
      return Endpoint(
        .post, "/api/auth/session/refresh", body: .object(body), authorization: .never,
        fixedSession: session)
    case .v1:
      return Endpoint(
        .get, "/api/auth/get-session", authorization: .never, fixedSession: session)
    // Nothing is renewed there: the answer says whether the session holds.
    case .kinto:
      return Endpoint(.get, "/", from: .service, authorization: .never, fixedSession: session)
    }
  }

  /// Whether a session that seems over is worth asking for.
  ///
  /// One of `v1` is extended by the server while it is used, which only that server knows.
  func renewsEndedSession(_ session: Session) -> Bool {
    switch self {
    case .v0: session.refreshToken != nil
    case .v1: true
    case .kinto: false
    }
  }

  /// Whether an account is made without a session.
  var signsUpApart: Bool { self == .kinto }

  /// What an error says about a new account.
  func signUpRefusal(_ error: APIError) -> APIError {
    guard signsUpApart else { return error }
    return switch error {
    case .preconditionFailed: .conflict(message: nil)
    case .notFound: .unsupported(.accounts)
    case .unauthorized: .forbidden(message: nil)
    default: error
    }
  }

  /// Whether signing in leaves open when the session ends, so that it is asked for.
  var signInHidesExpiry: Bool { self == .v1 }

  /// Decodes the answer to signing up or in.
  ///
  /// - Parameter sent: the session that the request tried; `nil` where the server makes one.
  /// - Throws: `APIError.decoding` with the member that is wrong, `unauthorized` if the session that was
  ///   sent is nobody's.
  func newSession(
    at answer: AnswerPlace, headers: HTTPHeaders, sent: Session?
  ) throws(APIError) -> Session {
    switch self {
    // It answers whoever asks, and says who that is only to those it knows.
    case .kinto:
      guard var session = sent, !answer["user"].isAbsent else {
        throw .unauthorized(.wrongPassword)
      }
      session.user = try profile(at: answer)
      return session
    case .v0:
      let data = answer["data"]
      return try session(at: data["session"], user: try user(at: data["user"]), old: nil)
    case .v1:
      let token =
        answer["token"].isAbsent
        ? headers["set-auth-token"] : try answer["token"].nonEmptyString()
      guard let token, !token.isEmpty else { throw answer["token"].failure(expected: "a string") }
      return Session(token: Secret(token), user: try user(at: answer["user"]))
    }
  }

  /// Decodes the answer to ``refreshEndpoint(_:)``; what it leaves out is taken from `old`.
  ///
  /// - Throws: `APIError.unauthorized` where the server says that there is no session any more,
  ///   `APIError.decoding` with the member that is wrong.
  func refreshedSession(at answer: AnswerPlace, old: Session) throws(APIError) -> Session {
    switch self {
    case .v0:
      return try session(at: answer["data"]["session"], user: old.user, old: nil)
    case .kinto:
      guard !answer["user"].isAbsent else { throw .unauthorized(.sessionExpired) }
      return old
    case .v1:
      // Null stands for “none”, for the whole or for the session in it.
      if answer.isAbsent { throw .unauthorized(.sessionExpired) }
      if try answer.object()["session"]?.isNull ?? false { throw .unauthorized(.sessionExpired) }
      _ = try answer["session"].object()
      let user = answer["user"].isAbsent ? old.user : try user(at: answer["user"])
      return try session(at: answer["session"], user: user, old: old)
    }
  }

  /// Decodes an account.
  ///
  /// - Throws: `APIError.decoding` with the member that is wrong.
  func user(at place: AnswerPlace) throws(APIError) -> User {
    User(
      id: try place["id"].nonEmptyString(), email: try place["email"].string(),
      name: try place["name"].optionalString(),
      createdAt: try place["createdAt"].optionalString())
  }

  /// Decodes the answer to a request for the account.
  ///
  /// - Throws: `APIError.decoding` with the member that is wrong.
  func profile(at answer: AnswerPlace) throws(APIError) -> User {
    if self == .kinto {
      guard !answer["user"].isAbsent else { throw .unauthorized(.sessionExpired) }
      let id = try answer["user"]["id"].nonEmptyString()
      let prefix = "account:"
      let name = id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : id
      return User(id: id, email: name)
    }
    // Some servers wrap it once more, under its own name.
    let data = answer["data"]
    return try user(at: data["user"].isAbsent ? data : data["user"])
  }

  /// Decodes what is left of the server's work.
  ///
  /// - Throws: `APIError.decoding` with the member that is wrong.
  func usage(at answer: AnswerPlace) throws(APIError) -> [UsageLimit] {
    let data = answer["data"]
    var limits: [UsageLimit] = []
    for key in try data.object().keys where data[key]["limit"].value != nil {
      limits.append(
        UsageLimit(
          operation: key, limit: try data[key]["limit"].count(),
          remaining: try data[key]["remaining"].count(),
          resetAt: try data[key]["resetAt"].optionalDate()))
    }
    return limits
  }

  private func session(
    at place: AnswerPlace, user: User?, old: Session?
  ) throws(APIError) -> Session {
    let token =
      place["token"].isAbsent && old != nil
      ? old?.token : Secret(try place["token"].nonEmptyString())
    guard let token else { throw place["token"].failure(expected: "a string") }
    return Session(
      token: token, refreshToken: try place["refreshToken"].optionalString().map(Secret.init),
      expiresAt: try place["expiresAt"].optionalDate(),
      validFrom: try place["createdAt"].optionalDate(), user: user)
  }
}
