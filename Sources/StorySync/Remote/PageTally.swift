import StoryAPI
import StoryLibrary

struct PageTally {
  private struct Sight {
    /// The hash of the last received version.
    var version: Int?
    /// Whether the id is in the list: it came without a tombstone after it.
    var isListed = false
    /// Whether a tombstone came for the id.
    var isGone = false
  }

  let kind: EntityKind
  /// By the bytes of the id: ids are the same only if they are equal byte for byte.
  private var sights: [[UInt8]: Sight] = [:]
  private var listed = 0
  /// The number of records without a readable id.
  private(set) var unnamed = 0
  /// The server's time at the first page.
  private(set) var date: ServerDate?
  /// Whether a page did not begin with the last row of the one before, so that rows moved between
  /// the two and some may have been missed.
  private(set) var hasGap = false
  private var totals: Set<Int> = []
  /// The number of records without the filters, according to the last page.
  private(set) var all: Int?
  /// The version of the list as a whole at the first page, as the server says.
  private(set) var revision: ServerDate?
  /// The tag of the list as a whole at the first page.
  private var tag: String?
  /// Whether the server said that nothing changed since the tag that it was asked with.
  private(set) var isUnchanged = false
  private var newest: ServerDate?
  private var oldestTombstone: ServerDate?
  private var fruitless = 0
  private var rows = 0
  private var malformed = 0
  /// The possible last rows of the previous page.
  private var ends: [String] = []

  /// The number of consecutive pages that may bring nothing new; shifting rows can cause a few.
  private static let patience = 3

  init(kind: EntityKind) { self.kind = kind }

  /// How many records the count may have more than the server's total, for records deleted meanwhile.
  private static let tolerance = 100
  /// The maximum number of rows in a list, with tombstones and unreadable rows.
  static let maximumRows = 5_000_000
  static let maximumMalformed = 10_000

  var count: Int { listed + unnamed }

  /// Returns whether a record with that id came without a tombstone after it.
  func contains(_ id: String) -> Bool {
    sights[Array(id.utf8)]?.isListed ?? false
  }

  /// Returns whether a record with that id came, or a tombstone.
  func mentions(_ id: String) -> Bool { sights[Array(id.utf8)] != nil }

  /// Returns whether a tombstone came that is older than a version of another record. A server that
  /// purges tombstones keeps the newest, so it also has that of the other record if it was deleted.
  func hasOlderTombstone(than version: String) -> Bool {
    guard let oldestTombstone, let version = ServerDate(version) else { return false }
    return oldestTombstone < version
  }

  /// Returns the number of the server's records if these pages are all changes since `scan`.
  func count(with scan: Scan) -> Int {
    let known = sights.keys.count { id in
      scan.entry(id: String(decoding: id, as: UTF8.self), of: kind)?.isOnServer ?? false
    }
    return listed + scan.countOnServer(of: kind) - known
  }

  /// Whether all pages gave the same total, that many records came, and no row moved between pages.
  var isComplete: Bool { !hasGap && totals.count <= 1 && count == totals.first ?? 0 }

  var lacksTotal: Bool { totals.isEmpty }

  mutating func note(total: Int) { totals.insert(total) }

  /// Whether too many pages in a row brought nothing new.
  var isStuck: Bool { fruitless > Self.patience }

  /// Whether more came than the server's total, or than a list may have.
  var isOverfull: Bool {
    totals.max().map { count - Self.tolerance > $0 } ?? false || rows > Self.maximumRows
      || malformed > Self.maximumMalformed
  }

  /// Adds a page.
  ///
  /// - Parameter overlaps: whether it must begin with the last row of the previous page.
  mutating func add(_ page: RecordPage, overlaps: Bool) {
    if let total = page.total { totals.insert(total) }
    rows += page.records.count + page.tombstones.count + page.malformed.count
    malformed += page.malformed.count
    all = page.all
    if tag == nil { tag = page.tag }
    if revision == nil, let told = page.revision {
      revision = ServerDate(told)
      note(told)
    }
    isUnchanged = page.isUnchanged
    date = date ?? page.date.flatMap { ServerDate($0) }
    if overlaps, !ends.isEmpty { checkOverlap(page) }
    var isNew = false
    for record in page.records {
      if list(record.id, version: record.updatedAt) { isNew = true }
      note(record.updatedAt)
    }
    for tombstone in page.tombstones {
      // A row that was deleted during the listing is no longer there.
      if remove(tombstone.id) { isNew = true }
      note(tombstone.updatedAt)
      if let date = ServerDate(tombstone.updatedAt) {
        oldestTombstone = oldestTombstone.map { min($0, date) } ?? date
      }
    }
    for malformed in page.malformed {
      if let id = malformed.id {
        if list(id) { isNew = true }
      } else {
        unnamed += 1
        isNew = true
      }
    }
    fruitless = isNew ? 0 : fruitless + 1
    ends = [page.records.last?.id, page.tombstones.last?.id, page.malformed.last?.id]
      .compactMap(\.self)
  }

  /// Adds an id to the list; returns whether the id or its version is new. No version is never new.
  private mutating func list(_ id: String, version: String? = nil) -> Bool {
    let (key, version) = (Array(id.utf8), version?.hashValue)
    let had = sights[key] ?? Sight()
    if !had.isListed { listed += 1 }
    sights[key] = Sight(version: version, isListed: true, isGone: had.isGone)
    return !had.isListed || (version != nil && had.version != version)
  }

  /// Removes an id from the list; returns whether that is the first time.
  private mutating func remove(_ id: String) -> Bool {
    let key = Array(id.utf8)
    let had = sights[key] ?? Sight()
    if had.isListed { listed -= 1 }
    sights[key] = Sight(version: had.version, isListed: false, isGone: true)
    return !had.isGone
  }

  private mutating func checkOverlap(_ page: RecordPage) {
    let isFound =
      page.records.contains { ends.contains($0.id) }
      || page.tombstones.contains { ends.contains($0.id) }
      || page.malformed.contains { $0.id.map(ends.contains) ?? true }
    if !isFound { hasGap = true }
  }

  private mutating func note(_ updatedAt: String) {
    guard let date = ServerDate(updatedAt) else { return }
    newest = newest.map { max($0, date) } ?? date
  }

  /// Returns the mark that the list reached: the smaller of the newest change and the server's time
  /// at the first page, so that a record dated in the future does not move it, and never less than
  /// an earlier mark. Without a server time there is no new mark.
  ///
  /// The time has whole seconds (RFC 9110 §5.6.7), so the end of its second is used: changes
  /// received within that second are not requested again. Later changes in that second are not
  /// missed: a server with cursors never gives an account's `updatedAt` a value below an earlier
  /// one, so they sort after ``newest``; any other server is asked with an overlap.
  func mark(after earlier: PullState.Mark?) -> PullState.Mark? {
    guard let newest, let date else { return earlier }
    let reached = min(date.advanced(by: .seconds(1)), newest)
    return PullState.Mark(
      date: earlier.map { max($0.date, reached) } ?? reached, tag: settledTag(at: date))
  }

  /// The tag, if nothing can appear any more that is older than the list's version: that was so at a
  /// listing which came later than any write under way then could take.
  private func settledTag(at date: ServerDate) -> String? {
    guard let tag, let revision, revision.advanced(by: PullState.overlap) <= date else {
      return nil
    }
    return tag
  }
}
