import StoryLibrary

struct StoreState: Sendable {
  struct Session: Sendable {
    var entry: LogEntry.SessionEntry
    /// Whether the session is in the log. One that ends with the process is not.
    var isLogged: Bool
    /// The sessions that it replaced, oldest first, at most ``mostEarlier``.
    var earlier: [LogEntry.SessionEntry] = []
    /// The answer that announced this session, with its time in milliseconds. Dropped when the
    /// session is used after ``leeway``.
    var answer: (session: IssuedSession, at: Int64)?
    var isUsed = false

    /// The maximum number of replaced sessions to remember for one session.
    static let mostEarlier = 16
    /// The time that two programs sharing a session have to agree on the new one, in milliseconds.
    static let leeway: Int64 = 30_000
  }

  private(set) var accounts: [Account] = []
  var sessions: [Digest: Session] = [:]
  /// Whether nothing more is written.
  var isClosed = false

  init() {}

  /// Reads a log, cuts off a torn last line, and writes the first line of an empty log.
  ///
  /// - Throws: `StoryServerError.damagedLog`, `.unsupportedLogVersion` or `.file`. The log stays
  ///   unchanged if its content is rejected.
  init(reading file: LogFile, now: Int64) throws(StoryServerError) {
    var state = StoreState()
    var version = LogEntry.currentVersion
    let end = try file.forEachLine { (line) throws(StoryServerError) in
      if case .log(let written) = line.entry {
        version = written
        guard version <= LogEntry.currentVersion else {
          throw .unsupportedLogVersion(path: file.path, version: version)
        }
      } else if line.number == 1 {
        throw .damagedLog(path: file.path, line: 1, reason: "it does not name the log's version")
      }
      guard state.apply(line.entry, data: line.data) else {
        throw .damagedLog(
          path: file.path, line: line.number, reason: "unknown account")
      }
    }
    try file.cut(to: end)
    // An older program must see at once that it cannot read what follows.
    if end == 0 || version < LogEntry.currentVersion {
      try file.append(LogLine(.log(version: LogEntry.currentVersion)).bytes)
    }
    for number in state.accounts.indices {
      state[number].memory.forget(before: now - IdempotencyMemory.lifetime)
    }
    state.forgetSessions(now: now)
    self = state
  }

  /// Returns the account with an email address, ignoring case. `String` comparison makes canonically
  /// equivalent addresses equal.
  func account(_ email: Email) -> Account? { accounts.first { $0.entry.email == email.text } }

  subscript(number: Int) -> Account {
    _read { yield accounts[number] }
    _modify { yield &accounts[number] }
  }

  /// Applies an entry of the log.
  ///
  /// - Returns: `false` if the entry names an account that does not exist.
  mutating func apply(_ entry: LogEntry, data: Range<Int>) -> Bool {
    switch entry {
    case .log: return true
    case .account(let account):
      if accounts.indices.contains(account.number) {
        accounts[account.number].entry.name = account.name
        accounts[account.number].entry.password = account.password
      } else if account.number == accounts.count {
        accounts.append(Account(account))
      } else {
        return false
      }
    case .session(let session):
      guard accounts.indices.contains(session.account) else { return false }
      replaceSession(by: session, isLogged: true)
    case .signOut(let token): sessions[token] = nil
    case .put(let put):
      return change(put.account) { account in
        account[put.kind].put(put.id, at: put.at, hero: put.hero, data: data)
        account.note(put.at)
        account.remember(put.remembered, data)
      }
    case .delete(let delete):
      return change(delete.account) { account in
        for (place, item) in delete.items.enumerated() {
          account[item.kind].delete(item.id, at: delete.time(ofItem: place))
        }
        account.note(delete.end)
        account.remember(delete.remembered, data)
      }
    case .answer(let account, let request): return change(account) { $0.remember(request, data) }
    case .reset(let account, let kept):
      return change(account) { $0.removeRecords(except: Set(kept)) }
    case .tag(let account, let text): return change(account) { $0.stateTag = text }
    case .work(let account, let story, let isOpen):
      return change(account) { $0.setWork(story, isOpen: isOpen) }
    case .use(let account, let use): return change(account) { $0.allowance.note(use) }
    }
    return true
  }

  private mutating func change(_ account: Int, _ body: (inout Account) -> Void) -> Bool {
    guard accounts.indices.contains(account) else { return false }
    body(&accounts[account])
    return true
  }

  mutating func replaceSession(by session: LogEntry.SessionEntry, isLogged: Bool) {
    var earlier = sessions[session.token]?.earlier ?? []
    if let replaced = session.replaces, let old = sessions.removeValue(forKey: replaced) {
      earlier = (old.earlier + [old.entry]).suffix(Session.mostEarlier)
    }
    sessions[session.token] = Session(entry: session, isLogged: isLogged, earlier: earlier)
  }

  /// Forgets sessions that can neither be used nor refreshed.
  mutating func forgetSessions(now: Int64) {
    sessions = sessions.filter { $0.value.entry.refreshExpiresAt > now }
    for token in sessions.keys {
      sessions[token]?.earlier.removeAll { $0.refreshExpiresAt <= now }
    }
  }
}
