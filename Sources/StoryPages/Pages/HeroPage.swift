/// A hero with its picture, what makes it special, and its stories.
struct HeroPage: Sendable {
  let shelf: Bookshelf
  let links: Links
  let hero: Bookshelf.Hero

  /// The page.
  func markup(_ stories: [Bookshelf.Story]) -> Markup {
    PageFrame(shelf: shelf, links: links).page(
      hero.name, .hero(hero.ref), look: "portrait",
      [
        .tag(
          "div", ["class": "card"],
          [
            picture,
            .tag(
              "div", [:],
              [
                .record("h1", [:], hero.name),
                hero.age.map { .tag("p", ["class": "age"], [.text("\($0) years old")]) } ?? [],
                traits,
                .group(hero.abilities.map { .record("p", ["class": "ability"], $0) }),
              ]),
          ]),
        .tag(
          "section", [:],
          [
            .tag("h2", [:], ["Stories"]),
            stories.isEmpty
              ? .tag("p", [:], ["No stories yet."])
              : StoryRows(shelf: shelf, links: links, namesHero: false).list(stories),
          ]),
      ])
  }

  private var picture: Markup {
    guard let avatar = hero.avatar else {
      return Tile(links: links).tile(nil, of: hero.name, hero.ref)
    }
    return .tag(
      "img",
      ["class": "tile", "src": links(.asset(avatar)), "alt": "Picture of \(hero.name)"])
  }

  private var traits: Markup {
    guard !hero.traits.isEmpty else { return [] }
    return .tag(
      "ul", ["class": "traits", "aria-label": "Traits"],
      hero.traits.map { .record("li", [:], StoryRows.clipped($0)) })
  }
}
