import JSONText

/// What records are sorted by where that is not their last change; read from the log once for each
/// version of a record.
final class SortKeys: Sendable {
  struct Key: Sendable {
    var createdAt: Timestamp
    var isFavorite: Bool
    var usageCount: Int

    init(_ record: [UInt8]) {
      let root = (try? JSONDocument(parsing: record))?.root
      createdAt =
        root?["createdAt"]?.string.flatMap { Timestamp($0) } ?? Timestamp(microseconds: 0)
      isFavorite = root?["isFavorite"]?.kind == .true
      usageCount = root?["usageCount"]?.number?.integer ?? 0
    }
  }

  /// By where the version stands in the log.
  private let known = Monitor<[Int: Key]>([:])

  /// The keys of records, in their order.
  func keys(
    of slots: [RecordCollection.Slot],
    _ read: (LogRange) throws(StoryServerError) -> [UInt8]
  ) throws(StoryServerError) -> [Key] {
    let known = known.withLock { $0 }
    var news: [Int: Key] = [:]
    var keys: [Key] = []
    for slot in slots {
      if let key = known[slot.data.offset] {
        keys.append(key)
      } else {
        let key = Key(try read(slot.data))
        news[slot.data.offset] = key
        keys.append(key)
      }
    }
    remember(news)
    return keys
  }

  private func remember(_ news: [Int: Key]) {
    guard !news.isEmpty else { return }
    self.known.withLock { known in
      // Versions that are no more are not told apart: now and then all are read again.
      if known.count > Self.limit { known = [:] }
      known.merge(news) { $1 }
    }
  }

  private static let limit = 200_000
}

extension Store {
  /// A page by offset in an order that is made for it.
  func sortedPage(
    _ query: ListQuery, of kind: RecordKind, account: Int
  ) throws(StoryServerError) -> RecordCollection.Page {
    let slots = withState { $0[account][kind].matches(query) }
    let keys = try sortKeys.keys(of: slots) { (range) throws(StoryServerError) in
      try file.read(range)
    }
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
}
