extension APIClient {
  /// Makes an account and goes on with its session.
  ///
  /// - Throws: `APIError`; `conflict` or `validation` where the server does not want this account.
  @discardableResult
  public func signUp(
    email: String, password: Secret, name: String? = nil
  ) async throws(APIError) -> Session {
    let dialect = try await dialect()
    return try await begin(
      .signUp(email: email, password: password, name: name, dialect), dialect)
  }

  /// Makes a session and goes on with it.
  ///
  /// - Throws: `APIError`; `unauthorized(.wrongPassword)` where email and password do not belong
  ///   together.
  @discardableResult
  public func signIn(email: String, password: Secret) async throws(APIError) -> Session {
    let dialect = try await dialect()
    return try await begin(.signIn(email: email, password: password, dialect), dialect)
  }

  /// Ends the session on the server and forgets it here; it is forgotten here even where the server
  /// cannot be reached.
  ///
  /// - Throws: `APIError`; a session that the server knows no more is no error.
  public func signOut() async throws(APIError) {
    let dialect = try await dialect()
    defer { use(nil) }
    do throws(APIError) {
      _ = try await answer(to: .signOut(), dialect)
    } catch .unauthorized {
      return
    }
  }

  /// The account that the session belongs to.
  ///
  /// - Throws: `APIError`; `unauthorized` where there is no session that holds.
  public nonisolated func currentUser() async throws(APIError) -> User {
    let dialect = try await dialect()
    return try dialect.profile(at: try await answer(to: .profile(dialect), dialect).place)
  }

  /// Changes the account's name.
  ///
  /// - Throws: `APIError`.
  public nonisolated func updateProfile(name: String) async throws(APIError) -> User {
    let dialect = try await dialect()
    return try dialect.profile(
      at: try await answer(to: .updateProfile(name: name, dialect), dialect).place)
  }

  /// What is left of the server's work, in the server's order.
  ///
  /// - Throws: `APIError`.
  public nonisolated func usage() async throws(APIError) -> [UsageLimit] {
    let dialect = try await dialect()
    return try dialect.usage(at: try await answer(to: .usage(dialect), dialect).place)
  }

  private func begin(_ endpoint: Endpoint, _ dialect: Dialect) async throws(APIError) -> Session {
    let answer = try await answer(to: endpoint, dialect)
    let session = try dialect.newSession(at: answer.place, headers: answer.headers)
    use(session)
    return session
  }
}
