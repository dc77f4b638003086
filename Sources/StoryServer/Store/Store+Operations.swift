import JSONText

extension Store {
  /// Performs one write for an account.
  ///
  /// On return the change is in the log. Call ``waitUntilStored()`` before acknowledging it.
  ///
  /// - Returns: The answer, and the records that were deleted.
  func perform(
    _ operation: RecordOperation, _ remembered: RememberedRequest?, of account: Int, now: Int64,
    rules: ServerAPI, newID: () -> RecordID
  ) throws(APIFailure) -> (answer: [UInt8], removed: [LogEntry.DeleteEntry.Item]) {
    let draft = try operation.data.map { (data) throws(APIFailure) in
      try RecordDraft(
        data, of: operation.kind, isPartial: operation.verb == .update, rules: rules)
    }
    return try change(account, now: now) { (changes) throws(APIFailure) in
      switch (operation.verb, operation.id, draft) {
      case (.create, _, let draft?):
        try changes.checkReferences(of: draft, current: nil)
        return (changes.create(draft, id: newID(), remembered: remembered), [])
      case (.update, let id?, let draft?):
        return (try changes.update(id, draft, operation.condition, remembered), [])
      case (.delete, let id?, _):
        return try changes.delete(operation.kind, id, operation.condition, remembered, rules)
      default:
        throw .badRequest("invalidOperation", "The operation lacks its id or its data.")
      }
    }
  }
}

extension Transaction {
  fileprivate mutating func update(
    _ id: RecordID, _ draft: RecordDraft, _ condition: EntityTag.Condition?,
    _ remembered: RememberedRequest?
  ) throws(APIFailure) -> [UInt8] {
    guard let current = try record(draft.kind, id) else { throw .noSuchRecord(draft.kind) }
    try check(condition, current)
    try checkReferences(of: draft, current: current)
    return change(draft.kind, id, current, draft.changes(to: current), remembered)
  }

  /// Deletes a record with everything that belongs to it: a hero's stories, and the illustrations
  /// of stories.
  fileprivate mutating func delete(
    _ kind: RecordKind, _ id: RecordID, _ condition: EntityTag.Condition?,
    _ remembered: RememberedRequest?, _ rules: ServerAPI
  ) throws(APIFailure) -> (answer: [UInt8], removed: [LogEntry.DeleteEntry.Item]) {
    guard state[kind].live(id) != nil else { throw .noSuchRecord(kind) }
    if let condition, condition != .any, let current = try record(kind, id) {
      try check(condition, current)
    }
    var items = [LogEntry.DeleteEntry.Item(kind: kind, id: id)]
    let stories =
      switch kind {
      case .heroes: state[.stories].ids(of: [id])
      case .stories: [id]
      case .customEvents, .illustrations: [RecordID]()
      }
    if kind == .heroes { items += stories.map { .init(kind: .stories, id: $0) } }
    items += state[.illustrations].ids(of: stories).map { .init(kind: .illustrations, id: $0) }
    let answer = JSONValue.object(["id": .string(id.text)]).compactBytes
    delete(items, remembered, answer: answer)
    if rules.clearsReferences, kind == .customEvents { clearReferences(to: id) }
    return (answer, items)
  }

  /// Removes the references to an event from stories that can be read. Their versions stay the same.
  private mutating func clearReferences(to event: RecordID) {
    let nothing = RecordDraft(.stories, [("customEventId", nil)]).values
    for slot in state[.stories].slots where !slot.isDeleted {
      guard let story = try? record(.stories, slot.id),
        let named = story["customEventId"]?.string, RecordID(named) == event,
        let version = story["updatedAt"]?.string,
        let changed = RecordText.changing(story.document, nothing, updatedAt: version)
      else { continue }
      put(.stories, slot.id, at: slot.at, owner: story["heroId"]?.string, nil, changed)
    }
  }

  private func check(
    _ condition: EntityTag.Condition?, _ current: JSONNode
  ) throws(APIFailure) {
    guard let condition, let version = current["updatedAt"]?.string else { return }
    if !condition.matches(version) { throw .preconditionFailed(current: current.document.bytes) }
  }

  /// Checks that every reference in the draft names an existing record.
  ///
  /// An unchanged reference may dangle, because its event may have been deleted.
  fileprivate func checkReferences(
    of draft: RecordDraft, current: JSONNode?
  ) throws(APIFailure) {
    for (field, value) in draft.values {
      guard case .reference(let kind) = field.type, let id = value.string else { continue }
      if let before = current?[field.name]?.string, RecordID(before) == RecordID(id) { continue }
      if state[kind].live(RecordID(id)) == nil {
        throw .validation([(field.name, "names no \(kind.noun)")])
      }
    }
  }
}
