extension APIClient {
  /// How long before its end a session is renewed.
  static let renewalLead = Duration.seconds(300)
  /// How far ahead of the server's clock, which headers tell in whole seconds only, a session may
  /// start and still hold.
  private static let startTolerance = Duration.seconds(60)

  /// Goes on with another session, or with none; the token store is not touched.
  public func use(_ session: Session?) {
    self.session = session
    renewalDate = nil
  }

  /// Goes on with the session that the token store holds for this server.
  ///
  /// - Throws: `APIError.tokenStore` where the store cannot be read.
  @discardableResult
  public func restoreSession() async throws(APIError) -> Session? {
    guard let store = configuration.tokenStore else { return session }
    do throws(TokenStoreError) {
      use(try await store.session(for: server))
      return session
    } catch {
      throw .tokenStore(error)
    }
  }

  /// Renews the session now, whenever it ends.
  ///
  /// - Throws: `APIError.unauthorized` where there is none or the server refuses, and then it is
  ///   forgotten; `network` and the like where the server did not answer, and then it stays.
  @discardableResult
  public func renewSession() async throws(APIError) -> Session {
    guard let session else { throw .unauthorized(.notSignedIn) }
    return try await renewed(after: session, try await dialect())
  }

  /// The session to send with a request, renewed where it is about to end.
  ///
  /// - Throws: `APIError.unauthorized` where one is needed and none holds; what kept it from being
  ///   renewed where it is over.
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
      // This machine's clock may be what is wrong, so the server's is looked at first.
      _ = try await attempts(.health(dialect), dialect, nil, nil)
    }
    if let start = session.validFrom, serverNow.advanced(by: Self.startTolerance) < start {
      throw .unauthorized(.sessionNotYetValid)
    }
    guard holds(session) else {
      guard session.isRenewable, dialect.renewsEndedSession(session) else {
        await forget(session)
        throw .unauthorized(.sessionExpired)
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
      // It still holds for a while; the next try comes when half of that is over.
      default:
        postponeRenewal(of: session)
        return session
      }
    }
  }

  /// The session after `old`: the one that another task or process has got meanwhile, else a new
  /// one from the server, asked for once however many tasks want it.
  ///
  /// - Parameter count: how often it had been renewed when it was sent; a renewal may leave the token
  ///   as it is, so that this alone tells that there was one. `nil` for a renewal in any case.
  /// - Throws: `APIError.unauthorized(.sessionExpired)` where the server refuses, and then `old` is
  ///   forgotten; `network` and the like where it did not answer, and then `old` stays.
  func renewed(
    after old: Session, _ dialect: Dialect, since count: Int? = nil
  ) async throws(APIError) -> Session {
    guard old.isRenewable else { throw .unauthorized(.sessionExpired) }
    return try await renewal.value { [self] in
      await Result.catching { () throws(APIError) in try await renew(old, dialect, since: count) }
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

  /// What another process has stored since, where it holds; it is gone on with.
  private func storedSession(besides old: Session) async -> Session? {
    guard let stored = try? await configuration.tokenStore?.session(for: server),
      stored.token != old.token, holds(stored)
    else { return nil }
    use(stored)
    return stored
  }

  /// Goes on with a session that was renewed and stores it; that it could not be stored is told.
  private func keep(_ fresh: Session) async {
    use(fresh)
    renewals += 1
    do throws(TokenStoreError) {
      try await configuration.tokenStore?.save(fresh, for: server)
    } catch {
      configuration.observe?(.sessionNotStored(error))
    }
  }

  /// Forgets a session that is over, here and in the store, but not one that has replaced it.
  func forget(_ old: Session) async {
    if session?.token == old.token { use(nil) }
    guard old.isRenewable, let store = configuration.tokenStore,
      let stored = try? await store.session(for: server), stored.token == old.token
    else { return }
    try? await store.remove(for: server)
  }

  /// The server's clock, as far as its answers told.
  private var serverNow: ServerDate {
    configuration.time.now().advanced(by: clockDifference ?? .zero)
  }

  /// Whether a session may be sent: it has begun and is not over, by the server's clock.
  func holds(_ session: Session) -> Bool {
    let now = serverNow
    if let start = session.validFrom, now.advanced(by: Self.startTolerance) < start { return false }
    return session.expiresAt.map { now < $0 } ?? true
  }

  /// Renewal comes ``renewalLead`` before the end, but in the second half of the session's life:
  /// one that lives for a few minutes only is not renewed with each request.
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
