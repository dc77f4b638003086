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
  /// How far earlier listings came; a kind without a mark is listed in full.
  var marks: [EntityKind: PullState.Mark] = [:]
  /// Says how far the listing is.
  var progress: @Sendable (_ kind: EntityKind, _ seen: Int, _ total: Int) -> Void = { _, _, _ in }

  /// How often a list that does not add up is read.
  static let attempts = 3

  /// Lists every kind.
  ///
  /// - Returns: the server's clock at the first answer that told it.
  /// - Throws: `APIError`, `Failure`, `FileError` where the spool cannot be written.
  func list(into state: inout RemoteState) async throws -> ServerDate? {
    var date: ServerDate?
    for kind in EntityKind.writable {
      var found = RemoteState.Kind()
      if let mark = marks[kind], info.dialect.takesUpdatedAfter(kind),
        let pages = try await listChanges(kind, since: mark, &found)
      {
        date = date ?? pages.date
      } else {
        found = RemoteState.Kind()
        let pages = try await listAll(kind, &found)
        date = date ?? pages.date
      }
      state.kinds[kind] = found
    }
    return date
  }

  private var usesCursor: Bool { info.features.contains(.cursor) }
  private var hasTombstones: Bool { info.features.contains(.tombstones) }

  // MARK: Everything

  private func listAll(
    _ kind: EntityKind, _ found: inout RemoteState.Kind
  ) async throws -> PageTally {
    for _ in 1...Self.attempts {
      var pages = PageTally(kind: kind)
      found = RemoteState.Kind()
      try await readPages(&pages, &found, updatedAfter: nil)
      // In the order of a cursor every change comes up, and tombstones tell what went.
      guard pages.isComplete || (usesCursor && hasTombstones) else { continue }
      if pages.isComplete { try await confirmMissing(pages, &found) }
      found.mark = pages.mark(after: marks[kind])
      return pages
    }
    throw Failure.incomplete(kind)
  }

  /// Asks by id for records that a complete list left out: only a 404 makes them deleted.
  private func confirmMissing(
    _ pages: PageTally, _ found: inout RemoteState.Kind
  ) async throws {
    for (id, _) in known[pages.kind] ?? [:]
    where !pages.seen.contains(id) && !found.deleted.contains(id) {
      if try await client.recordIfPresent(pages.kind, id: id) == nil { found.deleted.insert(id) }
    }
  }

  // MARK: Changes

  /// Lists what changed since a mark; `nil` where that is not enough to know what went.
  private func listChanges(
    _ kind: EntityKind, since mark: PullState.Mark, _ found: inout RemoteState.Kind
  ) async throws -> PageTally? {
    var pages = PageTally(kind: kind)
    let start = usesCursor ? mark.date.text : mark.date.advanced(by: .zero - PullState.overlap).wire
    try await readPages(&pages, &found, updatedAfter: start)
    if !hasTombstones {
      let page = try await client.page(of: kind, PageRequest(limit: 1))
      let here = Set((known[kind] ?? [:]).keys).union(pages.seen)
      guard page.total == here.count else { return nil }
    }
    found.mark = pages.mark(after: mark)
    return pages
  }

  // MARK: Pages

  private func readPages(
    _ pages: inout PageTally, _ found: inout RemoteState.Kind, updatedAfter: String?
  ) async throws {
    var request = PageRequest(
      limit: info.pageLimit, updatedAfter: updatedAfter, includeDeleted: hasTombstones)
    while true {
      let page = try await client.page(of: pages.kind, request)
      let before = pages.count + found.deleted.count
      try take(page, &pages, &found)
      progress(pages.kind, pages.count, page.total)
      if usesCursor ? page.next == nil : !page.hasMore { return }
      let rows = page.records.count + page.tombstones.count + page.malformed.count
      // With a cursor a page may hold only rows that moved; without one it must bring something.
      let isStuck =
        usesCursor
        ? page.next == request.cursor
        : rows == 0 || (pages.count + found.deleted.count == before && pages.repeats(rows))
      guard !isStuck else { throw Failure.endless(pages.kind) }
      if usesCursor {
        request.cursor = page.next
      } else {
        request.offset += rows
      }
    }
  }

  private func take(
    _ page: RecordPage, _ pages: inout PageTally, _ found: inout RemoteState.Kind
  ) throws {
    pages.add(page)
    let versions = known[pages.kind] ?? [:]
    var news: [RemoteRecord] = []
    for record in page.records {
      found.deleted.remove(record.id)
      if versions[record.id] != record.updatedAt { news.append(record) }
    }
    for (record, location) in zip(news, try spool.append(news)) {
      found.changed[record.id] = RemoteState.Entry(
        id: record.id, updatedAt: record.updatedAt, createdAt: record.createdAt,
        location: location)
    }
    for tombstone in page.tombstones {
      found.changed[tombstone.id] = nil
      if versions[tombstone.id] != nil { found.deleted.insert(tombstone.id) }
    }
    found.malformed += page.malformed.map { (id: $0.id, message: $0.problem) }
  }
}

/// What the pages of one list add up to.
struct PageTally {
  let kind: EntityKind
  /// The ids that came.
  private(set) var seen: Set<String> = []
  /// How many records came that cannot even be named.
  private(set) var unnamed = 0
  /// The server's clock at the first page.
  private(set) var date: ServerDate?
  private var totals: Set<Int> = []
  private var newest: ServerDate?
  private var fruitless = 0

  init(kind: EntityKind) { self.kind = kind }

  /// How many different records came.
  var count: Int { seen.count + unnamed }

  /// Whether all pages told one total and that many records came.
  var isComplete: Bool { totals.count <= 1 && count == totals.first ?? 0 }

  mutating func add(_ page: RecordPage) {
    totals.insert(page.total)
    date = date ?? page.date.flatMap { ServerDate($0) }
    for record in page.records {
      seen.insert(record.id)
      note(record.updatedAt)
    }
    for tombstone in page.tombstones {
      // A row that was deleted while the pages were read is not there any more.
      seen.remove(tombstone.id)
      note(tombstone.updatedAt)
    }
    for malformed in page.malformed {
      if let id = malformed.id { seen.insert(id) } else { unnamed += 1 }
    }
  }

  private mutating func note(_ updatedAt: String) {
    guard let date = ServerDate(updatedAt) else { return }
    newest = newest.map { max($0, date) } ?? date
  }

  /// Notes a page without news; rows that shift can make a few of them, an endless list makes many.
  mutating func repeats(_ rows: Int) -> Bool {
    fruitless += 1
    return fruitless > 3
  }

  /// How far the list came: the smaller of the newest change and the server's clock at the first
  /// page, so that a record dated in the future pushes nothing; never behind an earlier mark.
  func mark(after earlier: PullState.Mark?) -> PullState.Mark? {
    guard let newest else { return earlier }
    let reached = date.map { min($0, newest) } ?? newest
    guard let earlier else { return PullState.Mark(date: reached) }
    return PullState.Mark(date: max(earlier.date, reached))
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
