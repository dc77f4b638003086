public import StoryLibrary

/// One page of a list.
public struct RecordPage: Sendable, Hashable {
  /// The records, in the server's order.
  public var records: [RemoteRecord]
  /// Records that were deleted.
  public var tombstones: [Tombstone]
  /// How many records the filters let through on all pages, without tombstones.
  public var total: Int
  /// How many records there are without the filters; `nil` if the server does not say.
  public var all: Int?
  /// The cursor of the next page; `nil` on the last one and where the server does not page so.
  public var next: String?
  /// Whether there is another page.
  public var hasMore: Bool
  /// The server's clock when it answered, as `yyyy-MM-dd'T'HH:mm:ss.SSS'Z'`; `nil` where the answer
  /// has no `Date` that can be read.
  public var date: String?
  /// What stood in the list and is no record; the others are not affected.
  public var malformed: [MalformedRecord]

  /// A page from its parts.
  public init(
    records: [RemoteRecord], tombstones: [Tombstone] = [], total: Int, all: Int? = nil,
    next: String? = nil, hasMore: Bool = false, date: String? = nil,
    malformed: [MalformedRecord] = []
  ) {
    self.records = records
    self.tombstones = tombstones
    self.total = total
    self.all = all
    self.next = next
    self.hasMore = hasMore
    self.date = date
    self.malformed = malformed
  }
}

/// A record that was deleted on the server.
public struct Tombstone: Sendable, Hashable {
  /// The id that it had.
  public let id: String
  /// The version that the deletion made, verbatim.
  public let updatedAt: String

  /// A tombstone from its parts.
  public init(id: String, updatedAt: String) {
    self.id = id
    self.updatedAt = updatedAt
  }
}

/// Something in a list that is not a record as the contract has it.
public struct MalformedRecord: Sendable, Hashable {
  /// Its id, where that much can be read.
  public let id: String?
  /// What is wrong with it, escaped and bounded: `age: a string instead of a whole number`.
  public let problem: String

  /// A malformed record from its parts.
  public init(id: String?, problem: String) {
    self.id = id
    self.problem = problem
  }
}
