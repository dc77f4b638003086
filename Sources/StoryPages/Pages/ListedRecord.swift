public import StoryLibrary

/// A record in a list of changes or conflicts.
public struct ListedRecord: Sendable {
  /// The record.
  public var ref: RecordRef
  /// The page about it, or `nil`.
  public var place: Place?
  /// The name or title, or `nil`.
  public var title: String?
  /// What happened to it or is to be decided, in a few words.
  public var detail: String
  /// The changed fields.
  public var changes: [FieldChange]
  /// Its problems.
  public var notices: [Notice]

  /// Creates a record.
  public init(
    _ ref: RecordRef, place: Place? = nil, title: String? = nil, detail: String = "",
    changes: [FieldChange] = [], notices: [Notice] = []
  ) {
    self.ref = ref
    self.place = place
    self.title = title
    self.detail = detail
    self.changes = changes
    self.notices = notices
  }

  /// Returns a list of records.
  ///
  /// - Parameters:
  ///   - records: The records that are shown.
  ///   - more: The number of further ones.
  ///   - heading: The element of their names.
  ///   - links: The links of the page.
  @MarkupBuilder
  static func list(
    _ records: [ListedRecord], more: Int, heading: StaticString, _ links: Links
  ) -> Markup {
    tag("ul", ["class": "records"]) {
      for record in records { tag("li") { record.item(heading, links) } }
    }
    if more > 0 { tag("p", ["class": "soft"]) { "And \(more) more." } }
  }

  @MarkupBuilder
  private func item(_ heading: StaticString, _ links: Links) -> Markup {
    let name = record("bdi", [:], title.map(StoryRows.clipped) ?? ref.name)
    tag(heading) { if let place { tag("a", ["href": links(place)]) { name } } else { name } }
    tag("p", ["class": "about"]) {
      record("span", [:], ref.description)
      if !detail.isEmpty { tag("span") { detail } }
    }
    if !changes.isEmpty { tag("dl") { for change in changes { change.markup } } }
    for notice in notices { notice.markup }
  }
}
