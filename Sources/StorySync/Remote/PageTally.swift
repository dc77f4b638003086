import StoryAPI
import StoryLibrary

/// What the pages of one list add up to.
struct PageTally {
  /// What is known of an id that came.
  private struct Sight {
    /// The hash of the version that came last.
    var version: Int?
    /// Whether it stands in the list: it came, and no tombstone after it.
    var isListed = false
    /// Whether a tombstone named it.
    var isGone = false
  }

  let kind: EntityKind
  /// By the bytes of the id: only ids that are equal byte for byte are one.
  private var sights: [[UInt8]: Sight] = [:]
  /// How many ids stand in the list.
  private var listed = 0
  /// How many records came that cannot even be named.
  private(set) var unnamed = 0
  /// The server's clock at the first page.
  private(set) var date: ServerDate?
  /// Whether a page did not begin with what the one before it ended with, so that rows moved between
  /// the two and nobody knows what slipped through.
  private(set) var hasGap = false
  private var totals: Set<Int> = []
  /// How many records there are without the filters, as the last page says.
  private(set) var all: Int?
  private var newest: ServerDate?
  private var fruitless = 0
  private var rows = 0
  private var malformed = 0
  /// What the page before may have ended with.
  private var ends: [String] = []

  /// How many pages in a row may bring nothing new; rows that shift can make a few such.
  private static let patience = 3

  init(kind: EntityKind) { self.kind = kind }

  /// How many more records than the server told may come: that many may be deleted while pages are
  /// read.
  private static let tolerance = 100
  /// The most rows of one list, tombstones and those that cannot be read included.
  static let maximumRows = 5_000_000
  /// The most rows that cannot be read.
  static let maximumMalformed = 10_000

  /// How many different records came.
  var count: Int { listed + unnamed }

  /// Whether a record of that id came, and no tombstone after it.
  func contains(_ id: String) -> Bool {
    sights[Array(id.utf8)]?.isListed ?? false
  }

  /// Whether a record of that id came, or a tombstone.
  func mentions(_ id: String) -> Bool { sights[Array(id.utf8)] != nil }

  /// How many records the server has if these pages are all that changed since `scan`.
  func count(with scan: Scan) -> Int {
    let known = sights.keys.count { id in
      scan.entry(id: String(decoding: id, as: UTF8.self), of: kind)?.isOnServer ?? false
    }
    return listed + scan.countOnServer(of: kind) - known
  }

  /// Whether all pages told one total, that many records came, and no row moved between two pages.
  var isComplete: Bool { !hasGap && totals.count <= 1 && count == totals.first ?? 0 }

  /// Whether pages keep coming that bring nothing new.
  var isStuck: Bool { fruitless > Self.patience }

  /// Whether more came than the server told, or more than any list has.
  var isOverfull: Bool {
    count - Self.tolerance > totals.max() ?? 0 || rows > Self.maximumRows
      || malformed > Self.maximumMalformed
  }

  /// Takes in a page.
  ///
  /// - Parameter overlaps: whether it has to begin with the last row of the page before.
  mutating func add(_ page: RecordPage, overlaps: Bool) {
    totals.insert(page.total)
    rows += page.records.count + page.tombstones.count + page.malformed.count
    malformed += page.malformed.count
    all = page.all
    date = date ?? page.date.flatMap { ServerDate($0) }
    if overlaps, !ends.isEmpty { checkOverlap(page) }
    var isNew = unnamedRows(page) > 0
    for record in page.records {
      if list(record.id, version: record.updatedAt) { isNew = true }
      note(record.updatedAt)
    }
    for tombstone in page.tombstones {
      // A row that was deleted while the pages were read is not there any more.
      if remove(tombstone.id) { isNew = true }
      note(tombstone.updatedAt)
    }
    for malformed in page.malformed {
      if let id = malformed.id {
        if list(id) { isNew = true }
      } else {
        unnamed += 1
      }
    }
    fruitless = isNew ? 0 : fruitless + 1
    ends = [page.records.last?.id, page.tombstones.last?.id, page.malformed.last?.id]
      .compactMap(\.self)
  }

  /// Notes that an id stands in the list; returns whether that is new, or its version is. A version that
  /// is not known is never new.
  private mutating func list(_ id: String, version: String? = nil) -> Bool {
    let had = sights[Array(id.utf8)] ?? Sight()
    if !had.isListed { listed += 1 }
    var sight = had
    sight.isListed = true
    sight.version = version?.hashValue
    sights[Array(id.utf8)] = sight
    return !had.isListed || (version != nil && had.version != sight.version)
  }

  /// Notes that an id is gone; returns whether that is the first time.
  private mutating func remove(_ id: String) -> Bool {
    let had = sights[Array(id.utf8)] ?? Sight()
    if had.isListed { listed -= 1 }
    var sight = had
    sight.isListed = false
    sight.isGone = true
    sights[Array(id.utf8)] = sight
    return !had.isGone
  }

  private func unnamedRows(_ page: RecordPage) -> Int { page.malformed.count { $0.id == nil } }

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

  /// How far the list came: the smaller of the newest change and the server's clock at the first
  /// page, so that a record dated in the future pushes nothing; never behind an earlier mark. A
  /// server that does not tell its clock gives none.
  ///
  /// The clock comes in whole seconds (RFC 9110 §5.6.7), so it stands for the end of its second: what
  /// changed within it and came is not asked for again. Nothing that changes later in that second is
  /// missed: a server that pages by cursor never gives an account's `updatedAt` a value below an
  /// earlier one, so it comes behind ``newest``; any other is asked with an overlap.
  func mark(after earlier: PullState.Mark?) -> PullState.Mark? {
    guard let newest, let date else { return earlier }
    let reached = min(date.advanced(by: .seconds(1)), newest)
    guard let earlier else { return PullState.Mark(date: reached) }
    return PullState.Mark(date: max(earlier.date, reached))
  }
}
