import JSONText
import StoryLibrary

extension Store {
  /// Performs one write for an account.
  ///
  /// On return the change is in the log. Call ``waitUntilStored(_:)`` before acknowledging it.
  func perform(
    _ operation: RecordOperation, of account: Int, now: Int64, rules: ServerAPI,
    newID: () -> RecordID
  ) throws(APIFailure) -> RecordOperation.Outcome {
    let digests = operation.digests()
    let id = operation.verb == .create ? newID() : operation.id
    // A repeated request gets its answer again, even if the rules have changed since.
    let draft = operation.data.map { data in
      Result { () throws(APIFailure) in
        try RecordDraft(
          data, of: operation.kind, isPartial: operation.verb == .update, rules: rules)
      }
    }
    return try change(account, now: now) { (changes) throws(APIFailure) in
      if let digests, let answer = try changes.replay(digests, operation.verb) { return answer }
      let remembered = digests.map {
        RememberedRequest(
          key: $0.key, request: $0.request, status: operation.verb == .create ? 201 : 200,
          time: now)
      }
      switch (operation.verb, id, try draft?.get()) {
      case (.create, let id?, let draft?):
        try changes.checkReferences(of: draft, current: nil)
        let record = changes.create(draft, id: id, remembered: remembered)
        return .init(status: 201, data: record, version: EntityTag.version(of: record))
      case (.update, let id?, let draft?):
        return try changes.update(id, draft, operation.condition, remembered)
      case (.delete, let id?, _):
        return try changes.delete(operation.kind, id, operation.condition, remembered, rules)
      default:
        throw .badRequest("invalidOperation", "The operation lacks its id or its data.")
      }
    }
  }
}

extension Transaction {
  fileprivate func replay(
    _ digests: (key: HalfDigest, request: HalfDigest), _ verb: RecordOperation.Verb
  ) throws(APIFailure) -> RecordOperation.Outcome? {
    guard let entry = state.memory.entry(digests.key) else { return nil }
    guard entry.request == digests.request else { throw .keyReused }
    let data = try stored(try file.read(entry.answer))
    return .init(
      status: entry.status, data: data,
      version: verb == .delete ? nil : EntityTag.version(of: data), isReplay: true)
  }

  fileprivate mutating func update(
    _ id: RecordID, _ draft: RecordDraft, _ condition: EntityTag.Condition?,
    _ remembered: RememberedRequest?
  ) throws(APIFailure) -> RecordOperation.Outcome {
    guard let current = try record(draft.kind, id) else { throw .noSuchRecord(draft.kind) }
    try check(condition, current)
    try checkReferences(of: draft, current: current)
    let record = change(draft.kind, id, current, draft.changes(to: current), remembered)
    return .init(status: 200, data: record, version: EntityTag.version(of: record))
  }

  /// Deletes a record with everything that belongs to it: a hero's stories, and the illustrations
  /// of stories.
  fileprivate mutating func delete(
    _ kind: RecordKind, _ id: RecordID, _ condition: EntityTag.Condition?,
    _ remembered: RememberedRequest?, _ rules: ServerAPI
  ) throws(APIFailure) -> RecordOperation.Outcome {
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
    return .init(status: 200, data: answer, version: nil, removed: items)
  }

  /// Removes the references to an event from stories that can be read. Their versions stay the same.
  private mutating func clearReferences(to event: RecordID) {
    let nothing = [RecordKind.stories.value("customEventId", nil)].compactMap(\.self)
    for slot in state[.stories].slots where !slot.isDeleted {
      guard let story = try? record(.stories, slot.id),
        let named = story["customEventId"]?.string, RecordID(named) == event,
        let version = EntityTag.version(of: story.document.bytes),
        let changed = RecordText.changing(story.document, nothing, updatedAt: version)
      else { continue }
      put(.stories, slot.id, at: slot.at, owner: story["heroId"]?.string, nil, changed)
    }
  }

  private func check(
    _ condition: EntityTag.Condition?, _ current: JSONNode
  ) throws(APIFailure) {
    let bytes = current.document.bytes
    guard let condition, let version = EntityTag.version(of: bytes) else { return }
    if !condition.matches(version) { throw .preconditionFailed(current: bytes) }
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
