import JSONText
import StoryLibrary

extension Dialect {
  /// Returns whether to try to renew a session that seems to have ended.
  ///
  /// A `v1` server extends a session while it is used, so only the server knows its end.
  func renewsEndedSession(_ session: Session) -> Bool {
    switch self {
    case .v0: session.refreshToken != nil
    case .v1: true
    case .kinto: false
    }
  }

  /// Whether accounts have names instead of e-mail addresses.
  public var namesAccounts: Bool { self == .kinto }

  /// Whether creating an account does not create a session.
  var signsUpApart: Bool { self == .kinto }

  func signUpRefusal(_ error: APIError) -> APIError {
    switch error {
    case .preconditionFailed: .conflict(message: nil)
    // A read-only server answers 405.
    case .notFound, .unauthorized, .server(status: 405, message: _): .unsupported(.accounts)
    default: error
    }
  }

  /// Whether the answer to signing in lacks the session's end, so that it must be requested.
  var signInHidesExpiry: Bool { self == .v1 }

  /// Decodes the answer to signing up or in.
  ///
  /// - Parameter sent: The session that the request was sent with, or `nil` if the server creates
  ///   one.
  /// - Throws: `APIError.decoding` naming the wrong member, or `unauthorized` if `sent` belongs to
  ///   no account.
  func newSession(
    at answer: AnswerPlace, headers: HTTPHeaders, sent: Session?
  ) throws(APIError) -> Session {
    switch self {
    // Kinto answers every request, but includes the user only if the credentials are right.
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
      guard let token, !token.isEmpty else { throw answer["token"].failure(expected: .string) }
      return Session(token: Secret(token), user: try user(at: answer["user"]))
    }
  }

  /// Decodes the answer to ``Endpoint/refresh(_:_:)``. Missing values are taken from `old`.
  ///
  /// - Throws: `APIError.unauthorized` if the session has ended.
  func refreshedSession(at answer: AnswerPlace, old: Session) throws(APIError) -> Session {
    switch self {
    case .v0:
      return try session(at: answer["data"]["session"], user: old.user, old: nil)
    case .kinto:
      guard !answer["user"].isAbsent else { throw .unauthorized(.sessionExpired) }
      return old
    case .v1:
      // Null, as the answer or as its session, means that the session has ended.
      if answer.isAbsent { throw .unauthorized(.sessionExpired) }
      if try answer.object()["session"]?.isNull ?? false { throw .unauthorized(.sessionExpired) }
      _ = try answer["session"].object()
      let user = answer["user"].isAbsent ? old.user : try user(at: answer["user"])
      return try session(at: answer["session"], user: user, old: old)
    }
  }

  func user(at place: AnswerPlace) throws(APIError) -> User {
    User(
      id: try place["id"].nonEmptyString(), email: try place["email"].string(),
      name: try place["name"].optionalString(),
      createdAt: try place["createdAt"].optionalString())
  }

  func profile(at answer: AnswerPlace) throws(APIError) -> User {
    if self == .kinto {
      guard !answer["user"].isAbsent else { throw .unauthorized(.sessionExpired) }
      let id = try answer["user"]["id"].nonEmptyString()
      let prefix = "account:"
      let name = id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : id
      return User(id: id, email: name)
    }
    // Some servers wrap the account in a member `user`.
    let data = answer["data"]
    return try user(at: data["user"].isAbsent ? data : data["user"])
  }

  func usage(at answer: AnswerPlace) throws(APIError) -> [UsageLimit] {
    let data = answer["data"]
    let limits = try data.object().keys.filter { data[$0]["limit"].value != nil }
    return try limits.map { (key) throws(APIError) in
      UsageLimit(
        operation: key, limit: try data[key]["limit"].count(),
        remaining: try data[key]["remaining"].count(),
        resetAt: try data[key]["resetAt"].optionalDate())
    }
  }

  private func session(
    at place: AnswerPlace, user: User?, old: Session?
  ) throws(APIError) -> Session {
    let token =
      place["token"].isAbsent && old != nil
      ? old?.token : Secret(try place["token"].nonEmptyString())
    guard let token else { throw place["token"].failure(expected: .string) }
    return Session(
      token: token, refreshToken: try place["refreshToken"].optionalString().map(Secret.init),
      expiresAt: try place["expiresAt"].optionalDate(),
      validFrom: try place["createdAt"].optionalDate(), user: user)
  }
}
