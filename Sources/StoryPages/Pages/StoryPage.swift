/// A story to read: large text, pictures at their places, the narration, and the way on.
struct StoryPage: Sendable {
  let shelf: Bookshelf
  let links: Links
  let content: StoryContent

  private var story: Bookshelf.Story { content.story }

  var markup: Markup {
    PageFrame(shelf: shelf, links: links).page(story.title, .story(story.ref), look: "reader") {
      tag("article") {
        tag("header", ["class": "opening"]) {
          hero
          record("h1", [:], story.title, language: story.language)
          facts
          narration
        }
        StoryText(links: links).markup(content)
        tag("p", ["class": "end", "aria-hidden": "true"]) { "☾" }
        actions
      }
      neighbors
    }
  }

  @MarkupBuilder
  private var hero: Markup {
    if let hero = shelf.hero(of: story) {
      tag("a", ["class": "byline", "href": links(.hero(hero.ref))]) {
        links.tile(hero.avatar, of: hero.name, hero.ref)
        record("span", [:], StoryRows.clipped(hero.name))
      }
    }
  }

  private var facts: Markup {
    tag("p", ["class": "facts"]) {
      tag("span") { "\(story.minutes) min to read aloud" }
      if let language = story.language { tag("span") { Language.name(language) } }
      if let event = story.event { record("span", [:], StoryRows.clipped(event)) }
      if let day = story.day { tag("time", ["datetime": day.machineText]) { day.text } }
      if let times { tag("span") { "read \(times)" } }
      if story.isFavorite { StoryRows.star }
    }
  }

  /// How often it was read, or `nil` if never.
  private var times: String? {
    switch story.readings {
    case ...0: nil
    case 1: "once"
    default: "\(story.readings) times"
    }
  }

  @MarkupBuilder
  private var narration: Markup {
    if let narration = content.narration {
      let source = links(.asset(narration))
      tag(
        "audio",
        ["controls": "controls", "preload": "none", "src": source, "aria-label": "Narration"])
    }
  }

  /// The buttons that count a reading and flip the star. Forms lead back to them, so they say what came
  /// of it.
  @MarkupBuilder
  private var actions: Markup {
    if links.formToken != nil {
      let flipped = story.isFavorite ? "no" : "yes"
      tag("div", ["class": "actions", "id": Links.actions]) {
        links.form(.reading(story.ref)) { tag("button") { "Read tonight" } }
        links.form(.favorite(story.ref)) {
          tag("input", ["type": "hidden", "name": "favorite", "value": flipped])
          tag("button") {
            tag("span", ["class": "star", "aria-hidden": "true"]) { "★" }
            story.isFavorite ? " No longer a favorite" : " Make it a favorite"
          }
        }
        if let times { tag("p") { "Read \(times)" } }
      }
    }
  }

  @MarkupBuilder
  private var neighbors: Markup {
    let (previous, next) = shelf.neighbors(of: story.ref)
    if previous != nil || next != nil {
      tag("nav", ["class": "on", "aria-label": "More stories"]) {
        if let previous { link("Previous", "prev", previous) }
        if let next { link("Next", "next", next) }
      }
    }
  }

  private func link(_ name: String, _ rel: String, _ story: Bookshelf.Story) -> Markup {
    tag("a", ["class": rel, "rel": rel, "href": links(.story(story.ref))]) {
      tag("span", ["class": "about"]) { name }
      record(
        "span", ["class": "title"], StoryRows.clipped(story.title), language: story.language)
    }
  }
}

/// The text of a story with its pictures, on pages, on paper and in books.
struct StoryText: Sendable {
  let links: Links
  /// Whether pictures are fetched only when they come into view.
  var isLazy = true
  /// Returns whether a picture can be shown.
  var shows: @Sendable (Asset) -> Bool = { _ in true }

  func markup(_ content: StoryContent) -> Markup {
    let pictures = content.prose.places(of: content.scenes.filter { shows($0.asset) })
    return tag("div", ["class": "text", "lang": content.story.language]) {
      for (place, lines) in content.prose.paragraphs.enumerated() {
        for picture in pictures where picture.paragraph == place {
          figure(picture.scene, content.story)
        }
        tag("p", ["dir": "auto"]) {
          for (number, line) in lines.enumerated() {
            if number > 0 { tag("br") }
            line
          }
        }
      }
    }
  }

  private func figure(_ scene: ShelfMedia.Scene, _ story: Bookshelf.Story) -> Markup {
    let text = scene.text.isEmpty ? "A picture of “\(story.title)”" : scene.text
    let source = links(.asset(scene.asset))
    return tag("figure") {
      tag("img", ["src": source, "alt": text, "loading": isLazy ? "lazy" : nil])
    }
  }
}
