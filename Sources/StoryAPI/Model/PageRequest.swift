/// A request for a page of a list.
///
/// Paging uses ``cursor`` if the server supports it, otherwise ``offset``. Parameters that a server
/// does not support are omitted (see ``Dialect/takesUpdatedAfter(_:)`` and
/// ``Dialect/takesIncludeDeleted``).
public struct PageRequest: Sendable, Hashable {
  /// The maximum number of records in the page, from 1 to the server's ``ServerInfo/pageLimit``.
  public var limit: Int
  /// The ``RecordPage/next`` of the previous page, or `nil` for the first.
  public var cursor: String?
  /// The number of records to skip if there is no cursor.
  public var offset: Int
  /// Restricts the list to records changed at or after this time, in the server's format.
  public var updatedAfter: String?
  /// Whether to include deleted records as tombstones.
  public var includeDeleted: Bool
  /// Restricts the list to stories of this hero.
  public var heroID: String?
  /// The ``RecordPage/tag`` that a list had: if it still has it, no rows come
  /// (``RecordPage/isUnchanged``).
  public var knownTag: String?

  /// Creates a request.
  public init(
    limit: Int = 100, cursor: String? = nil, offset: Int = 0, updatedAfter: String? = nil,
    includeDeleted: Bool = false, heroID: String? = nil, knownTag: String? = nil
  ) {
    self.knownTag = knownTag
    self.limit = limit
    self.cursor = cursor
    self.offset = offset
    self.updatedAfter = updatedAfter
    self.includeDeleted = includeDeleted
    self.heroID = heroID
  }
}
