/// The in-memory view of an account's records of one kind: their positions in the log, and their
/// order by (`updatedAt`, `id`).
///
/// The order is an append-only array. A changed record gets a new row at the end; its old row
/// becomes a hole, recognizable because its time is no longer the record's. The array is compacted
/// when half of it is holes. The server's times never go back, so only rows of the same time need
/// sorting. Tombstones have rows too. A record takes about 200 bytes, whatever its size.
struct RecordCollection: Sendable {
  /// A record or tombstone, at an index that never changes.
  struct Slot: Sendable {
    let id: RecordID
    /// The time that orders the record. Its `updatedAt` text may have more digits.
    var at: Timestamp
    fileprivate var offset: Int
    fileprivate var length: UInt32
    fileprivate var heroNumber: UInt32
    var isDeleted: Bool

    /// The range of the record's JSON in the log.
    var data: LogRange { LogRange(offset: offset, length: Int(length)) }
  }

  private struct Row {
    var at: Timestamp
    /// The index of the slot.
    var slot: UInt32
  }

  private static let noHero = UInt32.max

  private(set) var slots: [Slot] = []
  private var slotOf: [RecordID: UInt32] = [:]
  private var rows: [Row] = []
  private var holes = 0
  private var heroNumbers: [RecordID: UInt32] = [:]
  /// The number of records, not counting tombstones.
  private(set) var liveCount = 0

  // MARK: Reading

  /// Returns the record or tombstone with an id.
  func slot(_ id: RecordID) -> Slot? { slotOf[id].map { slots[Int($0)] } }

  /// Returns the record with an id, or `nil` if it is unknown or deleted.
  func live(_ id: RecordID) -> Slot? {
    guard let slot = slot(id), !slot.isDeleted else { return nil }
    return slot
  }

  /// Returns the ids of the records that belong to any of `owners`, in no particular order.
  func ids(of owners: [RecordID]) -> [RecordID] {
    let numbers = Set(owners.compactMap { heroNumbers[$0] })
    guard !numbers.isEmpty else { return [] }
    return slots.lazy.filter { numbers.contains($0.heroNumber) && !$0.isDeleted }.map(\.id)
  }

  /// Returns the records that match a query's filters, in no particular order.
  func matches(_ query: ListQuery) -> [Slot] {
    let hero = query.heroID.map { heroNumbers[$0] }
    return slots.filter { slot in
      if slot.isDeleted { return false }
      if let hero, slot.heroNumber != hero { return false }
      guard let after = query.updatedAfter else { return true }
      return query.isAfterExclusive ? slot.at > after : slot.at >= after
    }
  }

  /// One page of a list.
  struct Page: Sendable {
    var slots: [Slot]
    /// The number of records on all pages.
    var total: Int
    var hasMore: Bool
  }

  /// Returns the page that a query asks for.
  ///
  /// - Parameter bytes: The maximum size of a page, in bytes. A page has at least one row.
  func page(_ query: ListQuery, bytes: Int) -> Page {
    var filter: UInt32?
    if let hero = query.heroID {
      guard let number = heroNumbers[hero] else { return Page(slots: [], total: 0, hasMore: false) }
      filter = number
    }
    let first = query.updatedAfter.map { firstRow(from: $0) } ?? 0
    var index = query.cursor.map { max(first, firstRow(after: $0.at, $0.id)) } ?? first
    var page = Page(slots: [], total: total(from: first, hero: filter), hasMore: false)
    var skip = query.offset ?? 0
    var size = 0
    while index < rows.count {
      defer { index += 1 }
      let slot = slots[Int(rows[index].slot)]
      if slot.at != rows[index].at { continue }
      if slot.isDeleted && !query.includesDeleted { continue }
      if let filter, slot.heroNumber != filter { continue }
      if skip > 0 {
        skip -= 1
        continue
      }
      size += Int(slot.length)
      if page.slots.count == query.limit || (size > bytes && !page.slots.isEmpty) {
        page.hasMore = true
        break
      }
      page.slots.append(slot)
    }
    return page
  }

  private func total(from first: Int, hero: UInt32?) -> Int {
    if first == 0, hero == nil { return liveCount }
    func isCounted(_ row: Row) -> Bool {
      let slot = slots[Int(row.slot)]
      return slot.at == row.at && !slot.isDeleted && (hero == nil || slot.heroNumber == hero)
    }
    if hero == nil, first < rows.count / 2 {
      return liveCount - rows[..<first].count(where: isCounted)
    }
    return rows[first...].count(where: isCounted)
  }

  /// All records and tombstones in order.
  var ordered: [Slot] {
    rows.lazy.filter { !isHole($0) }.map { slots[Int($0.slot)] }
  }

  // MARK: Changing

  /// Inserts or replaces a record at the position of its time.
  ///
  /// - Parameter at: The record's current time, or one later than every row's.
  mutating func put(_ id: RecordID, at: Timestamp, hero: RecordID?, data: LogRange) {
    guard let index = slotOf[id] else {
      insertRow(addSlot(id, at: at, hero: hero, data: data))
      return
    }
    let isMoved = slots[Int(index)].at != at
    if slots[Int(index)].isDeleted { liveCount += 1 }
    set(index, at: at, hero: hero, data: data)
    if isMoved { moveRow(index) }
  }

  /// Turns a record into a tombstone. `at` must be later than every row's time.
  mutating func delete(_ id: RecordID, at: Timestamp) {
    guard let index = slotOf[id] else { return }
    setDeleted(index, at: at)
    moveRow(index)
  }

  /// Like ``put(_:at:hero:data:)``, but leaves the order to ``sort()``.
  mutating func load(_ id: RecordID, at: Timestamp, hero: RecordID?, data: LogRange) {
    if let index = slotOf[id] {
      if slots[Int(index)].isDeleted { liveCount += 1 }
      set(index, at: at, hero: hero, data: data)
    } else {
      _ = addSlot(id, at: at, hero: hero, data: data)
    }
  }

  /// Like ``delete(_:at:)``, but leaves the order to ``sort()``. An unknown id becomes a tombstone
  /// as well, because compaction drops the `put` lines of deleted records.
  mutating func loadDeletion(_ id: RecordID, at: Timestamp) {
    let index = slotOf[id] ?? addSlot(id, at: at, hero: nil, data: LogRange(offset: 0, length: 0))
    setDeleted(index, at: at)
  }

  /// Rebuilds the order.
  mutating func sort() {
    let slots = slots
    rows = slots.indices.map { Row(at: slots[$0].at, slot: UInt32($0)) }
    rows.sort {
      $0.at != $1.at ? $0.at < $1.at : slots[Int($0.slot)].id < slots[Int($1.slot)].id
    }
    holes = 0
  }

  private mutating func addSlot(
    _ id: RecordID, at: Timestamp, hero: RecordID?, data: LogRange
  ) -> UInt32 {
    let index = UInt32(slots.count)
    slots.append(
      Slot(
        id: id, at: at, offset: data.offset, length: UInt32(data.length),
        heroNumber: number(ofHero: hero), isDeleted: false))
    slotOf[id] = index
    liveCount += 1
    return index
  }

  private mutating func set(_ index: UInt32, at: Timestamp, hero: RecordID?, data: LogRange) {
    let number = number(ofHero: hero)
    slots[Int(index)].isDeleted = false
    slots[Int(index)].at = at
    slots[Int(index)].offset = data.offset
    slots[Int(index)].length = UInt32(data.length)
    slots[Int(index)].heroNumber = number
  }

  private mutating func setDeleted(_ index: UInt32, at: Timestamp) {
    if !slots[Int(index)].isDeleted { liveCount -= 1 }
    slots[Int(index)].isDeleted = true
    slots[Int(index)].at = at
    slots[Int(index)].length = 0
    slots[Int(index)].heroNumber = Self.noHero
  }

  private mutating func number(ofHero hero: RecordID?) -> UInt32 {
    guard let hero else { return Self.noHero }
    if let number = heroNumbers[hero] { return number }
    let number = UInt32(heroNumbers.count)
    heroNumbers[hero] = number
    return number
  }

  // MARK: Order

  private func isHole(_ row: Row) -> Bool { slots[Int(row.slot)].at != row.at }

  private func precedes(_ row: Row, at: Timestamp, _ id: RecordID) -> Bool {
    row.at != at ? row.at < at : slots[Int(row.slot)].id < id
  }

  /// Returns the index of the first row for which `isBefore` is false. `rows` must be partitioned
  /// by it.
  private func firstRow(where isBefore: (Row) -> Bool) -> Int {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(rows[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the index of the first row at or after a time.
  private func firstRow(from at: Timestamp) -> Int { firstRow { $0.at < at } }

  /// Returns the index of the first row after a position in the order.
  private func firstRow(after at: Timestamp, _ id: RecordID) -> Int {
    firstRow { $0.at != at ? $0.at < at : !(id < slots[Int($0.slot)].id) }
  }

  private mutating func insertRow(_ index: UInt32) {
    let row = Row(at: slots[Int(index)].at, slot: index)
    let id = slots[Int(index)].id
    if let last = rows.last, !precedes(last, at: row.at, id) {
      rows.insert(row, at: firstRow { precedes($0, at: row.at, id) })
    } else {
      rows.append(row)
    }
  }

  /// Adds a row for a slot whose time has changed. The change has turned the old row into a hole.
  private mutating func moveRow(_ index: UInt32) {
    holes += 1
    if holes > 64, holes > rows.count / 2 {
      let slots = slots
      rows.removeAll { slots[Int($0.slot)].at != $0.at }
      holes = 0
    }
    insertRow(index)
  }
}
