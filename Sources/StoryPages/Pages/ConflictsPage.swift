/// The records in conflict.
public struct ConflictsPage: Sendable {
  /// The result of an earlier decision.
  public var notices: [Notice]
  /// The records in conflict that are shown.
  public var items: [ListedRecord]
  /// The number of further ones, which are not shown.
  public var more: Int

  /// Creates the page.
  public init(_ items: [ListedRecord], more: Int = 0, notices: [Notice] = []) {
    self.items = items
    self.more = more
    self.notices = notices
  }

  /// Returns the page.
  public func markup(_ frame: PageFrame) -> Markup {
    frame.page("Conflicts", .conflicts, look: "work") {
      tag("h1") { "Conflicts" }
      for notice in notices { notice.markup }
      tag("p", ["class": "lead"]) { items.isEmpty ? "Nothing is in conflict." : Self.explanation }
      ListedRecord.list(items, more: more, heading: "h2", frame.links)
    }
  }

  private static let explanation =
    "Both sides changed the same field, or one side deleted what the other edited."
    + " Everything else continues to sync."
}
