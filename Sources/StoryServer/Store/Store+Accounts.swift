import StoryLibrary

extension Store {
  /// Creates an account, with its first session if one is given, whose account is set here.
  ///
  /// - Returns: The account's number, or `nil` if the email address already has an account.
  /// - Throws: `StoryServerError` if the log cannot be written.
  func addAccount(
    id: String, email: Email, name: String?, password: String?, now: Int64,
    session: LogEntry.SessionEntry? = nil
  ) throws(StoryServerError) -> Int? {
    try withState { (state) throws(StoryServerError) -> Int? in
      guard state.account(email) == nil else { return nil }
      let number = state.accounts.count
      let account = LogEntry.AccountEntry(
        number: number, id: id, email: email.text, name: name, password: password,
        createdAt: Timestamp(milliseconds: now).text, clock: Timestamp(microseconds: 0))
      var entries: [(entry: LogEntry, data: [UInt8])] = [(.account(account), [])]
      if var session {
        session.account = number
        entries.append((.session(session), []))
      }
      try append(entries, to: &state)
      return number
    }
  }

  /// Returns the entry of the account with an email address, or `nil`.
  ///
  /// Not the ``Account``: holding one would make the next change copy all of its records.
  func account(_ email: Email) -> LogEntry.AccountEntry? { withState { $0.account(email)?.entry } }

  func account(_ number: Int) -> LogEntry.AccountEntry { withState { $0[number].entry } }

  func stateTag(of number: Int) -> String? { withState { $0[number].stateTag } }

  /// Returns a snapshot of an account's records of a kind. A change copies them first if it comes
  /// while the snapshot is held.
  func records(_ kind: RecordKind, of number: Int) -> RecordCollection {
    withState { $0[number][kind] }
  }

  func hasSession(token: Digest, now: Int64) -> Bool {
    withState { state in (state.sessions[token]?.entry.expiresAt ?? now) > now }
  }

  /// Returns the session of a token, or `nil` if it is unknown or has ended. Notes that the session
  /// is used.
  ///
  /// - Parameter end: The time to extend the session to if a seventh of its time is over, or `nil`.
  func session(
    ofToken token: Digest, now: Int64, extendedTo end: Int64?
  ) throws(StoryServerError) -> LogEntry.SessionEntry? {
    try withState { (state) throws(StoryServerError) -> LogEntry.SessionEntry? in
      guard let session = state.sessions[token], session.entry.expiresAt > now else { return nil }
      if let answer = session.answer, now - answer.at >= StoreState.Session.leeway {
        state.sessions[token]?.answer = nil
      } else if session.answer != nil {
        state.sessions[token]?.isUsed = true
      }
      var entry = session.entry
      guard let end, end - entry.expiresAt > (end - now) / 7 else { return entry }
      entry.expiresAt = end
      entry.refreshExpiresAt = max(entry.refreshExpiresAt, end)
      entry.replaces = nil
      try keep(entry, isLogged: session.isLogged, &state)
      return entry
    }
  }

  /// Starts a session, which outlives the process if `isLogged`.
  func addSession(
    _ session: LogEntry.SessionEntry, isLogged: Bool, now: Int64
  ) throws(StoryServerError) {
    try withState { (state) throws(StoryServerError) in
      if state.sessions.count % 256 == 255 { state.forgetSessions(now: now) }
      try keep(session, isLogged: isLogged, &state)
    }
  }

  private func keep(
    _ session: LogEntry.SessionEntry, isLogged: Bool, _ state: inout StoreState
  ) throws(StoryServerError) {
    if isLogged {
      try append(.session(session), to: &state)
    } else {
      state.replaceSession(by: session, isLogged: false)
    }
  }

  enum Refresh: Sendable {
    case refreshed(IssuedSession)
    /// The session is unknown or has ended, or has another refresh token.
    case unknown
    /// The refresh token was used before. Its session has been ended.
    case reused
  }

  /// Replaces a session with a new one if its refresh token is the given one.
  ///
  /// Sending the same pair again returns the same new session until somebody uses the new session,
  /// and for half a minute in any case: the answer may have been lost, or two programs that share a
  /// session may have refreshed it at once. After that, a reused refresh token means that two
  /// parties have it, so the session is ended for everybody. An old access token alone does not end
  /// anything: a program with one is merely refused and learns that there is a new one.
  ///
  /// Answers are kept in memory only. After a restart, every replaced pair counts as used.
  func refreshSession(
    token: Digest, refresh: Digest, now: Int64,
    by new: (Int) -> (session: IssuedSession, entry: LogEntry.SessionEntry)
  ) throws(StoryServerError) -> Refresh {
    try withState { (state) throws(StoryServerError) -> Refresh in
      guard let old = state.sessions[token], old.entry.refresh == refresh,
        old.entry.refreshExpiresAt > now
      else { return try refreshAgain(token: token, refresh: refresh, now: now, &state) }
      var (session, entry) = new(old.entry.account)
      entry.replaces = token
      try keep(entry, isLogged: old.isLogged, &state)
      state.sessions[entry.token]?.answer = (session, at: now)
      return .refreshed(session)
    }
  }

  private func refreshAgain(
    token: Digest, refresh: Digest, now: Int64, _ state: inout StoreState
  ) throws(StoryServerError) -> Refresh {
    let heir = state.sessions.first { $0.value.earlier.contains { $0.refresh == refresh } }
    guard let heir else { return .unknown }
    if let last = heir.value.earlier.last, last.token == token, last.refresh == refresh,
      let answer = heir.value.answer,
      !heir.value.isUsed || (0..<StoreState.Session.leeway).contains(now - answer.at)
    {
      return .refreshed(answer.session)
    }
    try endSession(heir.key, heir.value, &state)
    return .reused
  }

  func removeSession(token: Digest) throws(StoryServerError) {
    try withState { (state) throws(StoryServerError) in
      guard let session = state.sessions[token] else { return }
      try endSession(token, session, &state)
    }
  }

  private func endSession(
    _ token: Digest, _ session: StoreState.Session, _ state: inout StoreState
  ) throws(StoryServerError) {
    if session.isLogged {
      try append(.signOut(token: token), to: &state)
    } else {
      state.sessions[token] = nil
    }
  }

  /// Sets an account's name, and remembers the answer if the request has a key.
  func setName(
    _ name: String?, of account: Int, remembered: RememberedRequest?,
    answer: (LogEntry.AccountEntry) -> [UInt8]
  ) throws(StoryServerError) -> [UInt8] {
    try withState { (state) throws(StoryServerError) -> [UInt8] in
      var entry = state[account].entry
      entry.name = name
      let data = answer(entry)
      var entries: [(entry: LogEntry, data: [UInt8])] = [(.account(entry), [])]
      if let remembered {
        entries.append((.answer(account: account, remembered: remembered), data))
      }
      try append(entries, to: &state)
      return data
    }
  }

  /// Returns the request remembered for a key, with its answer, or `nil`.
  func remembered(
    _ key: HalfDigest, of account: Int
  ) throws(StoryServerError) -> (request: RememberedRequest, answer: [UInt8])? {
    guard let entry = withState({ $0[account].memory.entries[key] }) else { return nil }
    return (entry.request, try file.read(entry.answer))
  }

  /// Stores a tag with an account, durably.
  func setStateTag(_ tag: String?, of account: Int) throws(StoryServerError) {
    try withState { (state) throws(StoryServerError) in
      try append(.tag(account: account, text: tag), to: &state)
    }
    try waitUntilStored()
  }
}
