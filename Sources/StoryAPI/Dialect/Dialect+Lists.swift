import JSONText
public import StoryLibrary

extension Dialect {
  /// Whether a list of this kind can be asked for what changed since a date.
  public func takesUpdatedAfter(_ kind: EntityKind) -> Bool {
    switch self {
    case .v0, .kinto: true
    case .v1: kind != .events
    }
  }

  /// Whether a list can be asked for deleted records.
  public var takesIncludeDeleted: Bool { self != .v1 }

  /// Whether a list that was read to its end shows every change with an older version than its newest.
  ///
  /// Kinto's does not: the records of a transaction have the version of when they were written and are
  /// seen when it ends, while another node's later write is seen already.
  public var showsChangesInOrder: Bool { self == .v0 }

  /// Whether the total of a list is no part of its pages.
  var tellsTotalsApart: Bool { self == .kinto }

  /// Whether what holds the records has to be made before the first of them.
  public var makesCollections: Bool { self == .kinto }

  func query(for page: PageRequest, of kind: EntityKind) -> [Endpoint.QueryItem] {
    if self == .kinto { return kintoQuery(for: page, of: kind) }
    var query = [Endpoint.QueryItem("limit", String(page.limit))]
    if let cursor = page.cursor {
      query.append(.init("cursor", cursor))
    } else if page.offset > 0 {
      query.append(.init("offset", String(page.offset)))
    }
    if let date = page.updatedAfter, takesUpdatedAfter(kind) {
      query.append(.init("updatedAfter", date))
    }
    if page.includeDeleted, takesIncludeDeleted { query.append(.init("includeDeleted", "true")) }
    if let hero = page.heroID, kind == .stories { query.append(.init("heroId", hero)) }
    return query
  }

  /// `_since` gives what is newer, and with it tombstones (Kinto's HTTP API, "Filtering").
  private func kintoQuery(for page: PageRequest, of kind: EntityKind) -> [Endpoint.QueryItem] {
    var query: [Endpoint.QueryItem] = [
      .init("_sort", "last_modified"), .init("_limit", String(page.limit)),
    ]
    let since = page.updatedAfter.flatMap(KintoForm.milliseconds)
    if since != nil || page.includeDeleted { query.append(.init("_since", "\"\(since ?? 0)\"")) }
    if let hero = page.heroID, kind == .stories { query.append(.init("heroId", hero)) }
    if let cursor = page.cursor { query.append(.init("_token", cursor)) }
    return query
  }

  /// Decodes the envelope of a page.
  ///
  /// - Throws: `APIError.decoding` where it is wrong or the page leads nowhere.
  func page(
    _ kind: EntityKind, _ request: PageRequest, of response: Answer
  ) throws(APIError) -> UnreadPage {
    if self == .kinto { return try kintoPage(kind, request, of: response) }
    let answer = response.place
    let (list, pagination) =
      switch self {
      case .v0, .kinto: (answer["data"], answer["pagination"])
      case .v1: (answer["data"][kind.schema.listKey], answer["data"]["pagination"])
      }
    let items = try list.elements()
    let total = try pagination["total"].count()
    let next = try pagination["next"].optionalString()
    let hasMore =
      pagination["hasMore"].isAbsent
      ? next != nil || request.offset + items.count < total
      : try pagination["hasMore"].bool()
    guard !hasMore || (next != nil ? next != request.cursor : !items.isEmpty) else {
      throw pagination.failure("a page that leads to no other, though there should be more")
    }
    let page = RecordPage(
      records: [], total: total, all: try pagination["all"].optionalCount(), next: next,
      hasMore: hasMore, date: response.date?.wire)
    return UnreadPage(items, of: kind, self, page: page)
  }

  private func kintoPage(
    _ kind: EntityKind, _ request: PageRequest, of response: Answer
  ) throws(APIError) -> UnreadPage {
    var page = RecordPage(records: [], date: response.date?.wire)
    page.tag = response.headers["ETag"]
    page.revision = page.tag.flatMap(KintoForm.revision(tag:))
    page.isUnchanged = response.status == 304
    if page.isUnchanged { return UnreadPage([], of: kind, self, page: page) }
    let items = try response.place["data"].elements()
    if let next = response.headers["Next-Page"] {
      page.hasMore = true
      page.next = KintoForm.token(nextPage: next)
      guard page.next != nil, page.next != request.cursor else {
        throw response.place.failure("a page that leads to no other, though there should be more")
      }
    }
    return UnreadPage(items, of: kind, self, page: page)
  }

  /// The version of a tombstone.
  private func revision(of item: AnswerPlace) throws(APIError) -> String {
    guard self == .kinto else { return try item["updatedAt"].date().text }
    guard let revision = KintoForm.revision(item["last_modified"].value) else {
      throw item["last_modified"].failure(expected: "a time in milliseconds")
    }
    return revision
  }

  /// Reads a row of a page.
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
      let problem =
        if case .decoding(let what, let place) = error { "\(place): \(what)" } else {
          "\(error)"
        }
      page.malformed.append(MalformedRecord(id: id, problem: ServerText.shown(problem)))
    }
  }
}
