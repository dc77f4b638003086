import StoryLibrary

/// The first page: the heroes, the favorites and the newest stories.
struct HomePage: Sendable {
  let shelf: Bookshelf
  let links: Links

  /// The maximum number of stories in each part.
  private static let most = 8

  /// The page.
  var markup: Markup {
    PageFrame(shelf: shelf, links: links).page(
      nil, .home, look: "home",
      [
        .tag(
          "div", ["class": "sky"],
          [.record("h1", [:], shelf.title), .tag("p", [:], [.text(counts)])]),
        heroes, stories("Favorites", .favorites, favorites), newest, unreadable,
      ])
  }

  private var counts: String {
    let stories = shelf.stories.count == 1 ? "1 story" : "\(shelf.stories.count) stories"
    guard !shelf.heroes.isEmpty else { return stories }
    return stories + (shelf.heroes.count == 1 ? ", 1 hero" : ", \(shelf.heroes.count) heroes")
  }

  private var heroes: Markup {
    guard !shelf.heroes.isEmpty else { return [] }
    let tile = Tile(links: links)
    return .tag(
      "section", ["aria-labelledby": "heroes"],
      [
        .tag("h2", ["id": "heroes"], ["Heroes"]),
        .tag(
          "ul", ["class": "heroes"],
          shelf.heroes.map { hero in
            .tag(
              "li", [:],
              [
                .tag(
                  "a", ["class": "hero", "href": links(.hero(hero.ref))],
                  [
                    tile.tile(hero.avatar, of: hero.name, hero.ref),
                    .record("span", ["class": "title"], StoryRows.clipped(hero.name)),
                  ])
              ])
          }),
      ])
  }

  private var favorites: [Bookshelf.Story] {
    shelf.stories.filter(\.isFavorite).sorted { $0.readings > $1.readings }
  }

  /// The newest stories; all of them if there are few, or if none is on the server.
  private var newest: Markup {
    let days = shelf.stories.map(\.day)
    let dated = shelf.stories.indices.filter { days[$0] != nil }
      .sorted { days[$1]! < days[$0]! }.map { shelf.stories[$0] }
    guard !dated.isEmpty, shelf.stories.count > Self.most else {
      return stories("Stories", .all, shelf.stories)
    }
    return stories("Newest", .dates, dated)
  }

  /// The records that cannot be read, for those who can repair them.
  private var unreadable: Markup {
    let refs = shelf.omitted.filter { $0.reason == .unreadable }.map(\.ref)
    guard links.formToken != nil, !refs.isEmpty else { return [] }
    return .tag(
      "section", [:],
      [
        .tag("h2", [:], ["Cannot be read"]),
        .tag(
          "ul", ["class": "more"],
          refs.map { ref in
            let place: Place = ref.kind == .heroes ? .hero(ref) : .story(ref)
            return .tag("li", [:], [.record("a", ["href": links(place)], ref.description)])
          }),
      ])
  }

  private func stories(_ name: String, _ list: StoryList, _ all: [Bookshelf.Story]) -> Markup {
    guard !all.isEmpty else { return [] }
    let more: Markup =
      all.count > Self.most
      ? .tag(
        "p", ["class": "more"],
        [.tag("a", ["href": links(.list(list))], [.text("All \(all.count) \(list.noun)")])])
      : []
    return .tag(
      "section", [:],
      [
        .tag("h2", [:], [.text(name)]),
        StoryRows(shelf: shelf, links: links).list(all.prefix(Self.most)), more,
      ])
  }
}
