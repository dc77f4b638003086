import StoryAPI
import StoryLibrary

/// Lists a server's records page by page and keeps the changes.
struct RemoteLister {
  let client: APIClient
  let source: DiskSource
  let info: ServerInfo
  /// The local scan, whose sidecars' versions are not changes.
  let known: Scan
  /// The ids that unconfirmed creates chose for their records, whose deletes are reported too.
  var unconfirmed: Set<String> = []
  /// The marks of earlier listings; a kind without a mark is listed in full.
  var marks: [EntityKind: PullState.Mark] = [:]
  /// Whether the sidecars are those that the last sync with this server left.
  var isKnownWell = false
  /// Whether a missing record may be one that this server never had, because git or a move brought
  /// sidecars with another server's ids.
  var mayHaveForeignIDs = false
  /// Whether a refused list may mean that the bucket does not exist yet: no local record is on the
  /// server, and a push creates the bucket.
  var mayBeNew = false
  var progress: @Sendable (_ kind: EntityKind, _ seen: Int, _ total: Int) -> Void = { _, _, _ in }

  /// The number of times a list that does not add up is read.
  static let attempts = 3

  /// Lists every kind.
  ///
  /// - Throws: `APIError`, `FileError` if the spool cannot be written.
  func list() async throws -> RemoteState {
    var state = RemoteState()
    var complete: [EntityKind: PageTally] = [:]
    for kind in EntityKind.writable {
      let listing: Listing
      if let mark = marks[kind], info.dialect.takesUpdatedAfter(kind),
        let changes = try await listChanges(kind, since: mark)
      {
        listing = changes
      } else {
        listing = try await listAll(kind)
        if info.dialect.clearsReferences { complete[kind] = listing.pages }
      }
      state.date = state.date ?? listing.pages.date
      state.kinds[kind] = listing.found
    }
    if info.dialect.clearsReferences { try await readReferrers(&state, complete) }
    return state
  }

  private var usesCursor: Bool { info.features.contains(.cursor) }
  private var hasTombstones: Bool { info.features.contains(.tombstones) }

  /// The pages of one kind's list, and what they differ in from the sidecars.
  private struct Listing {
    var pages: PageTally
    var found = RemoteState.Kind()
  }

  // MARK: Full listings

  private func listAll(_ kind: EntityKind) async throws -> Listing {
    for _ in 1...Self.attempts {
      var listing = try await readPages(of: kind, updatedAfter: nil)
      if listing.pages.lacksTotal {
        listing.pages.note(total: try await client.total(of: kind))
      }
      let pages = listing.pages
      // In cursor order every change appears, and tombstones show the deletes.
      guard pages.isComplete || (usesCursor && hasTombstones) else { continue }
      if pages.isComplete || mayHaveForeignIDs {
        try await confirmMissing(pages, &listing.found)
      }
      // Tombstones are kept forever, or the list itself has the revision of the last change.
      if isKnownWell, hasTombstones, let newest = known.newestOnServer(of: kind),
        let id = newest.entry.id, !pages.mentions(id),
        pages.revision.map({ $0 < newest.date }) ?? true
      {
        listing.found.vanished = newest.entry.ref
      }
      if isKnownWell, listing.found.vanished == nil, pages.revision != nil {
        listing.found.vanished = lost(listing)
      }
      listing.found.mark = pages.mark(after: marks[kind])
      return listing
    }
    throw APIError.list(kind, .incomplete)
  }

  /// Returns a missing record that was not deleted, if the tombstones of others prove that.
  private func lost(_ listing: Listing) -> RecordRef? {
    let pages = listing.pages
    return listing.found.deleted.lazy.filter { !pages.mentions($0) }
      .compactMap { known.entry(id: $0, of: pages.kind) }
      .filter { $0.updatedAt.map(pages.hasOlderTombstone(than:)) ?? false }
      .map(\.ref).min()
  }

  /// Requests by id the records that a list left out: only a 404 marks them deleted, or unknown if
  /// they may never have been on this server. Any other is treated as if it had been listed.
  private func confirmMissing(
    _ pages: PageTally, _ found: inout RemoteState.Kind
  ) async throws {
    for entry in known.entries where entry.ref.kind == pages.kind {
      guard let id = entry.id, let version = entry.updatedAt, !pages.contains(id),
        !found.deleted.contains(id)
      else { continue }
      guard let record = try await client.recordIfPresent(pages.kind, id: id) else {
        if mayHaveForeignIDs, entry.isOnServer, entry.hasRecord || entry.state == .missing {
          found.unknown.insert(id)
        } else {
          found.deleted.insert(id)
        }
        continue
      }
      if record.updatedAt != version { try note([record], &found) }
    }
  }

  // MARK: Cleared references

  /// Reads the records whose references a server cleared when it deleted the referenced record. No
  /// list contains them because their versions did not change.
  ///
  /// If the sidecars are not those of the last sync, all records that reference missing ones are
  /// read; otherwise only those that reference a record deleted since.
  private func readReferrers(
    _ state: inout RemoteState, _ complete: [EntityKind: PageTally]
  ) async throws {
    for kind in EntityKind.writable {
      for other in EntityKind.writable {
        let gone = state.kinds[other]?.deleted ?? []
        let present = complete[kind] == nil ? nil : complete[other]
        guard present != nil || !gone.isEmpty else { continue }
        let ids = source.referrers(kind, of: other, known) { id in
          gone.contains(id) || present.map { !$0.contains(id) } ?? false
        }
        try await readAgain(kind, ids, &state)
      }
    }
  }

  /// Reads records whose changes no list contains.
  func readAgain(
    _ kind: EntityKind, _ ids: [String], _ state: inout RemoteState
  ) async throws {
    for id in ids {
      if let found = state.kinds[kind], found.changed[id] != nil || found.deleted.contains(id) {
        continue
      }
      guard let record = try await client.recordIfPresent(kind, id: id) else { continue }
      try note([record], &state.kinds[kind, default: RemoteState.Kind()])
    }
  }

  // MARK: Changes

  /// Returns the changes since a mark, or `nil` if they do not show which records were deleted, or
  /// if the server lost records.
  ///
  /// The list starts early enough to contain the newest version that a sidecar knows, which reveals
  /// a server that was restored from a backup.
  private func listChanges(
    _ kind: EntityKind, since mark: PullState.Mark
  ) async throws -> Listing? {
    let newest = known.newestOnServer(of: kind)
    for _ in 1...Self.attempts {
      var listing = try await readPages(
        of: kind, updatedAfter: start(mark, newest?.date), knownTag: mark.tag)
      let pages = listing.pages
      if pages.isUnchanged {
        listing.found.mark = mark
        return listing
      }
      guard usesCursor || pages.isComplete else { continue }
      if let id = newest?.entry.id, !pages.mentions(id) { return nil }
      let total: Int
      if let all = pages.all { total = all } else { total = try await client.total(of: kind) }
      guard total == pages.count(with: known) else { return nil }
      listing.found.mark = pages.mark(after: mark)
      return listing
    }
    return nil
  }

  /// Returns the records of a kind that somebody has written since a listing with this mark, or all of
  /// them without a mark. Records that have the versions of their sidecars are left out.
  ///
  /// - Throws: `APIError`, `FileError` if the spool cannot be written.
  func changes(_ kind: EntityKind, since mark: PullState.Mark?) async throws -> [RemoteChange] {
    let start = info.dialect.takesUpdatedAfter(kind) ? mark.map { self.start($0, nil) } : nil
    let listing = try await readPages(of: kind, updatedAfter: start, knownTag: mark?.tag)
    return Array(listing.found.changed.values)
  }

  /// Returns the time that a list of changes starts at.
  private func start(_ mark: PullState.Mark, _ newest: ServerDate?) -> String {
    if usesCursor, info.dialect.showsChangesInOrder {
      return min(mark.date, newest ?? mark.date).text
    }
    // Some servers exclude the start itself.
    let date = newest?.advanced(by: .seconds(-1)) ?? mark.date
    return min(mark.date.advanced(by: .zero - PullState.overlap), date).wire
  }

  // MARK: Pages

  /// Reads all pages.
  ///
  /// Without a cursor each page begins with the last row of the previous one. A row changed or
  /// deleted meanwhile moves the following rows up, and one could slip past the page boundary
  /// unseen; the overlap reveals this.
  private func readPages(
    of kind: EntityKind, updatedAfter: String?, knownTag: String? = nil
  ) async throws -> Listing {
    var listing = Listing(pages: PageTally(kind: kind))
    var request = PageRequest(
      limit: info.pageLimit, updatedAfter: updatedAfter, includeDeleted: hasTombstones)
    request.knownTag = knownTag
    let overlap = usesCursor || info.pageLimit < 2 ? 0 : 1
    // Without a cursor two rows are the shortest page that overlaps the previous one.
    let least = overlap + 1
    var (page, limit) = try await firstPage(of: kind, request, least: least)
    request.limit = limit
    // Any later page is of a list that has changed.
    request.knownTag = nil
    while true {
      guard usesCursor ? page.next != nil : page.hasMore else {
        try take(page, overlap, &listing)
        return listing
      }
      guard page.rows > 0 || usesCursor, page.next == nil || page.next != request.cursor else {
        try take(page, overlap, &listing)
        throw APIError.list(kind, .endless)
      }
      if usesCursor {
        request.cursor = page.next
      } else {
        request.offset += max(0, page.rows - overlap)
      }
      // The next page is requested while this one is read and stored.
      let (client, following) = (client, request)
      async let next = client.page(of: kind, following, least: least)
      try take(page, overlap, &listing)
      if listing.pages.isStuck { throw APIError.list(kind, .endless) }
      (page, request.limit) = try await next
    }
  }

  /// The first page of a list; an empty one if the server has no place for such records yet.
  private func firstPage(
    of kind: EntityKind, _ request: PageRequest, least: Int
  ) async throws(APIError) -> (UnreadPage, limit: Int) {
    do throws(APIError) {
      return try await client.page(of: kind, request, least: least)
    } catch {
      switch error {
      case .noCollection: break
      case .lacksRight where mayBeNew && info.dialect.makesCollections: break
      default: throw error
      }
      return (.missing(kind, info.dialect), request.limit)
    }
  }

  private func take(_ unread: UnreadPage, _ overlap: Int, _ listing: inout Listing) throws {
    let (page, kind) = (unread.read(), listing.pages.kind)
    listing.pages.add(page, overlaps: overlap > 0)
    if listing.pages.isOverfull { throw APIError.list(kind, .overfull) }
    for record in page.records { listing.found.deleted.remove(record.id) }
    let changed = page.records.filter { record in
      let entry = known.entry(id: record.id, of: kind)
      // One that was recorded as deleted may still be on the server.
      return entry?.updatedAt != record.updatedAt || entry?.conflict == .deletedOnServer
    }
    try note(changed, &listing.found)
    for tombstone in page.tombstones {
      listing.found.changed[tombstone.id] = nil
      if known.version(of: tombstone.id, kind) != nil || unconfirmed.contains(tombstone.id) {
        listing.found.deleted.insert(tombstone.id)
      }
    }
    listing.found.malformed += page.malformed.map { (id: $0.id, error: $0.error) }
    progress(kind, listing.pages.count, page.total ?? listing.pages.count)
  }

  private func note(_ records: [RemoteRecord], _ found: inout RemoteState.Kind) throws {
    let spool = source.spool
    if let kind = records.first?.kind, spool.isFull, !spool.isDiskFull {
      throw APIError.list(
        kind, .tooLarge(limit: spool.limit, isShareOfDisk: spool.limit < Spool.maximum))
    }
    for (record, location) in zip(records, try spool.append(records)) {
      found.changed[record.id] = RemoteChange(
        id: record.id, updatedAt: record.updatedAt,
        createdAt: record.createdAt.isEmpty ? record.updatedAt : record.createdAt,
        slug: Slug.make(record.fields.title ?? "", fallback: record.kind.schema.noun),
        location: location,
        keepsVersion: known.version(of: record.id, record.kind) == record.updatedAt,
        hasPictures: record.kind == .stories && IllustrationPuller.hasPictures(record.server))
    }
  }
}

extension APIClient {
  /// Returns the record with an id, or `nil` if the server has none.
  ///
  /// - Throws: `APIError` for every other answer.
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

  /// Returns a page, or a shorter one if the answer is too large.
  ///
  /// - Parameter least: the minimum number of rows to request.
  /// - Returns: the page, and the limit for the next one.
  fileprivate nonisolated func page(
    of kind: EntityKind, _ request: PageRequest, least: Int
  ) async throws(APIError) -> (UnreadPage, limit: Int) {
    var request = request
    while true {
      do throws(APIError) {
        return (try await unreadPage(of: kind, request), request.limit)
      } catch {
        guard case .network(.answerTooLarge) = error, request.limit / 2 >= least else {
          throw error
        }
        request.limit /= 2
      }
    }
  }
}
