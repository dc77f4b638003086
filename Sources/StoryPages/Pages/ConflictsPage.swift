public import StoryLibrary

/// The records in conflict.
public struct ConflictsPage: Sendable {
  /// A record in conflict.
  public struct Item: Sendable {
    /// The record.
    public var ref: RecordRef
    /// The name or title, or `nil`.
    public var title: String?
    /// What is to be decided, in a few words.
    public var question: String

    /// Creates an item.
    public init(_ ref: RecordRef, title: String?, question: String) {
      self.ref = ref
      self.title = title
      self.question = question
    }
  }

  /// The result of an earlier decision.
  public var notices: [Notice]
  /// The records in conflict that are shown.
  public var items: [Item]
  /// The number of further ones, which are not shown.
  public var more: Int

  /// Creates the page.
  public init(_ items: [Item], more: Int = 0, notices: [Notice] = []) {
    self.items = items
    self.more = more
    self.notices = notices
  }

  /// Returns the page.
  public func markup(_ frame: PageFrame, _ links: Links) -> Markup {
    frame.page("Conflicts", .conflicts, look: "work") {
      tag("h1") { "Conflicts" }
      for notice in notices { notice.markup }
      tag("p", ["class": "lead"]) { items.isEmpty ? "Nothing is in conflict." : Self.explanation }
      tag("ul", ["class": "records"]) { for item in items { Self.markup(item, links) } }
      if more > 0 { tag("p", ["class": "soft"]) { "And \(more) more." } }
    }
  }

  private static let explanation =
    "Both sides changed the same field, or one side deleted what the other edited."
    + " Everything else continues to sync."

  private static func markup(_ item: Item, _ links: Links) -> Markup {
    tag("li") {
      tag("h2") {
        tag("a", ["href": links(.conflict(item.ref))]) {
          record("bdi", [:], item.title.map(StoryRows.clipped) ?? item.ref.name)
        }
      }
      tag("p", ["class": "about"]) {
        record("span", [:], item.ref.description)
        tag("span") { item.question }
      }
    }
  }
}
