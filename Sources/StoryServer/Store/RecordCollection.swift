/// What is in memory of an account's records of one kind: where each one stands in the log, and
/// their order by (`updatedAt`, `id`).
///
/// The order is an array that is appended to: a changed record gets a new row at the end, and its
/// old row is a hole because the record's time is no longer the row's. The array is packed when
/// half of it is holes. The server gives times that never go back, so that only rows of the same
/// millisecond have to be put in order among themselves. Tombstones keep their row. A record costs
/// about 200 bytes here, whatever its size.
struct RecordCollection: Sendable {
  /// A record or tombstone, at a place that it keeps.
  struct Slot: Sendable {
    let id: RecordID
    /// The order instant; the text that the record shows may have more digits.
    var at: Timestamp
    fileprivate var offset: Int
    fileprivate var length: UInt32
    fileprivate var heroNumber: UInt32
    var isDeleted: Bool

    /// Where the record's JSON stands in the log.
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
  /// How many records there are, tombstones not counted.
  private(set) var liveCount = 0

  // MARK: Reading

  /// The record or tombstone with an id.
  func slot(_ id: RecordID) -> Slot? { slotOf[id].map { slots[Int($0)] } }

  /// The record with an id; `nil` where it is deleted.
  func live(_ id: RecordID) -> Slot? {
    guard let slot = slot(id), !slot.isDeleted else { return nil }
    return slot
  }

  /// The ids of the records that go with one of these, in no particular order.
  func ids(of owners: [RecordID]) -> [RecordID] {
    let numbers = Set(owners.compactMap { heroNumbers[$0] })
    guard !numbers.isEmpty else { return [] }
    return slots.lazy.filter { numbers.contains($0.heroNumber) && !$0.isDeleted }.map(\.id)
  }

  /// The records that a query's filters let through, in no particular order.
  func matches(_ query: ListQuery) -> [Slot] {
    let hero = query.heroID.map { heroNumbers[$0] }
    return slots.filter { slot in
      if slot.isDeleted { return false }
      if let hero, slot.heroNumber != hero { return false }
      guard let after = query.updatedAfter else { return true }
      return query.isAfterExclusive ? slot.at > after : slot.at >= after
    }
  }

  /// One page of the order.
  struct Page: Sendable {
    var slots: [Slot]
    /// How many records the filters let through on all pages.
    var total: Int
    var hasMore: Bool
  }

  /// The rows that a query asks for.
  ///
  /// - Parameter bytes: how many bytes a page may have; it has one row at least.
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

  /// All records and tombstones in their order.
  var ordered: [Slot] {
    rows.lazy.filter { !isHole($0) }.map { slots[Int($0.slot)] }
  }

  // MARK: Changing

  /// Puts a record at the place that its time gives it, new or in place of what it was.
  ///
  /// `at` is the time that it had, or a later one than every row's.
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

  /// Turns a record into a tombstone, at a later time than every row's.
  mutating func delete(_ id: RecordID, at: Timestamp) {
    guard let index = slotOf[id] else { return }
    setDeleted(index, at: at)
    moveRow(index)
  }

  /// As ``put(_:at:hero:data:)``, leaving the order to ``sort()``.
  mutating func load(_ id: RecordID, at: Timestamp, hero: RecordID?, data: LogRange) {
    if let index = slotOf[id] {
      if slots[Int(index)].isDeleted { liveCount += 1 }
      set(index, at: at, hero: hero, data: data)
    } else {
      _ = addSlot(id, at: at, hero: hero, data: data)
    }
  }

  /// As ``delete(_:at:)``, leaving the order to ``sort()``; an unknown id becomes a tombstone too,
  /// since compaction drops the lines of what was deleted later.
  mutating func loadDeletion(_ id: RecordID, at: Timestamp) {
    let index = slotOf[id] ?? addSlot(id, at: at, hero: nil, data: LogRange(offset: 0, length: 0))
    setDeleted(index, at: at)
  }

  /// Builds the order anew.
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

  /// The first row that is not before a place; `rows` is divided by `isBefore`.
  private func firstRow(where isBefore: (Row) -> Bool) -> Int {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(rows[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The first row at or after a moment.
  private func firstRow(from at: Timestamp) -> Int { firstRow { $0.at < at } }

  /// The first row behind a place in the order.
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

  /// Adds the row of a slot whose time has changed; its old row has become a hole by that.
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
