import StoryLibrary

/// The first page: the heroes, the favorites and the newest stories.
struct HomePage: Sendable {
  let shelf: Bookshelf
  let links: Links

  /// The maximum number of stories in each part.
  private static let most = 8

  var markup: Markup {
    PageFrame(shelf: shelf, links: links).page(nil, .home, look: "home") {
      tag("div", ["class": "sky"]) {
        record("h1", [:], shelf.title)
        tag("p") { counts }
      }
      heroes
      stories("Favorites", .favorites, favorites)
      newest
      unreadable
    }
  }

  private var counts: String {
    let stories = shelf.stories.count == 1 ? "1 story" : "\(shelf.stories.count) stories"
    guard !shelf.heroes.isEmpty else { return stories }
    return stories + (shelf.heroes.count == 1 ? ", 1 hero" : ", \(shelf.heroes.count) heroes")
  }

  @MarkupBuilder
  private var heroes: Markup {
    if !shelf.heroes.isEmpty {
      tag("section", ["aria-labelledby": "heroes"]) {
        tag("h2", ["id": "heroes"]) { "Heroes" }
        tag("ul", ["class": "heroes"]) {
          for hero in shelf.heroes {
            tag("li") {
              tag("a", ["class": "hero", "href": links(.hero(hero.ref))]) {
                links.tile(hero.avatar, of: hero.name, hero.ref)
                record("span", ["class": "title"], StoryRows.clipped(hero.name))
              }
            }
          }
        }
      }
    }
  }

  private var favorites: [Bookshelf.Story] {
    shelf.stories.filter(\.isFavorite).sorted { $0.readings > $1.readings }
  }

  /// The newest stories; all of them if there are few, or if none is on the server.
  private var newest: Markup {
    let dated = shelf.stories.filter { $0.day != nil }.sorted { $1.day! < $0.day! }
    guard !dated.isEmpty, shelf.stories.count > Self.most else {
      return stories("Stories", .all, shelf.stories)
    }
    return stories("Newest", .dates, dated)
  }

  /// The records that cannot be read, for those who can repair them.
  @MarkupBuilder
  private var unreadable: Markup {
    let refs = shelf.omitted.filter { $0.reason == .unreadable }.map(\.ref)
    if links.formToken != nil, !refs.isEmpty {
      tag("section") {
        tag("h2") { "Cannot be read" }
        tag("ul", ["class": "more"]) {
          for ref in refs {
            tag("li") { record("a", ["href": links(Place(ref))], ref.description) }
          }
        }
      }
    }
  }

  @MarkupBuilder
  private func stories(_ name: String, _ list: StoryList, _ all: [Bookshelf.Story]) -> Markup {
    if !all.isEmpty {
      tag("section") {
        tag("h2") { name }
        StoryRows(shelf: shelf, links: links).list(all.prefix(Self.most))
        if all.count > Self.most {
          tag("p", ["class": "more"]) {
            tag("a", ["href": links(.list(list))]) { "All \(all.count) \(list.noun)" }
          }
        }
      }
    }
  }
}
