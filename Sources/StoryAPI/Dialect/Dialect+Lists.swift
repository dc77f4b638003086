import JSONText
public import StoryLibrary

extension Dialect {
  /// Whether a list of this kind can be asked for what changed since a date.
  public func takesUpdatedAfter(_ kind: EntityKind) -> Bool {
    switch self {
    case .v0: true
    case .v1: kind != .events
    }
  }

  /// Whether a list can be asked for deleted records.
  public var takesIncludeDeleted: Bool { self == .v0 }

  func query(for page: PageRequest, of kind: EntityKind) -> [Endpoint.QueryItem] {
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

  /// Decodes the envelope of a page.
  ///
  /// - Throws: `APIError.decoding` where it is wrong or the page leads nowhere.
  func page(
    _ kind: EntityKind, _ request: PageRequest, at answer: AnswerPlace, date: ServerDate?
  ) throws(APIError) -> UnreadPage {
    let (list, pagination) =
      switch self {
      case .v0: (answer["data"], answer["pagination"])
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
      hasMore: hasMore, date: date?.wire)
    return UnreadPage(items, of: kind, self, page: page)
  }

  /// Reads a row of a page.
  func read(_ item: AnswerPlace, _ kind: EntityKind, into page: inout RecordPage) {
    let id = item.value?["id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    do throws(APIError) {
      if item.value?["deleted"]?.bool == true {
        let date = try item["updatedAt"].date()
        page.tombstones.append(
          Tombstone(id: try item["id"].nonEmptyString(), updatedAt: date.text))
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
