import StoryLibrary

/// Everything that the server keeps in memory; the log says how it came to be.
struct StoreState: Sendable {
  /// A session, known by the digest of its token.
  struct Session: Sendable {
    var entry: LogEntry.SessionEntry
    /// Whether the log knows it; a token for the length of one process needs no line.
    var isLogged: Bool
    /// The sessions that it took the place of, oldest first, at most ``mostEarlier``.
    var earlier: [LogEntry.SessionEntry] = []
    /// What was answered when it took the last one's place, and when in milliseconds, until it has been
    /// used and ``leeway`` is over.
    var answer: (session: IssuedSession, at: Int64)?
    /// Whether it has been used since.
    var isUsed = false

    /// How many sessions are remembered that one took the place of.
    static let mostEarlier = 16
    /// How long two programs that share a session may take to agree on the new one, in milliseconds.
    static let leeway: Int64 = 30_000
  }

  /// By number.
  private(set) var accounts: [Account] = []
  /// Addresses are compared as `String` does: two that look alike are one account's.
  private(set) var numberOfEmail: [String: Int] = [:]
  var sessions: [Digest: Session] = [:]
  /// Where the log ends.
  var end = 0
  /// What went wrong with the log; nothing is written after that.
  var failure: StoryServerError?

  init() {}

  /// Reads a log, cuts a torn last line off and starts an empty one.
  ///
  /// - Throws: `StoryServerError.damagedLog`, `.unsupportedLogVersion` or `.file`; the log is left
  ///   as it is.
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
      guard state.apply(line.entry, data: line.data, isLoading: true) else {
        throw .damagedLog(
          path: file.path, line: line.number, reason: "it names an account that is not there")
      }
    }
    try file.cut(to: end)
    // An older program must know at once that it cannot read what follows.
    if end == 0 || version < LogEntry.currentVersion {
      try file.append(LogLine(.log(version: LogEntry.currentVersion)).bytes)
    }
    state.end = file.end
    state.finishLoading(now: now)
    self = state
  }

  /// An account by its address, in whatever case.
  func account(_ email: Email) -> Account? { numberOfEmail[email.text].map { accounts[$0] } }

  subscript(number: Int) -> Account {
    _read { yield accounts[number] }
    _modify { yield &accounts[number] }
  }

  /// Takes in an entry of the log.
  ///
  /// - Parameter isLoading: leaves the order of records to ``finishLoading(now:)``.
  /// - Returns: `false` where it names an account that does not exist.
  mutating func apply(_ entry: LogEntry, data: LogRange, isLoading: Bool = false) -> Bool {
    switch entry {
    case .log: return true
    case .account(let account):
      if accounts.indices.contains(account.number) {
        accounts[account.number].name = account.name
        accounts[account.number].password = account.password
      } else if account.number == accounts.count {
        accounts.append(Account(account))
        numberOfEmail[account.email] = account.number
      } else {
        return false
      }
    case .session(let session):
      guard accounts.indices.contains(session.account) else { return false }
      replaceSession(by: session, isLogged: true)
    case .signOut(let token): sessions[token] = nil
    case .put(let put):
      guard accounts.indices.contains(put.account) else { return false }
      if isLoading {
        accounts[put.account][put.kind].load(put.id, at: put.at, hero: put.hero, data: data)
      } else {
        accounts[put.account][put.kind].put(put.id, at: put.at, hero: put.hero, data: data)
      }
      accounts[put.account].note(put.at)
      remember(put.remembered, of: put.account, data)
    case .delete(let delete):
      guard accounts.indices.contains(delete.account) else { return false }
      for (place, item) in delete.items.enumerated() {
        let at = delete.time(ofItem: place)
        if isLoading {
          accounts[delete.account][item.kind].loadDeletion(item.id, at: at)
        } else {
          accounts[delete.account][item.kind].delete(item.id, at: at)
        }
      }
      accounts[delete.account].note(delete.end)
      remember(delete.remembered, of: delete.account, data)
    case .answer(let account, let remembered):
      guard accounts.indices.contains(account) else { return false }
      remember(remembered, of: account, data)
    case .reset(let account):
      guard accounts.indices.contains(account) else { return false }
      accounts[account].removeRecords()
    case .tag(let account, let text):
      guard accounts.indices.contains(account) else { return false }
      accounts[account].stateTag = text
    case .work(let account, let story, let isOpen):
      guard accounts.indices.contains(account) else { return false }
      accounts[account].setWork(story, isOpen: isOpen)
    case .use(let account, let use):
      guard accounts.indices.contains(account) else { return false }
      accounts[account].allowance.note(use)
    }
    return true
  }

  /// Takes in a session, which may take the place of another.
  mutating func replaceSession(by session: LogEntry.SessionEntry, isLogged: Bool) {
    var earlier = sessions[session.token]?.earlier ?? []
    if let replaced = session.replaces, let old = sessions.removeValue(forKey: replaced) {
      earlier = (old.earlier + [old.entry]).suffix(Session.mostEarlier)
    }
    sessions[session.token] = Session(entry: session, isLogged: isLogged, earlier: earlier)
  }

  private mutating func remember(
    _ remembered: RememberedRequest?, of account: Int, _ answer: LogRange
  ) {
    guard let remembered else { return }
    accounts[account].memory.remember(remembered, answer: answer)
  }

  /// Puts the records in order and forgets what has expired.
  mutating func finishLoading(now: Int64) {
    for number in accounts.indices {
      for kind in RecordKind.allCases { accounts[number][kind].sort() }
      accounts[number].memory.forget(before: now - IdempotencyMemory.lifetime)
      accounts[number].written = end
    }
    forgetSessions(now: now)
  }

  /// Forgets the sessions that can neither be used nor refreshed any more.
  mutating func forgetSessions(now: Int64) {
    sessions = sessions.filter { $0.value.entry.refreshExpiresAt > now }
    for token in sessions.keys {
      sessions[token]?.earlier.removeAll { $0.refreshExpiresAt <= now }
    }
  }
}
