import JSONText
public import StoryLibrary

extension Dialect {
  /// Returns whether a list of a kind can be limited to changes since a date.
  ///
  /// - Parameter kind: The kind of records.
  public func takesUpdatedAfter(_ kind: EntityKind) -> Bool { self != .v1 || kind != .events }

  /// Whether a list can include deleted records.
  public var takesIncludeDeleted: Bool { self != .v1 }

  /// Whether a complete list contains every change that is older than its newest one.
  ///
  /// Kinto's lists do not: the records of a transaction are stamped when they are written and
  /// appear when it ends, and another node's later write may already be visible before that.
  public var showsChangesInOrder: Bool { self == .v0 }

  /// Whether the total of a list is not part of its pages.
  var tellsTotalsApart: Bool { self == .kinto }

  /// Whether collections must be created before their first record.
  public var makesCollections: Bool { self == .kinto }

  func query(for page: PageRequest, of kind: EntityKind) -> [(name: String, value: String)] {
    if self == .kinto { return kintoQuery(for: page, of: kind) }
    var query = [(name: "limit", value: String(page.limit))]
    if let cursor = page.cursor {
      query.append(("cursor", cursor))
    } else if page.offset > 0 {
      query.append(("offset", String(page.offset)))
    }
    if let date = page.updatedAfter, takesUpdatedAfter(kind) {
      query.append(("updatedAfter", date))
    }
    if page.includeDeleted, takesIncludeDeleted { query.append(("includeDeleted", "true")) }
    if let hero = page.heroID, kind == .stories { query.append(("heroId", hero)) }
    return query
  }

  /// Lists what is newer than `_since`, including tombstones (Kinto's HTTP API, "Filtering").
  private func kintoQuery(
    for page: PageRequest, of kind: EntityKind
  ) -> [(name: String, value: String)] {
    var query = [
      (name: "_sort", value: "last_modified"), (name: "_limit", value: String(page.limit)),
    ]
    let since = page.updatedAfter.flatMap(KintoForm.milliseconds)
    if since != nil || page.includeDeleted { query.append(("_since", "\"\(since ?? 0)\"")) }
    if let hero = page.heroID, kind == .stories { query.append(("heroId", hero)) }
    if let cursor = page.cursor { query.append(("_token", cursor)) }
    return query
  }

  /// Decodes the envelope of a page.
  ///
  /// - Throws: `APIError.decoding` if it is malformed, or if there should be more but no next page.
  func page(
    _ kind: EntityKind, _ request: PageRequest, of response: Answer
  ) throws(APIError) -> UnreadPage {
    if self == .kinto { return try kintoPage(kind, request, of: response) }
    let answer = response.place
    let (list, pagination) =
      self == .v1
      ? (answer["data"][kind.schema.listKey], answer["data"]["pagination"])
      : (answer["data"], answer["pagination"])
    let items = try list.elements()
    let total = try pagination["total"].count()
    let next = try pagination["next"].optionalString()
    let hasMore =
      pagination["hasMore"].isAbsent
      ? next != nil || request.offset + items.count < total
      : try pagination["hasMore"].bool()
    guard !hasMore || (next != nil ? next != request.cursor : !items.isEmpty) else {
      throw pagination.failure(.noNextPage)
    }
    let page = RecordPage(
      records: [], total: total, all: try pagination["all"].optionalCount(), next: next,
      hasMore: hasMore, date: response.date?.wire)
    return UnreadPage(items: items, kind: kind, dialect: self, page: page)
  }

  private func kintoPage(
    _ kind: EntityKind, _ request: PageRequest, of response: Answer
  ) throws(APIError) -> UnreadPage {
    var page = RecordPage(records: [], date: response.date?.wire)
    page.tag = response.headers["ETag"]
    page.revision = page.tag.flatMap(KintoForm.revision(tag:))
    page.isUnchanged = response.status == 304
    if page.isUnchanged {
      return UnreadPage(items: [], kind: kind, dialect: self, page: page)
    }
    let items = try response.place["data"].elements()
    if let next = response.headers["Next-Page"] {
      page.hasMore = true
      page.next = KintoForm.token(nextPage: next)
      guard page.next != nil, page.next != request.cursor else {
        throw response.place.failure(.noNextPage)
      }
    }
    return UnreadPage(items: items, kind: kind, dialect: self, page: page)
  }

  private func revision(of item: AnswerPlace) throws(APIError) -> String {
    guard self == .kinto else { return try item["updatedAt"].date().text }
    guard let revision = KintoForm.revision(item["last_modified"].value) else {
      throw item["last_modified"].failure(expected: .milliseconds)
    }
    return revision
  }

  func read(_ item: AnswerPlace, _ kind: EntityKind, into page: inout RecordPage) {
    let id = item.value?["id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    do throws(APIError) {
      if item.value?["deleted"]?.bool == true {
        page.tombstones.append(
          Tombstone(id: try item["id"].nonEmptyString(), updatedAt: try revision(of: item)))
      } else {
        page.records.append(try record(kind, at: item))
      }
    } catch {
      page.malformed.append(MalformedRecord(id: id, error: error))
    }
  }
}
