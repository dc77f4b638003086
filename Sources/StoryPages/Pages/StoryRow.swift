import StoryLibrary

/// A list of stories, each a link with its picture, title and a line about it.
struct StoryRows: Sendable {
  let shelf: Bookshelf
  let links: Links
  /// Whether each story names its hero.
  var namesHero = true

  func list(_ stories: some Sequence<Bookshelf.Story>) -> Markup {
    tag("ul", ["class": "rows"]) { for story in stories { tag("li") { row(story) } } }
  }

  private func row(_ story: Bookshelf.Story) -> Markup {
    tag("a", ["class": "row", "href": links(.story(story.ref))]) {
      links.tile(story.picture, of: story.title, story.ref)
      tag("span", ["class": "words"]) {
        record(
          "span", ["class": "title"], Self.clipped(story.title), language: story.language)
        tag("span", ["class": "about"]) {
          if namesHero, let hero = shelf.hero(of: story) {
            record("span", [:], Self.clipped(hero.name))
          }
          tag("span") { "\(story.minutes) min" }
          if let language = story.language, shelf.lists.contains(.languages) {
            tag("span") { Language.name(language) }
          }
        }
      }
      if story.isFavorite { Self.star }
    }
  }

  static let star = tag("span", ["class": "star", "role": "img", "aria-label": "Favorite"]) { "★" }

  /// Returns a title that fits into a list.
  static func clipped(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(160)
    return start.endIndex == text.unicodeScalars.endIndex ? text : String(start) + "…"
  }
}

extension Links {
  /// Returns a small square for something whose name is next to it: its picture, or its first letter
  /// on a color of its own.
  func tile(_ asset: Asset?, of name: String, _ ref: RecordRef) -> Markup {
    if let asset {
      return tag(
        "img", ["class": "tile", "src": self(.asset(asset)), "alt": "", "loading": "lazy"])
    }
    let letter = name.first { $0.isLetter || $0.isNumber }.map { String($0).uppercased() } ?? "☾"
    return tag("span", ["class": "tile tint\(Self.tint(ref))", "aria-hidden": "true"]) {
      // A letter with a thousand marks is still one letter.
      String(letter.unicodeScalars.prefix(4))
    }
  }

  /// Returns one of six colors, always the same for one record.
  private static func tint(_ ref: RecordRef) -> Int {
    Int(ContentDigest(ref.description.utf8).description.utf8.first ?? 0) % 6
  }
}
