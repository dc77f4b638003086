import StoryAPI
import StoryLibrary

/// What the pages of one list add up to.
struct PageTally {
  /// What is known of an id that came.
  private struct Sight: BitwiseCopyable {
    /// The sum of the version that came last.
    var version: UInt64 = 0
    /// Whether it stands in the list: it came, and no tombstone after it.
    var isListed = false
    /// Whether a tombstone named it.
    var isGone = false
  }

  let kind: EntityKind
  private var sights = IDMap<Sight>()
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
  private var newest: ServerDate?
  private var fruitless = 0
  /// What the page before may have ended with.
  private var ends: [String] = []

  /// How many pages in a row may bring nothing new; rows that shift can make a few such.
  private static let patience = 3

  init(kind: EntityKind) { self.kind = kind }

  /// How many different records came.
  var count: Int { listed + unnamed }

  /// Whether a record of that id came, and no tombstone after it.
  func contains(_ id: String) -> Bool {
    sights.place(of: id).map { sights[$0].isListed } ?? false
  }

  /// How many different records have an id that came or one of these.
  func count(with ids: some Sequence<String>) -> Int {
    var others = IDMap<Bool>()
    for id in ids where !contains(id) { _ = others.place(of: id, orAdd: true) }
    return listed + others.count
  }

  /// Whether all pages told one total, that many records came, and no row moved between two pages.
  var isComplete: Bool { !hasGap && totals.count <= 1 && count == totals.first ?? 0 }

  /// Whether pages keep coming that bring nothing new.
  var isStuck: Bool { fruitless > Self.patience }

  /// Takes in a page.
  ///
  /// - Parameter overlaps: whether it has to begin with the last row of the page before.
  mutating func add(_ page: RecordPage, overlaps: Bool) {
    totals.insert(page.total)
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
    let place = sights.place(of: id, orAdd: Sight())
    let had = sights[place]
    if !had.isListed { listed += 1 }
    sights[place].isListed = true
    guard var version else {
      sights[place].version = 0
      return !had.isListed
    }
    let sum = version.withUTF8 { PlaceTable.sum(UnsafeRawBufferPointer($0)) }
    sights[place].version = sum
    return !had.isListed || had.version != sum
  }

  /// Notes that an id is gone; returns whether that is the first time.
  private mutating func remove(_ id: String) -> Bool {
    let place = sights.place(of: id, orAdd: Sight())
    let had = sights[place]
    if had.isListed { listed -= 1 }
    sights[place].isListed = false
    sights[place].isGone = true
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
