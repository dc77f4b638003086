import TestSupport
@testable import StoryServer

extension TestWorld {
  /// What a server had at some moment: records, tombstones, remembered keys and its clock.
  struct Backup: Sendable {
    fileprivate var state: StoreState
  }

  func backup() -> Backup { Backup(state: server.store.withState { $0 }) }

  /// Makes the server what it was, as somebody does who restores a backup.
  ///
  /// Sessions stay, so that nobody has to sign in for it.
  func restore(_ backup: Backup) {
    server.store.withState { state in
      let sessions = state.sessions
      state = backup.state
      state.sessions = sessions
    }
  }
}

extension TestWorld {
  /// Lets the server lose a record: it has neither it nor a tombstone any more.
  func lose(_ kind: RecordKind, _ id: String) throws {
    let account = Email(Self.account)
    let number = server.store.withState { state in
      account.flatMap { state.account($0) }?.number ?? 0
    }
    try server.store.withState { state in
      guard let slot = state[number][kind].live(RecordID(id)) else {
        throw Unexpected("no record \(id)")
      }
      var kept = RecordCollection()
      for other in state[number][kind].ordered where other.id != slot.id {
        if other.isDeleted {
          kept.delete(other.id, at: other.at)
        } else {
          kept.put(other.id, at: other.at, hero: nil, data: other.data)
        }
      }
      state[number][kind] = kept
    }
  }
}
