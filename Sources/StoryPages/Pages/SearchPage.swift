import StoryLibrary

/// A form to search with, and what was found.
public struct SearchPage: Sendable {
  private let text: String
  private let shelf: Bookshelf
  private let hits: [Bookshelf.Hit]
  private let part: Int
  private let parts: Int

  /// The maximum number of records on one page.
  private static let partSize = 50

  /// Searches in the heroes and stories of a shelf.
  ///
  /// - Parameters:
  ///   - text: What to look for, as in `TextSearch`; empty for the form alone.
  ///   - part: The part of what was found, counted from 1.
  ///   - shelf: The shelf.
  /// - Returns: `nil` if not so much was found.
  public init?(text: String, part: Int, shelf: Bookshelf) {
    self.text = text
    self.shelf = shelf
    self.part = part
    hits = shelf.hits(TextSearch(query: text))
    parts = ListPage.parts(of: hits.count, Self.partSize)
    guard (1...parts).contains(part) else { return nil }
  }

  /// Returns the page.
  public func markup(_ links: Links) -> Markup {
    PageFrame(shelf: shelf, links: links).page("Search", .search, look: "search") {
      tag("h1") { "Search" }
      form(links)
      if !text.isEmpty { tag("p", ["role": "status"]) { summary } }
      tag("ul", ["class": "hits"]) { for hit in shown { tag("li") { item(hit, links) } } }
      links.parts(part, of: parts, label: "Pages of results") { .found(text, $0) }
    }
  }

  private var shown: ArraySlice<Bookshelf.Hit> {
    hits.dropFirst((part - 1) * Self.partSize).prefix(Self.partSize)
  }

  private var summary: String {
    switch hits.count {
    case 0: "Nothing was found. Words match as a whole; put a phrase in quotation marks."
    case 1: "Found in 1 record."
    default: "Found in \(hits.count) records."
    }
  }

  private func form(_ links: Links) -> Markup {
    tag("form", ["method": "get", "action": links(.search), "role": "search"]) {
      tag("label") {
        tag("span") { "Words in heroes and stories" }
        tag("input", ["type": "search", "name": "q", "value": text, "dir": "auto"])
      }
      tag("button") { "Search" }
    }
  }

  @MarkupBuilder
  private func item(_ hit: Bookshelf.Hit, _ links: Links) -> Markup {
    let address = links(Place(hit.ref))
    tag("a", ["class": "title", "href": address, "lang": hit.language, "dir": "auto"]) {
      hit.title.markup
    }
    if let hero = hit.hero {
      tag("p", ["class": "about"]) { record("span", [:], StoryRows.clipped(hero)) }
    }
    for line in hit.lines { tag("p", ["lang": hit.language, "dir": "auto"]) { line.markup } }
  }
}
