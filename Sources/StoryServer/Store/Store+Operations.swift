import JSONText
import StoryLibrary

extension Store {
  /// Performs one write for an account.
  ///
  /// On return the change is in the log. Call ``waitUntilStored(_:)`` before acknowledging it.
  ///
  /// - Parameters:
  ///   - operation: The write.
  ///   - account: The account's number.
  ///   - now: The time in milliseconds of the server's clock.
  ///   - rules: The rules of the dialect for writes.
  ///   - makeID: Makes the id of a new record.
  func perform(
    _ operation: RecordOperation, of account: Int, now: Int64, rules: RecordRules,
    makeID: () -> String
  ) -> RecordOperation.Outcome {
    do throws(APIFailure) {
      let digests = operation.digests()
      let newID = operation.verb == .create ? makeID() : ""
      var draft: RecordDraft?
      var draftFailure: APIFailure?
      if let data = operation.data {
        do throws(APIFailure) {
          draft = try RecordDraft(
            data, of: operation.kind, isPartial: operation.verb == .update, rules: rules)
        } catch {
          draftFailure = error
        }
      }
      let done = try withState { (state) throws(APIFailure) -> RecordOperation.Outcome.Done in
        if let digests, let answer = try replay(digests, state, account, operation.verb) {
          return answer
        }
        if let draftFailure { throw draftFailure }
        let remembered = digests.map {
          RememberedRequest(
            key: $0.key, request: $0.request, status: operation.verb == .create ? 201 : 200,
            time: now)
        }
        switch (operation.verb, operation.id, draft) {
        case (.create, _, let draft?):
          return try create(draft, id: newID, now, remembered, account, &state)
        case (.update, let id?, let draft?):
          return try update(id, draft, operation.condition, now, remembered, account, &state)
        case (.delete, let id?, _):
          return try delete(
            operation.kind, id, operation.condition, now, remembered, rules, account, &state)
        default:
          throw .badRequest("invalidOperation", "The operation lacks its id or its data.")
        }
      }
      return .done(done)
    } catch {
      return .failed(error)
    }
  }

  /// Returns the answer already given for a key, or `nil`.
  private func replay(
    _ digests: (key: HalfDigest, request: HalfDigest), _ state: StoreState, _ account: Int,
    _ verb: RecordOperation.Verb
  ) throws(APIFailure) -> RecordOperation.Outcome.Done? {
    guard let entry = state[account].memory.entry(digests.key) else { return nil }
    guard entry.request == digests.request else { throw .keyReused }
    let data = try readForAnswer(entry.answer)
    return .init(
      status: entry.status, data: data,
      version: verb == .delete ? nil : EntityTag.version(of: data), isReplay: true)
  }

  private func create(
    _ draft: RecordDraft, id: String, _ now: Int64, _ remembered: RememberedRequest?,
    _ account: Int, _ state: inout StoreState
  ) throws(APIFailure) -> RecordOperation.Outcome.Done {
    try checkReferences(of: draft, current: nil, state[account])
    let at = state[account].nextTime(now: now)
    let record = draft.newRecord(id: id, at: at)
    let put = LogEntry.PutEntry(
      account: account, kind: draft.kind, id: RecordID(id), at: at,
      hero: draft.owner.map { RecordID($0) }, remembered: remembered)
    try appendForAnswer([(.put(put), record)], account, &state)
    return .init(status: 201, data: record, version: at.version)
  }

  private func update(
    _ id: RecordID, _ draft: RecordDraft, _ condition: EntityTag.Condition?, _ now: Int64,
    _ remembered: RememberedRequest?, _ account: Int, _ state: inout StoreState
  ) throws(APIFailure) -> RecordOperation.Outcome.Done {
    guard let slot = state[account][draft.kind].live(id) else {
      throw .noSuchRecord(draft.kind)
    }
    let current = try readForAnswer(slot.data)
    try check(condition, current)
    guard let document = try? JSONDocument(parsing: current) else { throw .storage }
    try checkReferences(of: draft, current: document.root, state[account])
    let at = state[account].nextTime(now: now, after: slot.at)
    let changed = draft.changing(document, at: at)
    // A write without changes keeps the version, but its key is still remembered.
    guard changed != nil || remembered != nil else {
      return .init(status: 200, data: current, version: EntityTag.version(of: current))
    }
    let record = changed ?? current
    let put = LogEntry.PutEntry(
      account: account, kind: draft.kind, id: id, at: changed == nil ? slot.at : at,
      hero: (draft.owner ?? draft.kind.ownerField.flatMap { document.root[$0]?.string })
        .map { RecordID($0) },
      remembered: remembered)
    try appendForAnswer([(.put(put), record)], account, &state)
    return .init(status: 200, data: record, version: EntityTag.version(of: record))
  }

  /// Deletes a record with everything that belongs to it: a hero's stories, and the illustrations
  /// of stories.
  private func delete(
    _ kind: RecordKind, _ id: RecordID, _ condition: EntityTag.Condition?, _ now: Int64,
    _ remembered: RememberedRequest?, _ rules: RecordRules, _ account: Int,
    _ state: inout StoreState
  ) throws(APIFailure) -> RecordOperation.Outcome.Done {
    guard let slot = state[account][kind].live(id) else { throw .noSuchRecord(kind) }
    if let condition, condition != .any { try check(condition, try readForAnswer(slot.data)) }
    var items = [LogEntry.DeleteEntry.Item(kind: kind, id: id)]
    let stories =
      switch kind {
      case .heroes: state[account][.stories].ids(of: [id])
      case .stories: [id]
      case .customEvents, .illustrations: [RecordID]()
      }
    if kind == .heroes { items += stories.map { .init(kind: .stories, id: $0) } }
    items += state[account][.illustrations].ids(of: stories).map {
      .init(kind: .illustrations, id: $0)
    }
    // The deletion must be at least a millisecond later than the last change of each item.
    let latest = items.compactMap { state[account][$0.kind].slot($0.id)?.at }.max() ?? slot.at
    let at = state[account].nextTime(now: now, after: latest)
    let delete = LogEntry.DeleteEntry(
      account: account, at: at, items: items, remembered: remembered)
    let answer = RecordWriter.deletion(id: id.text)
    var entries: [(entry: LogEntry, data: [UInt8])] = [(.delete(delete), answer)]
    if rules.clearsReferences, kind == .customEvents {
      entries += try storiesWithout(event: id, account, state)
    }
    try appendForAnswer(entries, account, &state)
    return .init(status: 200, data: answer, version: nil, removed: items)
  }

  /// Returns the stories that reference an event, without that reference. Their versions stay the
  /// same.
  private func storiesWithout(
    event: RecordID, _ account: Int, _ state: StoreState
  ) throws(APIFailure) -> [(entry: LogEntry, data: [UInt8])] {
    var entries: [(entry: LogEntry, data: [UInt8])] = []
    let nothing = [RecordKind.stories.value("customEventId", nil)].compactMap(\.self)
    for slot in state[account][.stories].slots where !slot.isDeleted {
      let record = try readForAnswer(slot.data)
      guard let document = try? JSONDocument(parsing: record),
        let named = document.root["customEventId"]?.string, RecordID(named) == event,
        let version = EntityTag.version(of: record),
        let changed = RecordWriter.changing(document, nothing, updatedAt: version)
      else { continue }
      let put = LogEntry.PutEntry(
        account: account, kind: .stories, id: slot.id, at: slot.at,
        hero: document.root["heroId"]?.string.map { RecordID($0) }, remembered: nil)
      entries.append((.put(put), changed))
    }
    return entries
  }

  private func check(
    _ condition: EntityTag.Condition?, _ current: [UInt8]
  ) throws(APIFailure) {
    guard let condition, let version = EntityTag.version(of: current) else { return }
    if !condition.matches(version) { throw .preconditionFailed(current: current) }
  }

  /// Checks that every reference in the draft names an existing record.
  ///
  /// An unchanged reference may dangle, because its event may have been deleted.
  private func checkReferences(
    of draft: RecordDraft, current: JSONNode?, _ account: Account
  ) throws(APIFailure) {
    for (field, value) in draft.values {
      guard case .reference(let kind) = field.type, let id = value.string else { continue }
      if let before = current?[field.name]?.string, RecordID(before) == RecordID(id) { continue }
      if account[kind].live(RecordID(id)) == nil {
        throw .validation([(field.name, "names no \(kind.noun)")])
      }
    }
  }

  private func appendForAnswer(
    _ entries: [(entry: LogEntry, data: [UInt8])], _ account: Int, _ state: inout StoreState
  ) throws(APIFailure) {
    do throws(StoryServerError) {
      try append(entries, to: &state, of: account)
    } catch {
      throw .storage
    }
  }

  private func readForAnswer(_ range: LogRange) throws(APIFailure) -> [UInt8] {
    do throws(StoryServerError) {
      return try file.read(range)
    } catch {
      throw .storage
    }
  }
}
