public import StoryLibrary

/// A page of a list.
public struct RecordPage: Sendable, Hashable {
  /// The records, in the server's order.
  public var records: [RemoteRecord]
  /// The deleted records.
  public var tombstones: [Tombstone]
  /// The number of records on all pages that match the filters, without tombstones, or `nil` if the server
  /// does not say.
  public var total: Int?
  /// The number of records without the filters, or `nil` if the server does not say.
  public var all: Int?
  /// The cursor of the next page, or `nil` on the last page and without cursor support.
  public var next: String?
  /// Whether there is another page.
  public var hasMore: Bool
  /// The server's time as `yyyy-MM-dd'T'HH:mm:ss.SSS'Z'`, or `nil` without a valid `Date`.
  public var date: String?
  /// The invalid records in the list, which do not affect the others.
  public var malformed: [MalformedRecord]
  /// The version of the list as a whole, not older than that of any record that ever was in it; `nil` if
  /// the server does not say.
  public var revision: String?
  /// The tag of the list as a whole, for ``PageRequest/knownTag``; `nil` if the server gives none.
  public var tag: String?
  /// Whether the server says that nothing changed since ``PageRequest/knownTag``; there are no rows then.
  public var isUnchanged = false

  /// Creates a page.
  public init(
    records: [RemoteRecord], tombstones: [Tombstone] = [], total: Int? = nil, all: Int? = nil,
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
  /// The former id.
  public let id: String
  /// The revision of the delete, verbatim.
  public let updatedAt: String

  /// Creates a tombstone.
  public init(id: String, updatedAt: String) {
    self.id = id
    self.updatedAt = updatedAt
  }
}

/// An element of a list that is not a valid record.
public struct MalformedRecord: Sendable, Hashable {
  /// The id, if it can be read.
  public let id: String?
  /// The problem with it.
  public let error: APIError

  /// Creates a malformed record.
  public init(id: String?, error: APIError) {
    self.id = id
    self.error = error
  }
}
