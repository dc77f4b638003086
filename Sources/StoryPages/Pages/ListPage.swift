/// A page with a list of stories in groups.
struct ListPage: Sendable {
  let shelf: Bookshelf
  let links: Links
  let list: StoryList
  /// The part of the list, counted from 1, if it is too long for one page.
  let part: Int
  /// The maximum number of stories of a part.
  let partSize: Int

  /// The name of a group, and the places of its stories in the list.
  private typealias Group = (name: String, places: Range<Int>)

  static func parts(of count: Int, _ partSize: Int) -> Int {
    max(1, count / partSize + (count % partSize > 0 ? 1 : 0))
  }

  /// The page, or `nil` if the list has no such part.
  var markup: Markup? {
    let stories = shelf.stories(in: list)
    let parts = Self.parts(of: stories.count, partSize)
    guard (1...parts).contains(part) else { return nil }
    let groups = groups(stories)
    let rows = StoryRows(shelf: shelf, links: links)
    let start = min(stories.count, (part - 1) * partSize)
    let shown = start..<start + min(partSize, stories.count - start)
    return PageFrame(shelf: shelf, links: links).page(list.name, .list(list), look: "list") {
      tag("h1") { list.name }
      if groups.count > 2 {
        tag("nav", ["class": "jumps", "aria-label": "Jump to"]) {
          for (place, group) in groups.enumerated() {
            let page = group.places.lowerBound / partSize + 1
            let address = page == part ? "" : links(.list(list, part: page))
            tag("a", ["href": "\(address)#g\(place)"]) { group.name }
          }
        }
      }
      for (place, group) in groups.enumerated() where group.places.overlaps(shown) {
        tag("section") {
          if !group.name.isEmpty { tag("h2", ["id": "g\(place)"]) { group.name } }
          rows.list(stories[group.places.clamped(to: shown)])
        }
      }
      links.parts(part, of: parts, label: "Parts of this list") { .list(list, part: $0) }
    }
  }

  private func groups(_ stories: [Bookshelf.Story]) -> [Group] {
    switch list {
    case .all: Self.groups(stories) { SortKey.initial($0.sortKey) }
    case .favorites: [("", stories.indices)]
    case .languages: Self.groups(stories, \.languageName)
    case .dates: Self.groups(stories) { $0.day?.monthText ?? "Not on a server yet" }
    }
  }

  /// Returns neighbors with the same name as one group.
  private static func groups(
    _ stories: [Bookshelf.Story], _ name: (Bookshelf.Story) -> String
  ) -> [Group] {
    var groups: [Group] = []
    for (place, story) in stories.enumerated() {
      let name = name(story)
      if groups.last?.name == name {
        groups[groups.count - 1].places = groups[groups.count - 1].places.lowerBound..<place + 1
      } else {
        groups.append((name, place..<place + 1))
      }
    }
    return groups
  }
}

extension Bookshelf.Story {
  /// The name of the language, for headings.
  var languageName: String { language.map(Language.name) ?? "Other" }
}

extension Links {
  /// Returns the way to the parts before and after one of a long list, or nothing for a short one.
  @MarkupBuilder
  func parts(_ part: Int, of parts: Int, label: String, _ place: (Int) -> Place) -> Markup {
    if parts > 1 {
      tag("nav", ["class": "parts", "aria-label": label]) {
        if part > 1 { tag("a", ["rel": "prev", "href": self(place(part - 1))]) { "Previous" } }
        tag("span") { "Page \(part) of \(parts)" }
        if part < parts { tag("a", ["rel": "next", "href": self(place(part + 1))]) { "Next" } }
      }
    }
  }
}
