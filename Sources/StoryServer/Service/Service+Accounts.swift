import JSONText
import StoryLibrary

extension Service {
  /// Keeps caches from storing answers with tokens (RFC 6750, section 5.3).
  static let noStore = [HTTPHeader("Cache-Control", "no-store")]

  func signUp(
    _ body: JSONNode, _ request: ServerRequest, _ now: Int64
  ) throws(APIFailure) -> ServerResponse {
    guard options.isSignUpOpen else {
      throw APIFailure(403, "signUpClosed", "This server takes no new accounts.")
    }
    try requirePasswords()
    if let code = options.inviteCode { try checkInvite(body, code, request, now) }
    var problems: [(String, String)] = []
    let email = body["email"]?.string.flatMap { Email($0) }
    if email == nil { problems.append(("email", "must be an e-mail address")) }
    let password = body["password"]?.string
    if let password {
      if let problem = PasswordHasher.problem(with: password) {
        problems.append(("password", problem))
      }
    } else {
      problems.append(("password", "must be a string"))
    }
    var name: String?
    if let node = body["name"] {
      do throws(RecordField.Refusal) {
        name = try Self.nameField.value(of: node).string
      } catch {
        problems.append(("name", error.message))
      }
    }
    if name == nil, dialect.requiresName { problems.append(("name", "is missing")) }
    guard problems.isEmpty, let email, let password else { throw .validation(problems) }
    let taken = APIFailure(
      409, "emailInUse", "This e-mail address already has an account.")
    if store.account(email) != nil { throw taken }
    guard let hash = try passwords.hash(password) else { throw Self.noHash }
    // The store sets the account's number.
    let (session, entry) = IssuedSession.make(account: 0, now: now, options)
    let id = dialect.newID(options.random)
    let number = try stored(
      try store.addAccount(
        id: id, email: email, name: name, password: hash, now: now, session: entry))
    guard let number else { throw taken }
    try stored(try store.waitUntilStored())
    return dialect.signedIn(session, user: dialect.user(store.account(number)), isNew: true)
  }

  private func checkInvite(
    _ body: JSONNode, _ code: String, _ request: ServerRequest, _ now: Int64
  ) throws(APIFailure) {
    guard let given = body["inviteCode"]?.string, !given.isEmpty else {
      throw APIFailure(
        403, "inviteRequired", "This server accepts new accounts only with an invite code.")
    }
    let network = network(of: request)
    try throttle.begin("invite", from: network, now: now)
    guard PasswordHasher.areEqual(given, code) else {
      throw APIFailure(403, "wrongInvite", "The invite code is wrong.")
    }
    throttle.succeed("invite", from: network, now: now)
  }

  /// Returns the network that a request comes from, believing a proxy on this machine if the server
  /// has public URLs.
  private func network(of request: ServerRequest) -> String {
    var address = request.peerAddress
    if names.hasPublicURL, HTTPAuthority(address)?.isLoopback ?? (address == "::1"),
      let told = request.headers.list("x-forwarded-for").last
    {
      address = told
    }
    return Socket.network(of: address)
  }

  func signIn(
    _ body: JSONNode, _ request: ServerRequest, _ now: Int64
  ) throws(APIFailure) -> ServerResponse {
    try requirePasswords()
    guard let address = body["email"]?.string, let password = body["password"]?.string else {
      let missing = ["email", "password"].filter { body[$0]?.string == nil }
      throw .validation(missing.map { ($0, "must be a string") })
    }
    let email = Email(address)
    let account = email.flatMap { store.account($0) }
    // Unknown addresses are throttled like known ones.
    let (name, network) = ("account \(email?.text ?? address)", network(of: request))
    try throttle.begin(name, from: network, now: now)
    let isRight: Bool
    do throws(APIFailure) {
      isRight = try passwords.verify(password, hash: account?.password)
    } catch {
      throttle.withdraw(name, from: network)
      throw error
    }
    guard isRight, let account else {
      throw .unauthorized("Invalid email or password", code: "invalidCredentials")
    }
    throttle.succeed(name, from: network, now: now)
    let (session, entry) = IssuedSession.make(account: account.number, now: now, options)
    try stored(try store.addSession(entry, isLogged: true, now: now))
    try stored(try store.waitUntilStored())
    return dialect.signedIn(session, user: dialect.user(account), isNew: false)
  }

  /// Answers `POST` for a new pair of tokens.
  ///
  /// The old token may have expired: it only identifies the session. For a second request with the
  /// same pair, see ``Store/refreshSession(token:refresh:now:by:)``.
  func refresh(
    _ body: JSONNode, _ request: ServerRequest, _ now: Int64
  ) throws(APIFailure) -> ServerResponse {
    guard let token = request.bearerToken else { throw .unauthorized() }
    guard let refresh = body["refreshToken"]?.string else {
      throw .validation([("refreshToken", "must be a string")])
    }
    let outcome = try stored(
      try store.refreshSession(
        token: SHA256.digest(token), refresh: SHA256.digest(refresh), now: now
      ) { number in
        IssuedSession.make(account: number, now: now, options)
      })
    try stored(try store.waitUntilStored())
    switch outcome {
    case .refreshed(let session):
      return ServerResponse(200, headers: Self.noStore, body: dialect.refreshed(session))
    case .unknown: throw .sessionOver
    case .reused:
      throw .unauthorized(
        "This refresh token was used before, so its session was ended.", code: "sessionRevoked")
    }
  }

  /// Handles `GET` for the session of the request's token. The answer is `null` without a valid one.
  func session(_ request: ServerRequest, _ now: Int64) throws(APIFailure) -> ServerResponse {
    guard let token = request.bearerToken, let session = try session(ofToken: token, now) else {
      return ServerResponse(200, headers: Self.noStore, body: Array("null".utf8))
    }
    let body = dialect.session(
      token, expiresAt: Timestamp(milliseconds: session.expiresAt).text,
      user: dialect.user(store.account(session.account)))
    return ServerResponse(200, headers: Self.noStore, body: body)
  }

  /// Returns the session of a token, or `nil` if it is unknown or has ended. Extends it if the
  /// dialect does so.
  func session(
    ofToken token: String, _ now: Int64
  ) throws(APIFailure) -> LogEntry.SessionEntry? {
    try stored(
      try store.session(
        ofToken: SHA256.digest(token), now: now,
        extendedTo: dialect.extendsSessions ? now + options.sessionLifetime : nil))
  }

  func signOut(_ request: ServerRequest) throws(APIFailure) -> ServerResponse {
    if let token = request.bearerToken {
      try stored(try store.removeSession(token: SHA256.digest(token)))
    }
    return ServerResponse(
      200, body: dialect.record((["signedOut": true] as JSONValue).compactBytes))
  }

  /// Answers `PATCH` of the account's own data, which is its name.
  func changeProfile(
    _ body: JSONNode, _ request: ServerRequest, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> ServerResponse {
    try once(request, "PATCH profile ", body, account, now) { (remembered) throws(APIFailure) in
      var name = store.account(account).name
      if let node = body["name"] {
        do throws(RecordField.Refusal) {
          name = try Self.nameField.value(of: node).string
        } catch {
          throw .validation([("name", error.message)])
        }
      }
      return try stored(
        try store.setName(
          name, of: account, remembered: remembered, answer: { dialect.user($0) }))
    }
  }

  private static let nameField = RecordField.owned("name", .text(0...200), .optional)

  private static let noHash = APIFailure(
    501, "noPasswords", "This system cannot hash passwords, so nobody can sign in with one.")

  private func requirePasswords() throws(APIFailure) {
    if !PasswordHasher.isAvailable { throw Self.noHash }
  }
}
