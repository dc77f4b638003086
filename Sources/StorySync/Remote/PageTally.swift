import StoryAPI
import StoryLibrary

/// What the pages of one list add up to.
struct PageTally {
  let kind: EntityKind
  /// The ids that came, with their versions.
  private(set) var seen: [String: String] = [:]
  /// How many records came that cannot even be named.
  private(set) var unnamed = 0
  /// The server's clock at the first page.
  private(set) var date: ServerDate?
  /// Whether a page did not begin with what the one before it ended with, so that rows moved between
  /// the two and nobody knows what slipped through.
  private(set) var hasGap = false
  private var totals: Set<Int> = []
  private var gone: Set<String> = []
  private var newest: ServerDate?
  private var fruitless = 0
  /// What the page before may have ended with.
  private var ends: [String] = []

  /// How many pages in a row may bring nothing new; rows that shift can make a few such.
  private static let patience = 3

  init(kind: EntityKind) { self.kind = kind }

  /// How many different records came.
  var count: Int { seen.count + unnamed }

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
      if seen.updateValue(record.updatedAt, forKey: record.id) != record.updatedAt { isNew = true }
      note(record.updatedAt)
    }
    for tombstone in page.tombstones {
      // A row that was deleted while the pages were read is not there any more.
      seen[tombstone.id] = nil
      if gone.insert(tombstone.id).inserted { isNew = true }
      note(tombstone.updatedAt)
    }
    for malformed in page.malformed {
      if let id = malformed.id {
        if seen.updateValue("", forKey: id) == nil { isNew = true }
      } else {
        unnamed += 1
      }
    }
    fruitless = isNew ? 0 : fruitless + 1
    ends = [page.records.last?.id, page.tombstones.last?.id, page.malformed.last?.id]
      .compactMap(\.self)
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
