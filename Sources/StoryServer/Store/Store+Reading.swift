import JSONText

extension Store {
  func text(of slot: RecordCollection.Slot) throws(StoryServerError) -> [UInt8] {
    guard slot.isDeleted else { return try file.read(slot.data) }
    let tombstone: JSONValue = [
      "id": .string(slot.id.text), "deleted": true, "updatedAt": .string(slot.at.version),
    ]
    return tombstone.compactBytes
  }

  /// Returns a record, or `nil` if it is deleted, unknown or belongs to another account.
  func record(
    _ kind: RecordKind, _ id: RecordID, of account: Int
  ) throws(StoryServerError) -> [UInt8]? {
    guard let slot = withState({ $0[account][kind].live(id) }) else { return nil }
    return try file.read(slot.data)
  }

  /// Returns whether a record exists and belongs to another account.
  func isForeign(_ kind: RecordKind, _ id: RecordID, to account: Int) -> Bool {
    withState { state in
      state.accounts.contains { $0.number != account && $0[kind].live(id) != nil }
    }
  }

  /// The maximum number of bytes of records on a page, unless a single record is larger. Clients
  /// refuse answers over 64 MiB, which 100 records could exceed.
  static let pageBytes = 16 << 20

  /// Returns a page of an account's records in the order that the query asks for, and the number of
  /// all of the kind.
  ///
  /// In the order of (`updatedAt`, `id`), later writes come after the rows of this page.
  func page(
    _ query: ListQuery, of kind: RecordKind, account: Int
  ) throws(StoryServerError) -> (page: RecordCollection.Page, all: Int) {
    // A client that pages by offset counts rows: a shortened page would make it skip some.
    let bytes = query.offset == nil ? Self.pageBytes : Int.max
    let sorted = query.order == .updated ? nil : try sortedPage(query, of: kind, account: account)
    return withState { state in
      (sorted ?? state[account][kind].page(query, bytes: bytes), state[account][kind].liveCount)
    }
  }

  /// Returns a page by offset, in the order that the query asks for.
  func sortedPage(
    _ query: ListQuery, of kind: RecordKind, account: Int
  ) throws(StoryServerError) -> RecordCollection.Page {
    let slots = withState { $0[account][kind].matches(query) }
    let keys = try keys(of: slots)
    let order = slots.indices.sorted { first, second in
      let (left, right) = (keys[first], keys[second])
      if query.order == .favourites {
        if left.isFavorite != right.isFavorite { return left.isFavorite }
        if left.usageCount != right.usageCount { return left.usageCount > right.usageCount }
      }
      if left.createdAt != right.createdAt { return left.createdAt > right.createdAt }
      return slots[first].id < slots[second].id
    }
    let rows = order.dropFirst(query.offset ?? 0).prefix(query.limit).map { slots[$0] }
    return RecordCollection.Page(
      slots: rows, total: slots.count,
      hasMore: (query.offset ?? 0) + rows.count < slots.count && !rows.isEmpty)
  }

  /// Returns sort keys from the cache, which reads each version of a record from the log once.
  private func keys(
    of slots: [RecordCollection.Slot]
  ) throws(StoryServerError) -> [SortKey] {
    let known = sortKeys.withLock { $0 }
    var added: [Int: SortKey] = [:]
    let keys = try slots.map { (slot) throws(StoryServerError) in
      if let key = known[slot.data.lowerBound] { return key }
      let key = SortKey(try file.read(slot.data))
      added[slot.data.lowerBound] = key
      return key
    }
    if added.isEmpty { return keys }
    sortKeys.withLock { known in
      // Outdated versions cannot be told from current ones, so a full cache starts over.
      if known.count > 200_000 { known = [:] }
      known.merge(added) { $1 }
    }
    return keys
  }
}

/// What orders other than the last change sort by.
struct SortKey: Sendable {
  var createdAt: Timestamp
  var isFavorite: Bool
  var usageCount: Int

  init(_ record: [UInt8]) {
    let root = (try? JSONDocument(parsing: record))?.root
    createdAt = root?["createdAt"]?.string.flatMap { Timestamp($0) } ?? Timestamp(microseconds: 0)
    isFavorite = root?["isFavorite"]?.kind == .true
    usageCount = root?["usageCount"]?.number?.integer ?? 0
  }
}
