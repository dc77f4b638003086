import StoryLibrary

/// A page of a list whose rows have not been made into records, so that the next page can be asked for
/// before that.
package struct UnreadPage: Sendable {
  /// How many rows it has: records, tombstones, and what is neither.
  package var rows: Int { items.count }
  /// The cursor of the next page; see ``RecordPage/next``.
  package var next: String? { page.next }
  /// Whether there is another page.
  package var hasMore: Bool { page.hasMore }

  private let items: [AnswerPlace]
  private let kind: EntityKind
  private let dialect: Dialect
  /// The page without its rows.
  private let page: RecordPage

  init(_ items: [AnswerPlace], of kind: EntityKind, _ dialect: Dialect, page: RecordPage) {
    self.items = items
    self.kind = kind
    self.dialect = dialect
    self.page = page
  }

  /// Reads the rows. One that is wrong is told in ``RecordPage/malformed``.
  package func read() -> RecordPage {
    var page = page
    for item in items { dialect.read(item, kind, into: &page) }
    return page
  }
}
