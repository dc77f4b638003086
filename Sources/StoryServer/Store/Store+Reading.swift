extension Store {
  /// A record of an account; `nil` where it is deleted, unknown or another account's.
  func record(
    _ kind: RecordKind, _ id: RecordID, of account: Int
  ) throws(StoryServerError) -> [UInt8]? {
    guard let slot = withState({ $0[account][kind].live(id) }) else { return nil }
    return try file.read(slot.data)
  }

  /// Whether a record is there and another account's.
  func isForeign(_ kind: RecordKind, _ id: RecordID, to account: Int) -> Bool {
    withState { state in
      state.accounts.contains { $0.number != account && $0[kind].live(id) != nil }
    }
  }

  /// One page of a list.
  struct Page: Sendable {
    var records: [[UInt8]]
    var total: Int
    /// How many records there are without the filters.
    var all: Int
    var hasMore: Bool
    /// The place behind the last row; `nil` on the last page.
    var next: Cursor?
  }

  /// How many bytes of records a page has at most (one record always fits): clients refuse answers
  /// over 64 MiB, and 100 records may be more.
  static let pageBytes = 16 << 20

  /// Lists an account's records in the order that is asked for.
  ///
  /// In the order of (`updatedAt`, `id`), whatever is written after this comes behind the rows that
  /// it shows.
  ///
  /// - Parameter show: gives a record the form that a client is shown.
  func page(
    _ query: ListQuery, of kind: RecordKind, account: Int, show: ([UInt8]) -> [UInt8] = { $0 }
  ) throws(StoryServerError) -> Page {
    // With an offset the client counts rows, and a page that is cut short would make it skip some.
    let bytes = query.offset == nil ? Self.pageBytes : Int.max
    let sorted = query.order == .updated ? nil : try sortedPage(query, of: kind, account: account)
    let (page, all) = withState { state in
      (sorted ?? state[account][kind].page(query, bytes: bytes), state[account][kind].liveCount)
    }
    var records: [[UInt8]] = []
    for slot in page.slots {
      records.append(
        slot.isDeleted
          ? RecordWriter.tombstone(id: slot.id.text, at: slot.at) : show(try file.read(slot.data)))
    }
    let last = page.hasMore ? page.slots.last : nil
    return Page(
      records: records, total: page.total, all: all,
      hasMore: page.hasMore,
      next: last.map { Cursor(at: $0.at, id: $0.id) })
  }
}
