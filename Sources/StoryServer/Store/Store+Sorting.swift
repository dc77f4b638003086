import JSONText

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

extension Store {
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
