import StoryLibrary

/// Removes log lines that later lines have superseded.
///
/// The remaining lines keep their order. A line with a remembered answer stays as long as the
/// answer is remembered, so the new log reads as the same state.
enum LogCompaction {
  /// Logs up to this size are not compacted, in bytes.
  static let smallestSize = 256 << 10

  /// Returns whether more than half of the log is superseded.
  static func isWorthwhile(file: LogFile, state: StoreState) -> Bool {
    let size = file.end
    guard size > smallestSize else { return false }
    var used = 0
    for account in state.accounts {
      var answers = Set(account.memory.entries.values.map(\.answer))
      for kind in RecordKind.allCases {
        for slot in account[kind].slots {
          used += slot.data.count + 160
          if !slot.isDeleted { answers.remove(slot.data) }
        }
      }
      used += answers.reduce(0) { $0 + $1.count + 160 }
    }
    used += 400 * state.accounts.count
    used += state.sessions.values.reduce(0) { $0 + 400 * (1 + $1.earlier.count) }
    return used < size / 2
  }

  /// Writes a new log next to the old one, flushes it and renames it into place.
  ///
  /// A crash leaves either the old log or the new one, complete.
  static func run(
    file: LogFile, state: StoreState, folder: DataFolder
  ) throws(StoryServerError) {
    let new = try folder.openNewLog()
    var pending = LogLine(.log(version: LogEntry.currentVersion)).bytes
    for account in state.accounts {
      pending += LogLine(.account(account.entry)).bytes
      if let tag = account.stateTag {
        pending += LogLine(.tag(account: account.number, text: tag)).bytes
      }
      for story in account.work {
        pending += LogLine(.work(account: account.number, story: story, isOpen: true)).bytes
      }
      for use in account.allowance.uses {
        pending += LogLine(.use(account: account.number, use)).bytes
      }
    }
    for session in state.sessions.values where session.isLogged {
      // Replaced sessions are written first, so that their used refresh tokens stay known.
      var replaced: Digest?
      for var entry in session.earlier + [session.entry] {
        entry.replaces = replaced
        pending += LogLine(.session(entry)).bytes
        replaced = entry.token
      }
    }
    try file.forEachLine { (line) throws(StoryServerError) in
      guard isNeeded(line, state) else { return }
      pending.append(contentsOf: line.bytes)
      pending.append(UInt8(ascii: "\n"))
      guard pending.count > 1 << 20 else { return }
      try new.append(pending)
      pending.removeAll(keepingCapacity: true)
    }
    try new.append(pending)
    try folder.replaceLog(by: new)
  }

  private static func isNeeded(_ line: LogFile.Line, _ state: StoreState) -> Bool {
    func isRemembered(_ remembered: RememberedRequest?, _ account: Int) -> Bool {
      guard let remembered else { return false }
      return state.accounts[account].memory.entries[remembered.key]?.answer == line.data
    }
    switch line.entry {
    case .log, .account, .session, .signOut, .reset, .tag, .work, .use: return false
    case .put(let put):
      let slot = state.accounts[put.account][put.kind].live(put.id)
      return slot?.data == line.data || isRemembered(put.remembered, put.account)
    case .delete(let delete):
      return isRemembered(delete.remembered, delete.account)
        || delete.items.enumerated().contains { place, item in
          let slot = state.accounts[delete.account][item.kind].slot(item.id)
          return slot.map { $0.isDeleted && $0.at == delete.time(ofItem: place) } ?? false
        }
    case .answer(let account, let remembered): return isRemembered(remembered, account)
    }
  }
}
