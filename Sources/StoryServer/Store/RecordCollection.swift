/// The in-memory view of an account's records of one kind: their positions in the log, and their
/// order by (`updatedAt`, `id`), which a list computes if there was a change since the last one.
struct RecordCollection: Sendable {
  struct Slot: Sendable {
    let id: RecordID
    /// The time that orders the record. Its `updatedAt` text may have more digits.
    var at: Timestamp
    /// The range of the record's JSON in the log.
    var data = 0..<0
    var owner: RecordID?
    var isDeleted = false
  }

  private(set) var slots: [Slot] = []
  private var indices: [RecordID: Int] = [:]
  /// The slots' indices in order, or `nil` after a change.
  private var order: [Int]?
  /// The number of records, not counting tombstones.
  private(set) var liveCount = 0

  // MARK: Reading

  func slot(_ id: RecordID) -> Slot? { indices[id].map { slots[$0] } }

  /// Returns the record with an id, or `nil` if it is unknown or deleted.
  func live(_ id: RecordID) -> Slot? {
    guard let slot = slot(id), !slot.isDeleted else { return nil }
    return slot
  }

  /// Returns the ids of the records that belong to any of `owners`, in no particular order.
  func ids(of owners: [RecordID]) -> [RecordID] {
    let owners = Set(owners)
    return slots.lazy.filter { $0.owner.map(owners.contains) ?? false }.map(\.id)
  }

  /// Returns the records that match a query's filters, in no particular order.
  func matches(_ query: ListQuery) -> [Slot] {
    slots.filter { slot in
      if slot.isDeleted { return false }
      if let hero = query.heroID, slot.owner != hero { return false }
      guard let after = query.updatedAfter else { return true }
      return query.isAfterExclusive ? slot.at > after : slot.at >= after
    }
  }

  struct Page: Sendable {
    var slots: [Slot]
    /// The number of records on all pages.
    var total: Int
    var hasMore: Bool

    /// The position after the last row, or `nil` on the last page.
    var next: Cursor? { hasMore ? slots.last.map { Cursor(at: $0.at, id: $0.id) } : nil }
  }

  /// Returns the page that a query asks for.
  ///
  /// - Parameter bytes: The maximum size of a page, in bytes. A page has at least one row.
  mutating func page(_ query: ListQuery, bytes: Int) -> Page {
    let order = order ?? sorted()
    self.order = order
    func isListed(_ slot: Slot) -> Bool { query.heroID == nil || slot.owner == query.heroID }
    let first = query.updatedAfter.map { after in Self.count(order) { slots[$0].at < after } } ?? 0
    let start = query.cursor.map { cursor in
      Self.count(order) { (slots[$0].at, slots[$0].id) <= (cursor.at, cursor.id) }
    }
    let total =
      first == 0 && query.heroID == nil
      ? liveCount : order[first...].count { !slots[$0].isDeleted && isListed(slots[$0]) }
    var page = Page(slots: [], total: total, hasMore: false)
    var skip = query.offset ?? 0
    var size = 0
    for index in order[max(first, start ?? 0)...] {
      let slot = slots[index]
      if slot.isDeleted && !query.includesDeleted || !isListed(slot) { continue }
      if skip > 0 {
        skip -= 1
        continue
      }
      size += slot.data.count
      if page.slots.count == query.limit || (size > bytes && !page.slots.isEmpty) {
        page.hasMore = true
        break
      }
      page.slots.append(slot)
    }
    return page
  }

  var ordered: [Slot] { (order ?? sorted()).map { slots[$0] } }

  private func sorted() -> [Int] {
    slots.indices.sorted { (slots[$0].at, slots[$0].id) < (slots[$1].at, slots[$1].id) }
  }

  /// Returns the number of elements that come before all others because `isBefore` holds for them.
  private static func count(_ order: [Int], isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(order[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Changing

  mutating func put(_ id: RecordID, at: Timestamp, hero: RecordID?, data: Range<Int>) {
    set(Slot(id: id, at: at, data: data, owner: hero))
  }

  /// Turns a record into a tombstone. An unknown id becomes one as well, because compaction drops
  /// the `put` lines of deleted records.
  mutating func delete(_ id: RecordID, at: Timestamp) {
    set(Slot(id: id, at: at, isDeleted: true))
  }

  /// Returns the records with the given ids, without tombstones.
  func keeping(_ ids: Set<RecordID>) -> RecordCollection {
    var kept = RecordCollection()
    for slot in slots where !slot.isDeleted && ids.contains(slot.id) { kept.set(slot) }
    return kept
  }

  private mutating func set(_ slot: Slot) {
    if let index = indices[slot.id] {
      if !slots[index].isDeleted { liveCount -= 1 }
      if slots[index].at != slot.at { order = nil }
      slots[index] = slot
    } else {
      indices[slot.id] = slots.count
      slots.append(slot)
      order = nil
    }
    if !slot.isDeleted { liveCount += 1 }
  }
}
