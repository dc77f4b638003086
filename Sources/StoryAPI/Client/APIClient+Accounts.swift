extension APIClient {
  /// Creates an account and stores its session, which becomes the client's session.
  ///
  /// - Parameters:
  ///   - email: The account's address.
  ///   - password: The password, which is sent and not kept.
  ///   - name: The user's name; an empty one is omitted.
  ///   - inviteCode: The code that some servers require for new accounts.
  /// - Throws: `APIError`: `conflict` or `validation` if the server rejects the account,
  ///   `forbidden` if it accepts none or requires another code, `tokenStore` if the session is
  ///   valid but was not stored.
  @discardableResult
  public func signUp(
    email: String, password: Secret, name: String? = nil, inviteCode: Secret? = nil
  ) async throws(APIError) -> Session {
    let dialect = try await dialect()
    if dialect.signsUpApart {
      try await prepareToKeep()
      do throws(APIError) {
        _ = try await answer(to: .makeAccount(name: email, password: password), dialect)
      } catch {
        throw dialect.signUpRefusal(error)
      }
      return try await signIn(email: email, password: password)
    }
    return try await begin(
      .signUp(email: email, password: password, name: name, inviteCode: inviteCode, dialect),
      dialect)
  }

  /// Creates and stores a session, which becomes the client's session.
  ///
  /// - Throws: `APIError`: `unauthorized(.wrongPassword)` if email and password do not match,
  ///   `tokenStore` if the session is valid but was not stored.
  @discardableResult
  public func signIn(email: String, password: Secret) async throws(APIError) -> Session {
    let dialect = try await dialect()
    return try await begin(.signIn(email: email, password: password, dialect), dialect)
  }

  /// Goes on with a token that the server or its keeper gave, once the server says whose it is; the
  /// session is stored.
  ///
  /// - Throws: `APIError`; `unauthorized(.tokenRefused)` if the server does not know it, `tokenStore` if the session
  ///   holds but was not stored.
  @discardableResult
  public func signIn(token: Secret) async throws(APIError) -> Session {
    let dialect = try await dialect()
    try await prepareToKeep()
    var session = Session(token: token)
    do throws(APIError) {
      let answer = try await answer(to: .trySession(session, dialect), dialect)
      session.user = try dialect.profile(at: answer.place)
    } catch {
      throw error == .unauthorized(.sessionExpired) ? .unauthorized(.tokenRefused) : error
    }
    try await keepNew(session)
    return session
  }

  /// Ends the session on the server and removes it from the client and the token store, along with
  /// the account's cached responses. The local part also happens if the server cannot be reached.
  ///
  /// - Throws: `APIError`, but not if the server no longer knows the session.
  public func signOut() async throws(APIError) {
    guard let ended = session else { return }
    var failure: APIError?
    if ended.isRenewable, holds(ended) {
      do throws(APIError) {
        let dialect = try await dialect()
        if let endpoint = Endpoint.signOut(dialect) {
          _ = try await attempts(endpoint, dialect, nil, ended)
        }
      } catch {
        failure = error
      }
    }
    use(nil)
    if let account = ended.user?.id { await configuration.cache?.removeAll(account: account) }
    if ended.isRenewable {
      try await stored(try await configuration.tokenStore?.remove(for: server))
    }
    switch failure {
    case nil, .unauthorized: return
    case .some(let failure): throw failure
    }
  }

  /// Returns the account of the session.
  ///
  /// - Throws: `APIError`: `unauthorized` if there is no valid session.
  public nonisolated func currentUser() async throws(APIError) -> User {
    let dialect = try await dialect()
    return try dialect.profile(at: try await answer(to: .profile(dialect), dialect).place)
  }

  /// Changes the account's name.
  ///
  /// - Throws: `APIError`.
  public nonisolated func updateProfile(name: String) async throws(APIError) -> User {
    let dialect = try await dialect()
    let answer = try await answer(to: try .updateProfile(name: name, dialect), dialect)
    await dropCached(.profile(dialect))
    return try dialect.profile(at: answer.place)
  }

  private func begin(_ endpoint: Endpoint, _ dialect: Dialect) async throws(APIError) -> Session {
    try await prepareToKeep()
    let answer: Answer
    do throws(APIError) {
      answer = try await self.answer(to: endpoint, dialect)
    } catch {
      // Without such a route, the error names the dialect.
      if error == .notFound { _ = try await serverInfo() }
      throw error
    }
    var fresh = try dialect.newSession(
      at: answer.place, headers: answer.headers, sent: endpoint.fixedSession)
    if fresh.validFrom == nil, fresh.scheme == .bearer { fresh.validFrom = answer.date }
    if dialect.signInHidesExpiry,
      let refreshed = try? await attempts(.refresh(fresh, dialect), dialect, nil, nil),
      let whole = try? dialect.refreshedSession(at: refreshed.place, old: fresh)
    {
      fresh = whole
    }
    try await keepNew(fresh)
    return fresh
  }

  /// Checks that a session can be stored before the server creates one.
  private func prepareToKeep() async throws(APIError) {
    try await stored(try await configuration.tokenStore?.prepare(for: server))
  }

  /// Goes on with a session that was just made, and stores it.
  private func keepNew(_ fresh: Session) async throws(APIError) {
    use(fresh)
    try await stored(try await configuration.tokenStore?.save(fresh, for: server))
  }
}
