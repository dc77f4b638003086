/// A hero with its picture, what makes it special, and its stories.
struct HeroPage: Sendable {
  let shelf: Bookshelf
  let links: Links
  let hero: Bookshelf.Hero

  var markup: Markup {
    let stories = shelf.stories(about: hero.ref)
    let frame = PageFrame(shelf: shelf, links: links)
    return frame.page(hero.name, .hero(hero.ref), look: "portrait") {
      tag("div", ["class": "card"]) {
        picture
        tag("div") {
          record("h1", [:], hero.name)
          if let age = hero.age { tag("p", ["class": "age"]) { "\(age) years old" } }
          if !hero.traits.isEmpty {
            tag("ul", ["class": "traits", "aria-label": "Traits"]) {
              for trait in hero.traits { record("li", [:], StoryRows.clipped(trait)) }
            }
          }
          for ability in hero.abilities { record("p", ["class": "ability"], ability) }
        }
      }
      tag("section") {
        tag("h2") { "Stories" }
        if stories.isEmpty {
          tag("p") { "No stories yet." }
        } else {
          StoryRows(shelf: shelf, links: links, namesHero: false).list(stories)
        }
      }
    }
  }

  private var picture: Markup {
    guard let avatar = hero.avatar else {
      return links.tile(nil, of: hero.name, hero.ref)
    }
    return tag(
      "img", ["class": "tile", "src": links(.asset(avatar)), "alt": "Picture of \(hero.name)"])
  }
}
