extension APIClient {
  /// The time before the end of a session at which it is renewed.
  static let renewalLead = Duration.seconds(300)
  /// How far in the future a valid session may start, because headers give the server's time only in
  /// whole seconds.
  private static let startTolerance = Duration.seconds(60)

  /// Uses another session, or none, without changing the token store.
  public func use(_ session: Session?) {
    self.session = session
    renewalDate = nil
  }

  /// Uses the session in the token store for this server.
  ///
  /// - Throws: `APIError.tokenStore` if the store cannot be read.
  @discardableResult
  public func restoreSession() async throws(APIError) -> Session? {
    guard let store = configuration.tokenStore else { return session }
    use(try await stored(try await store.session(for: server)))
    return session
  }

  /// Runs a step of the token store, turning its error into one of the client.
  @discardableResult
  func stored<Value>(
    _ step: @autoclosure () async throws(TokenStoreError) -> Value
  ) async throws(APIError) -> Value {
    do throws(TokenStoreError) { return try await step() } catch { throw .tokenStore(error) }
  }

  /// Renews the session now.
  ///
  /// - Throws: `APIError.unauthorized` without a session, or if the server refuses, in which case it is
  ///   removed; `network` or similar if the server did not respond, in which case it is kept.
  @discardableResult
  public func renewSession() async throws(APIError) -> Session {
    guard let session else { throw .unauthorized(.notSignedIn) }
    return try await renewed(after: session, try await dialect())
  }

  /// Returns the session for a request, renewed if it is about to end.
  ///
  /// - Throws: `APIError.unauthorized` if one is required and none is valid; errors of a renewal.
  func sessionToSend(
    _ endpoint: Endpoint, _ dialect: Dialect
  ) async throws(APIError) -> Session? {
    guard endpoint.authorization != .never else { return nil }
    guard let session else {
      if endpoint.authorization == .required { throw .unauthorized(.notSignedIn) }
      return nil
    }
    if endpoint.authorization == .optional { return holds(session) ? session : nil }
    if !holds(session), clockDifference == nil {
      // This machine's clock may be wrong, so check the server's first.
      _ = try await attempts(.health(dialect), dialect, nil, nil)
    }
    if let start = session.validFrom, serverNow.advanced(by: Self.startTolerance) < start {
      throw .unauthorized(.sessionNotYetValid)
    }
    guard holds(session) else {
      guard session.isRenewable, dialect.renewsEndedSession(session) else {
        await forget(session)
        throw .unauthorized(session.isRenewable ? .sessionExpired : .tokenRefused)
      }
      return try await renewed(after: session, dialect)
    }
    guard session.isRenewable, let date = renewalDate(of: session), date <= serverNow else {
      return session
    }
    do throws(APIError) {
      return try await renewed(after: session, dialect)
    } catch {
      switch error {
      case .cancelled, .unauthorized: throw error
      // It is valid for a while longer; the next attempt follows after half that time.
      default:
        postponeRenewal(of: session)
        return session
      }
    }
  }

  /// Returns the session after `old`: the one that another task or process has obtained, or a new
  /// one from the server, requested once for all tasks.
  ///
  /// - Parameter count: The number of renewals when `old` was used. A renewal may keep the token,
  ///   so only this reveals it. `nil` always renews.
  /// - Throws: `APIError.unauthorized(.sessionExpired)` if the server refuses, in which case `old`
  ///   is removed, or `unauthorized(.tokenRefused)` if `old` cannot be renewed; `network` or similar if it did not respond, in which case `old` is kept.
  func renewed(
    after old: Session, _ dialect: Dialect, since count: Int? = nil
  ) async throws(APIError) -> Session {
    guard old.isRenewable else { throw .unauthorized(.tokenRefused) }
    return try await renewal.value { [self] () throws(APIError) in
      try await renew(old, dialect, since: count)
    }
  }

  private func renew(
    _ old: Session, _ dialect: Dialect, since count: Int?
  ) async throws(APIError) -> Session {
    guard let session else { throw .unauthorized(.sessionExpired) }
    if session.token != old.token || count.map({ $0 != renewals }) ?? false { return session }
    if let other = await storedSession(besides: old) { return other }
    do throws(APIError) {
      let answer = try await attempts(.refresh(old, dialect), dialect, nil, nil)
      var fresh = try dialect.refreshedSession(at: answer.place, old: old)
      if fresh.validFrom == nil { fresh.validFrom = answer.date }
      await keep(fresh)
      return fresh
    } catch {
      switch error {
      case .unauthorized, .forbidden, .notFound, .validation, .conflict:
        if let other = await storedSession(besides: old) { return other }
        await forget(old)
        throw .unauthorized(.sessionExpired)
      default: throw error
      }
    }
  }

  /// Returns and uses the session that another process has stored, if it is valid.
  private func storedSession(besides old: Session) async -> Session? {
    guard let stored = try? await configuration.tokenStore?.session(for: server),
      stored.token != old.token, holds(stored)
    else { return nil }
    use(stored)
    return stored
  }

  private func keep(_ fresh: Session) async {
    use(fresh)
    renewals += 1
    do throws(TokenStoreError) {
      try await configuration.tokenStore?.save(fresh, for: server)
    } catch {
      configuration.observe?(.sessionNotStored(error))
    }
  }

  /// Removes an expired session here and in the store, but not one that has replaced it.
  func forget(_ old: Session) async {
    if session?.token == old.token { use(nil) }
    guard old.isRenewable, let store = configuration.tokenStore,
      let stored = try? await store.session(for: server), stored.token == old.token
    else { return }
    try? await store.remove(for: server)
  }

  private var serverNow: ServerDate {
    configuration.time.now().advanced(by: clockDifference ?? .zero)
  }

  /// Returns whether a session has started and not ended by the server's clock.
  func holds(_ session: Session) -> Bool {
    let now = serverNow
    if let start = session.validFrom, now.advanced(by: Self.startTolerance) < start { return false }
    return session.expiresAt.map { now < $0 } ?? true
  }

  /// Returns the time of renewal: ``renewalLead`` before the end, but in the second half of the
  /// session's life, so that short sessions are not renewed with each request.
  private func renewalDate(of session: Session) -> ServerDate? {
    if let renewalDate { return renewalDate }
    guard let end = session.expiresAt else { return nil }
    var lead = Self.renewalLead
    if let start = session.validFrom { lead = min(lead, end.duration(since: start) / 2) }
    let date = end.advanced(by: .zero - lead)
    renewalDate = date
    return date
  }

  private func postponeRenewal(of session: Session) {
    guard self.session?.token == session.token, let end = session.expiresAt else { return }
    let now = serverNow
    renewalDate = now.advanced(by: end.duration(since: now) / 2)
  }
}
