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
}
