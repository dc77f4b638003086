package import StoryLibrary

/// A page of a list with undecoded rows, so that the next page can be requested first.
package struct UnreadPage: Sendable {
  /// The number of rows: records, tombstones and invalid ones.
  package var rows: Int { items.count }
  /// The cursor of the next page; see ``RecordPage/next``.
  package var next: String? { page.next }
  /// Whether the list did not change; see ``RecordPage/isUnchanged``.
  package var isUnchanged: Bool { page.isUnchanged }
  /// Whether there is another page.
  package var hasMore: Bool { page.hasMore }

  let items: [AnswerPlace]
  let kind: EntityKind
  let dialect: Dialect
  let page: RecordPage

  /// The page of a list that does not exist on the server yet.
  package static func missing(_ kind: EntityKind, _ dialect: Dialect) -> UnreadPage {
    let page = RecordPage(records: [], total: 0, all: 0)
    return UnreadPage(items: [], kind: kind, dialect: dialect, page: page)
  }

  /// Decodes the rows. Invalid ones are reported in ``RecordPage/malformed``.
  package func read() -> RecordPage {
    var page = page
    for item in items { dialect.read(item, kind, into: &page) }
    return page
  }
}
