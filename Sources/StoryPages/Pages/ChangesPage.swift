/// The local changes since the last sync.
public struct ChangesPage: Sendable {
  /// Records that have the same to say.
  public struct Group: Sendable {
    /// What they have in common.
    public var heading: String
    /// The records.
    public var records: [ListedRecord]
    /// The number of further records, which are not shown.
    public var more: Int

    /// Creates a group.
    public init(_ heading: String, records: [ListedRecord], more: Int = 0) {
      self.heading = heading
      self.records = records
      self.more = more
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
  public func markup(_ frame: PageFrame) -> Markup {
    frame.page("Changes", .changes, look: "work") {
      tag("h1") { "Changes" }
      tag("p", ["class": "lead"]) { Notice.sentence(summary) }
      for notice in notices { notice.markup }
      for group in groups {
        tag("section") {
          tag("h2") { Notice.sentence(group.heading) }
          ListedRecord.list(group.records, more: group.more, heading: "h3", frame.links)
        }
      }
      tag("p", ["class": "do"]) { tag("a", ["href": frame.links(.sync)]) { "Sync" } }
    }
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
    tag("dd") {
      for line in lines {
        switch line {
        case .position(let text): tag("p", ["class": "soft"]) { text }
        case .context(let text): tag("p", ["class": "soft", "dir": "auto"]) { text }
        case .changed(let words): tag("p", ["dir": "auto"]) { words.markup }
        }
      }
    }
  }
}
