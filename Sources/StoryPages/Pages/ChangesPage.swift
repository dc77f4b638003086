public import StoryLibrary

/// The local changes since the last sync.
public struct ChangesPage: Sendable {
  /// Records that have the same to say.
  public struct Group: Sendable {
    /// What they have in common.
    public var heading: String
    /// What to do with them, or `nil`.
    public var advice: String?
    /// The records.
    public var records: [Record]
    /// The number of further records, which are not shown.
    public var more: Int

    /// Creates a group.
    public init(_ heading: String, advice: String? = nil, records: [Record], more: Int = 0) {
      self.heading = heading
      self.advice = advice
      self.records = records
      self.more = more
    }
  }

  /// A record with its changes.
  public struct Record: Sendable {
    /// The record.
    public var ref: RecordRef
    /// The page about it, or `nil`.
    public var place: Place?
    /// The name or title, or `nil`.
    public var title: String?
    /// What happened to it, in a few words.
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
  }

  /// One sentence about the whole library.
  public var summary: String
  /// What to know about the library as a whole.
  public var notices: [Notice]
  /// The records in groups.
  public var groups: [Group]

  /// Creates the page.
  public init(summary: String, notices: [Notice] = [], groups: [Group] = []) {
    self.summary = summary
    self.notices = notices
    self.groups = groups
  }

  /// Returns the page.
  public func markup(_ frame: PageFrame, _ links: Links) -> Markup {
    frame.page("Changes", .changes, look: "work") {
      tag("h1") { "Changes" }
      tag("p", ["class": "lead"]) { Notice.sentence(summary) }
      for notice in notices { notice.markup }
      for group in groups { Self.section(group, links) }
      tag("p", ["class": "do"]) { tag("a", ["href": links(.sync)]) { "Sync" } }
    }
  }

  private static func section(_ group: Group, _ links: Links) -> Markup {
    tag("section") {
      tag("h2") { Notice.sentence(group.heading) }
      if let advice = group.advice { tag("p", ["class": "soft"]) { Notice.sentence(advice) } }
      tag("ul", ["class": "records"]) {
        for record in group.records { tag("li") { item(record, links) } }
      }
      if group.more > 0 { tag("p", ["class": "soft"]) { "And \(group.more) more." } }
    }
  }

  @MarkupBuilder
  private static func item(_ changed: Record, _ links: Links) -> Markup {
    let name = record("bdi", [:], changed.title.map(StoryRows.clipped) ?? changed.ref.name)
    tag("h3") {
      if let place = changed.place { tag("a", ["href": links(place)]) { name } } else { name }
    }
    tag("p", ["class": "about"]) {
      record("span", [:], changed.ref.description)
      if !changed.detail.isEmpty { tag("span") { changed.detail } }
    }
    if !changed.changes.isEmpty {
      tag("dl") { for change in changed.changes { change.markup } }
    }
    for notice in changed.notices { notice.markup }
  }
}

/// A field of a record with its difference.
public struct FieldChange: Sendable, Hashable {
  /// One line of the difference.
  public enum Line: Sendable, Hashable {
    /// The place of the lines that follow.
    case position(String)
    /// A line that did not change, next to one that did.
    case context(String)
    /// A changed line or value.
    case changed(MarkedWords)
  }

  /// The field's key.
  public var key: String
  /// The difference, from top to bottom.
  public var lines: [Line]

  /// Creates a change.
  public init(_ key: String, _ lines: [Line]) {
    self.key = key
    self.lines = lines
  }

  /// The change as a part of a list of terms.
  @MarkupBuilder
  var markup: Markup {
    tag("dt") { key }
    tag("dd") { for line in lines { Self.line(line) } }
  }

  private static func line(_ line: Line) -> Markup {
    switch line {
    case .position(let text): tag("p", ["class": "soft"]) { text }
    case .context(let text): tag("p", ["class": "soft", "dir": "auto"]) { text }
    case .changed(let words): tag("p", ["dir": "auto"]) { words.markup }
    }
  }
}
