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
  /// What is here: the versions in its sidecars are no news.
  let known: Scan
  /// How far earlier listings came; a kind without a mark is listed in full.
  var marks: [EntityKind: PullState.Mark] = [:]
  /// Tells the ids of records of one kind here whose sidecars name, by an optional reference, a record
  /// of another kind with an id that a condition holds for.
  var namers: (_ kind: EntityKind, _ other: EntityKind, _ isMeant: (String) -> Bool) -> [String] = {
    _, _, _ in []
  }
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
    var complete: [EntityKind: PageTally] = [:]
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
        if info.dialect.clearsReferences { complete[kind] = pages }
      }
      state.kinds[kind] = found
    }
    if info.dialect.clearsReferences { try await readNamers(&state, complete) }
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

  /// Asks by id for records that a complete list left out: only a 404 makes them deleted. One that is
  /// there after all is taken as if the list had told it.
  private func confirmMissing(
    _ pages: PageTally, _ found: inout RemoteState.Kind
  ) async throws {
    for entry in known.entries where entry.ref.kind == pages.kind {
      guard let id = entry.id, let version = entry.updatedAt, !pages.contains(id),
        !found.deleted.contains(id)
      else { continue }
      guard let record = try await client.recordIfPresent(pages.kind, id: id) else {
        found.deleted.insert(id)
        continue
      }
      if record.updatedAt != version { try note([record], &found) }
    }
  }

  // MARK: What went along

  /// Reads the records whose references a server cleared when it deleted what they named: no list
  /// tells them, for their versions stayed.
  ///
  /// Where the sidecars are not those of the last sync, everything is looked at that names what is
  /// not there; otherwise what names a record that went since.
  private func readNamers(
    _ state: inout RemoteState, _ complete: [EntityKind: PageTally]
  ) async throws {
    for kind in EntityKind.writable {
      for other in EntityKind.writable {
        let gone = state.kinds[other]?.deleted ?? []
        let present = complete[kind] == nil ? nil : complete[other]
        guard present != nil || !gone.isEmpty else { continue }
        let ids = namers(kind, other) { id in
          gone.contains(id) || present.map { !$0.contains(id) } ?? false
        }
        try await readAgain(kind, ids, &state)
      }
    }
  }

  /// Reads records of which no list tells what changed.
  func readAgain(
    _ kind: EntityKind, _ ids: [String], _ state: inout RemoteState
  ) async throws {
    for id in ids {
      if let found = state.kinds[kind], found.changed.contains(id) || found.deleted.contains(id) {
        continue
      }
      guard let record = try await client.recordIfPresent(kind, id: id) else { continue }
      try note([record], &state.kinds[kind, default: RemoteState.Kind()], keepsVersion: true)
    }
  }

  // MARK: Changes

  /// Lists what changed since a mark; `nil` where that is not enough to know what went.
  private func listChanges(
    _ kind: EntityKind, since mark: PullState.Mark, _ found: inout RemoteState.Kind
  ) async throws -> PageTally? {
    let start = usesCursor ? mark.date.text : mark.date.advanced(by: .zero - PullState.overlap).wire
    var pages = PageTally(kind: kind)
    for attempt in 1...Self.attempts {
      pages = PageTally(kind: kind)
      found = RemoteState.Kind()
      try await readPages(&pages, &found, updatedAfter: start)
      if usesCursor || pages.isComplete { break }
      if attempt == Self.attempts { return nil }
    }
    if !hasTombstones {
      let page = try await client.page(of: kind, PageRequest(limit: 1))
      let ids = known.entries.lazy.filter { $0.ref.kind == kind && $0.updatedAt != nil }
        .compactMap(\.id)
      guard page.total == pages.count(with: ids) else { return nil }
    }
    found.mark = pages.mark(after: mark)
    return pages
  }

  // MARK: Pages

  /// Reads page after page.
  ///
  /// Without a cursor each page begins with the last row of the one before. A row that was changed or
  /// deleted meanwhile makes those behind it move up, and the one that slips past the border would
  /// never be seen; so the lists are compared where they meet.
  private func readPages(
    _ pages: inout PageTally, _ found: inout RemoteState.Kind, updatedAfter: String?
  ) async throws {
    var request = PageRequest(
      limit: info.pageLimit, updatedAfter: updatedAfter, includeDeleted: hasTombstones)
    let overlap = usesCursor || info.pageLimit < 2 ? 0 : 1
    var page = try await client.unreadPage(of: pages.kind, request)
    while true {
      guard usesCursor ? page.next != nil : page.hasMore else {
        return try take(page, overlap, &pages, &found)
      }
      guard page.rows > 0 || usesCursor, page.next == nil || page.next != request.cursor else {
        try take(page, overlap, &pages, &found)
        throw Failure.endless(pages.kind)
      }
      if usesCursor {
        request.cursor = page.next
      } else {
        request.offset += max(0, page.rows - overlap)
      }
      // The next page is on its way while this one is read and put away.
      let (client, kind, following) = (client, pages.kind, request)
      async let next = client.unreadPage(of: kind, following)
      try take(page, overlap, &pages, &found)
      if pages.isStuck { throw Failure.endless(kind) }
      page = try await next
    }
  }

  /// Reads a page and keeps what is news.
  private func take(
    _ unread: UnreadPage, _ overlap: Int, _ pages: inout PageTally,
    _ found: inout RemoteState.Kind
  ) throws {
    let page = unread.read()
    pages.add(page, overlaps: overlap > 0)
    try take(page, &found, pages.kind)
    progress(pages.kind, pages.count, page.total)
  }

  private func take(
    _ page: RecordPage, _ found: inout RemoteState.Kind, _ kind: EntityKind
  ) throws {
    for record in page.records { found.deleted.remove(record.id) }
    try note(page.records.filter { known.version(of: $0.id, kind) != $0.updatedAt }, &found)
    for tombstone in page.tombstones {
      found.changed.remove(tombstone.id)
      if known.version(of: tombstone.id, kind) != nil { found.deleted.insert(tombstone.id) }
    }
    found.malformed += page.malformed.map { (id: $0.id, message: $0.problem) }
  }

  private func note(
    _ news: [RemoteRecord], _ found: inout RemoteState.Kind, keepsVersion: Bool = false
  ) throws {
    for (record, location) in zip(news, try spool.append(news)) {
      found.changed.set(
        RemoteState.Entry(
          id: record.id, updatedAt: record.updatedAt, createdAt: record.createdAt,
          location: location, keepsVersion: keepsVersion,
          hasPictures: record.kind == .stories && IllustrationPuller.hasPictures(record.server)))
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
