extension APIClient {
  /// Makes an account and goes on with its session, which is stored.
  ///
  /// - Parameters:
  ///   - email: the account's address.
  ///   - password: its password, which is sent and not kept.
  ///   - name: the person's name; an empty one is left out.
  ///   - inviteCode: the code that some servers ask for before they take a new account.
  /// - Throws: `APIError`; `conflict` or `validation` where the server does not want this account,
  ///   `forbidden` where it takes none, or not without the right code;
  ///   `tokenStore` where the session holds but was not stored.
  @discardableResult
  public func signUp(
    email: String, password: Secret, name: String? = nil, inviteCode: Secret? = nil
  ) async throws(APIError) -> Session {
    let dialect = try await dialect()
    return try await begin(
      .signUp(email: email, password: password, name: name, inviteCode: inviteCode, dialect),
      dialect)
  }

  /// Makes a session and goes on with it; it is stored.
  ///
  /// - Throws: `APIError`; `unauthorized(.wrongPassword)` where email and password do not belong
  ///   together, `tokenStore` where the session holds but was not stored.
  @discardableResult
  public func signIn(email: String, password: Secret) async throws(APIError) -> Session {
    let dialect = try await dialect()
    return try await begin(.signIn(email: email, password: password, dialect), dialect)
  }

  /// Ends the session on the server and forgets it here, in the token store and with what was cached
  /// for its account; all that even where the server cannot be reached.
  ///
  /// - Throws: `APIError`; a session that the server knows no more is no error.
  public func signOut() async throws(APIError) {
    guard let ended = session else { return }
    var failure: APIError?
    if ended.isRenewable, holds(ended) {
      do throws(APIError) {
        let dialect = try await dialect()
        _ = try await attempts(.signOut(dialect), dialect, nil, ended)
      } catch {
        failure = error
      }
    }
    use(nil)
    if let account = ended.user?.id { await configuration.cache?.removeAll(account: account) }
    do throws(TokenStoreError) {
      if ended.isRenewable { try await configuration.tokenStore?.remove(for: server) }
    } catch {
      throw .tokenStore(error)
    }
    switch failure {
    case nil, .unauthorized: return
    case .some(let failure): throw failure
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
    let answer = try await answer(to: .updateProfile(name: name, dialect), dialect)
    await dropCached(.profile(dialect))
    return try dialect.profile(at: answer.place)
  }

  /// What is left of the server's work, in the server's order.
  ///
  /// - Throws: `APIError`.
  public nonisolated func usage() async throws(APIError) -> [UsageLimit] {
    let dialect = try await dialect()
    return try dialect.usage(at: try await answer(to: .usage(dialect), dialect).place)
  }

  private func begin(_ endpoint: Endpoint, _ dialect: Dialect) async throws(APIError) -> Session {
    do throws(TokenStoreError) {
      // Before the server makes a session that nobody could go on with.
      try await configuration.tokenStore?.prepare(for: server)
    } catch {
      throw .tokenStore(error)
    }
    let answer = try await firstAnswer(to: endpoint, dialect)
    var fresh = try dialect.newSession(at: answer.place, headers: answer.headers)
    if fresh.validFrom == nil { fresh.validFrom = answer.date }
    if dialect.signInHidesExpiry,
      let told = try? await attempts(.refresh(fresh, dialect), dialect, nil, nil),
      let whole = try? dialect.refreshedSession(at: told.place, old: fresh)
    {
      fresh = whole
    }
    use(fresh)
    do throws(TokenStoreError) {
      try await configuration.tokenStore?.save(fresh, for: server)
    } catch {
      throw .tokenStore(error)
    }
    return fresh
  }

  /// The answer to somebody who signs in or up; where there is no such route, the error says which
  /// dialect the server speaks.
  private func firstAnswer(
    to endpoint: Endpoint, _ dialect: Dialect
  ) async throws(APIError) -> Answer {
    do throws(APIError) {
      return try await answer(to: endpoint, dialect)
    } catch {
      if error == .notFound { _ = try await serverInfo() }
      throw error
    }
  }
}
