extension Store {
  /// Makes an account, with its first session where one is given.
  ///
  /// - Returns: its number; `nil` where the address has one already.
  /// - Throws: `StoryServerError` where the log cannot be written.
  func addAccount(
    id: String, email: Email, name: String?, password: String?, now: Int64,
    session: ((Int) -> LogEntry.SessionEntry)? = nil
  ) throws(StoryServerError) -> Int? {
    try withState { (state) throws(StoryServerError) -> Int? in
      guard state.account(email) == nil else { return nil }
      let number = state.accounts.count
      let account = LogEntry.AccountEntry(
        number: number, id: id, email: email.text, name: name, password: password,
        createdAt: Timestamp(milliseconds: now).text, clock: Timestamp(microseconds: 0))
      var entries: [(entry: LogEntry, data: [UInt8])] = [(.account(account), [])]
      if let session { entries.append((.session(session(number)), [])) }
      try append(entries, to: &state, of: nil)
      state[number].written = state.end
      return number
    }
  }

  /// Who an account is, by its address.
  ///
  /// Not the ``Account``: while somebody held that, a change of its records would have to copy them all.
  func account(_ email: Email) -> LogEntry.AccountEntry? { withState { $0.account(email)?.entry } }

  /// Who an account is, by its number.
  func account(_ number: Int) -> LogEntry.AccountEntry { withState { $0[number].entry } }

  /// See `StoryServer.stateTag(of:)`.
  func stateTag(of number: Int) -> String? { withState { $0[number].stateTag } }

  /// The records of a kind that an account has at this moment. A change that comes while this is held
  /// copies them first.
  func records(_ kind: RecordKind, of number: Int) -> RecordCollection {
    withState { $0[number][kind] }
  }

  /// The session that has this token now; `nil` where it is over.
  func session(ofToken token: Digest, now: Int64) -> LogEntry.SessionEntry? {
    withState { state in
      state.sessions[token].flatMap { $0.entry.expiresAt > now ? $0.entry : nil }
    }
  }

  /// The session that has this token now, with a later end where a seventh of its time is over.
  func session(
    ofToken token: Digest, now: Int64, extendedTo end: Int64
  ) throws(StoryServerError) -> LogEntry.SessionEntry? {
    try withState { (state) throws(StoryServerError) -> LogEntry.SessionEntry? in
      guard let session = state.sessions[token], session.entry.expiresAt > now else { return nil }
      guard end - session.entry.expiresAt > (end - now) / 7 else { return session.entry }
      var entry = session.entry
      entry.expiresAt = end
      entry.refreshExpiresAt = max(entry.refreshExpiresAt, end)
      entry.replaces = nil
      if session.isLogged {
        try append(.session(entry), to: &state, of: entry.account)
      } else {
        state.sessions[token]?.entry = entry
      }
      return entry
    }
  }

  /// Starts a session.
  ///
  /// - Parameter isLogged: whether it outlives the process.
  func addSession(
    _ session: LogEntry.SessionEntry, isLogged: Bool, now: Int64
  ) throws(StoryServerError) {
    try withState { (state) throws(StoryServerError) in
      if state.sessions.count % 256 == 255 { state.forgetSessions(now: now) }
      if isLogged {
        try append(.session(session), to: &state, of: session.account)
      } else {
        state.sessions[session.token] = StoreState.Session(entry: session, isLogged: false)
      }
    }
  }

  /// Puts a new session in the place of one, whose refresh token must be the given one.
  ///
  /// - Returns: `false` where the old one is unknown, over, or has another refresh token.
  func refreshSession(
    token: Digest, refresh: Digest, now: Int64, by new: (Int) -> LogEntry.SessionEntry
  ) throws(StoryServerError) -> Bool {
    try withState { (state) throws(StoryServerError) -> Bool in
      guard let old = state.sessions[token], old.entry.refresh == refresh,
        old.entry.refreshExpiresAt > now
      else { return false }
      var entry = new(old.entry.account)
      entry.replaces = token
      if old.isLogged {
        try append(.session(entry), to: &state, of: entry.account)
      } else {
        state.sessions[token] = nil
        state.sessions[entry.token] = StoreState.Session(entry: entry, isLogged: false)
      }
      return true
    }
  }

  /// Ends a session.
  func removeSession(token: Digest) throws(StoryServerError) {
    try withState { (state) throws(StoryServerError) in
      guard let session = state.sessions[token] else { return }
      if session.isLogged {
        try append(.signOut(token: token), to: &state, of: session.entry.account)
      } else {
        state.sessions[token] = nil
      }
    }
  }

  /// Sets an account's name, remembering the answer where the request has a key.
  ///
  /// - Parameter answer: makes the answer from the changed account.
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
      try append(entries, to: &state, of: account)
      return data
    }
  }

  /// What was answered to a key, and to which request.
  func remembered(
    _ key: HalfDigest, of account: Int
  ) throws(StoryServerError) -> (request: HalfDigest, status: Int, answer: [UInt8])? {
    guard let entry = withState({ $0[account].memory.entry(key) }) else { return nil }
    return (entry.request, entry.status, try file.read(entry.answer))
  }

  /// Keeps a text with an account, durably.
  func setStateTag(_ tag: String?, of account: Int) throws(StoryServerError) {
    try withState { (state) throws(StoryServerError) in
      try append(.tag(account: account, text: tag), to: &state, of: account)
    }
    try waitUntilStored(account)
  }
}
