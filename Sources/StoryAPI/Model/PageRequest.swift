/// Which page of a list is asked for.
///
/// Paging is by ``cursor`` where the server has that feature, else by ``offset``. What a server has
/// no parameter for is left out of the request (see ``Dialect/takesUpdatedAfter(_:)`` and
/// ``Dialect/takesIncludeDeleted``).
public struct PageRequest: Sendable, Hashable {
  /// The most records in the page, from 1 to 100.
  public var limit: Int
  /// ``RecordPage/next`` of the page before; `nil` for the first.
  public var cursor: String?
  /// How many records to skip where there is no cursor.
  public var offset: Int
  /// Only records changed then or later, as the server writes its dates.
  public var updatedAfter: String?
  /// Whether deleted records are told as tombstones.
  public var includeDeleted: Bool
  /// Only stories of this hero.
  public var heroID: String?

  /// A request from its parts.
  public init(
    limit: Int = 100, cursor: String? = nil, offset: Int = 0, updatedAfter: String? = nil,
    includeDeleted: Bool = false, heroID: String? = nil
  ) {
    self.limit = limit
    self.cursor = cursor
    self.offset = offset
    self.updatedAfter = updatedAfter
    self.includeDeleted = includeDeleted
    self.heroID = heroID
  }
}
