import StoryAPI
import StoryLibrary

/// Asks a server for what it has, page by page, and keeps what is news.
struct RemoteLister {
  /// A list that cannot be trusted.
  enum Failure: Error, Sendable, Equatable {
    /// The pages did not add up to the number that the server told, three times in a row.
    case incomplete(EntityKind)
    /// A full page brought nothing new: the server would go on for ever.
    case endless(EntityKind)
  }

  let client: APIClient
  let spool: Spool
  let info: ServerInfo
  /// The versions in the sidecars by id, for each kind: what is no news.
  let known: [EntityKind: [String: String]]
  /// Says how far the listing is.
  var progress: @Sendable (_ kind: EntityKind, _ seen: Int, _ total: Int) -> Void = { _, _, _ in }

  /// How often a list that does not add up is read.
  static let attempts = 3

  /// Lists every kind.
  ///
  /// - Throws: `APIError`, `Failure`, `FileError` where the spool cannot be written.
  func list(into state: inout RemoteState) async throws -> ServerDate? {
    var date: ServerDate?
    for kind in EntityKind.writable {
      let found = try await list(kind, state: &state)
      date = date ?? found
    }
    return date
  }

  private func list(_ kind: EntityKind, state: inout RemoteState) async throws -> ServerDate? {
    for _ in 1...Self.attempts {
      var pages = Pages(kind: kind)
      var found = RemoteState.Kind()
      try await readPages(&pages, &found)
      // In the order of a cursor every change comes up, and tombstones tell what went.
      let tellsAll = info.features.isSuperset(of: [.cursor, .tombstones])
      guard pages.isComplete || tellsAll else { continue }
      if pages.isComplete { try await confirmMissing(pages, &found) }
      state.kinds[kind] = found
      return pages.date
    }
    throw Failure.incomplete(kind)
  }

  /// What the pages of one list add up to.
  private struct Pages {
    let kind: EntityKind
    var seen: Set<String> = []
    /// How many records came that cannot even be named.
    var unnamed = 0
    var totals: Set<Int> = []
    var date: ServerDate?

    init(kind: EntityKind) { self.kind = kind }

    /// How many different records came.
    var count: Int { seen.count + unnamed }

    /// All pages told one total, and that many records came.
    var isComplete: Bool { totals.count <= 1 && count == totals.first ?? 0 }
  }

  private func readPages(
    _ pages: inout Pages, _ found: inout RemoteState.Kind
  ) async throws {
    let usesCursor = info.features.contains(.cursor)
    var request = PageRequest(
      limit: info.pageLimit, includeDeleted: info.features.contains(.tombstones))
    while true {
      let page = try await client.page(of: pages.kind, request)
      let before = pages.count + found.deleted.count
      try take(page, &pages, &found)
      progress(pages.kind, pages.seen.count, page.total)
      let isLast = usesCursor ? page.next == nil : !page.hasMore
      if isLast { return }
      let rows = page.records.count + page.tombstones.count + page.malformed.count
      let isStuck = usesCursor ? page.next == request.cursor : rows == 0
      guard !isStuck, pages.count + found.deleted.count > before || usesCursor else {
        throw Failure.endless(pages.kind)
      }
      if usesCursor {
        request.cursor = page.next
      } else {
        request.offset += rows
      }
    }
  }

  private func take(
    _ page: RecordPage, _ pages: inout Pages, _ found: inout RemoteState.Kind
  ) throws {
    pages.totals.insert(page.total)
    pages.date = pages.date ?? page.date.flatMap { ServerDate($0) }
    let versions = known[pages.kind] ?? [:]
    var news: [RemoteRecord] = []
    for record in page.records {
      pages.seen.insert(record.id)
      found.deleted.remove(record.id)
      if versions[record.id] != record.updatedAt { news.append(record) }
    }
    for (record, location) in zip(news, try spool.append(news)) {
      found.changed[record.id] = RemoteState.Entry(
        id: record.id, updatedAt: record.updatedAt, createdAt: record.createdAt,
        location: location)
    }
    for tombstone in page.tombstones {
      // A row that was deleted while the pages were read is not there any more.
      pages.seen.remove(tombstone.id)
      found.changed[tombstone.id] = nil
      if versions[tombstone.id] != nil { found.deleted.insert(tombstone.id) }
    }
    for malformed in page.malformed {
      if let id = malformed.id { pages.seen.insert(id) } else { pages.unnamed += 1 }
      found.malformed.append((id: malformed.id, message: malformed.problem))
    }
  }

  /// Asks by id for records that a complete list left out: only a 404 makes them deleted.
  private func confirmMissing(_ pages: Pages, _ found: inout RemoteState.Kind) async throws {
    for (id, _) in known[pages.kind] ?? [:]
    where !pages.seen.contains(id) && !found.deleted.contains(id) {
      if try await client.recordIfPresent(pages.kind, id: id) == nil { found.deleted.insert(id) }
    }
  }
}

extension APIClient {
  /// A record by its id; `nil` where the server says that there is none.
  ///
  /// - Throws: `APIError` for every answer but these two.
  nonisolated func recordIfPresent(
    _ kind: EntityKind, id: String
  ) async throws(APIError) -> RemoteRecord? {
    do throws(APIError) {
      return try await record(kind, id: id)
    } catch {
      guard error == .notFound else { throw error }
      return nil
    }
  }
}
