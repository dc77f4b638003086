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

  struct Page: Sendable {
    var records: [[UInt8]]
    var total: Int
    var all: Int
    var hasMore: Bool
    /// The position after the last row, or `nil` on the last page.
    var next: Cursor?
  }

  /// The maximum number of bytes of records on a page, unless a single record is larger. Clients
  /// refuse answers over 64 MiB, which 100 records could exceed.
  static let pageBytes = 16 << 20

  /// Returns a page of an account's records in the order that the query asks for.
  ///
  /// In the order of (`updatedAt`, `id`), later writes come after the rows of this page.
  ///
  /// - Parameter show: Converts a record to the form that the client sees.
  func page(
    _ query: ListQuery, of kind: RecordKind, account: Int, show: ([UInt8]) -> [UInt8] = { $0 }
  ) throws(StoryServerError) -> Page {
    // A client that pages by offset counts rows: a shortened page would make it skip some.
    let bytes = query.offset == nil ? Self.pageBytes : Int.max
    let sorted = query.order == .updated ? nil : try sortedPage(query, of: kind, account: account)
    let (page, all) = withState { state in
      (sorted ?? state[account][kind].page(query, bytes: bytes), state[account][kind].liveCount)
    }
    var records: [[UInt8]] = []
    for slot in page.slots {
      let record = try text(of: slot)
      records.append(slot.isDeleted ? record : show(record))
    }
    let last = page.hasMore ? page.slots.last : nil
    return Page(
      records: records, total: page.total, all: all,
      hasMore: page.hasMore,
      next: last.map { Cursor(at: $0.at, id: $0.id) })
  }
}
