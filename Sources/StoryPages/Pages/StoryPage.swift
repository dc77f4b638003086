/// A story to read: large text, pictures at their places, the narration, and the way on.
struct StoryPage: Sendable {
  let shelf: Bookshelf
  let links: Links
  let content: StoryContent
  /// The stories before and after it.
  var previous: Bookshelf.Story?
  var next: Bookshelf.Story?

  private var story: Bookshelf.Story { content.story }

  /// The page.
  var markup: Markup {
    PageFrame(shelf: shelf, links: links).page(
      story.title, .story(story.ref), look: "reader",
      [
        .tag(
          "article", [:],
          [
            .tag("header", ["class": "opening"], [hero, heading("h1"), facts, narration]),
            StoryText(links: links).markup(content),
            .tag("p", ["class": "end", "aria-hidden": "true"], ["☾"]), actions,
          ]),
        neighbors,
      ])
  }

  /// The title in a heading of the given level.
  func heading(_ name: StaticString) -> Markup {
    .record(name, [:], story.title, language: story.language)
  }

  private var hero: Markup {
    guard let hero = shelf.hero(of: story) else { return [] }
    return .tag(
      "a", ["class": "byline", "href": links(.hero(hero.ref))],
      [
        Tile(links: links).tile(hero.avatar, of: hero.name, hero.ref),
        .record("span", [:], StoryRows.clipped(hero.name)),
      ])
  }

  private var facts: Markup {
    var facts: [Markup] = [.tag("span", [:], [.text("\(story.minutes) min to read aloud")])]
    if let language = story.language {
      facts.append(.tag("span", [:], [.text(Language.name(language))]))
    }
    if let event = story.event { facts.append(.record("span", [:], StoryRows.clipped(event))) }
    if let day = story.day {
      facts.append(.tag("time", ["datetime": day.machineText], [.text(day.text)]))
    }
    if let times { facts.append(.tag("span", [:], [.text("read \(times)")])) }
    if story.isFavorite { facts.append(StoryRows.star) }
    return .tag("p", ["class": "facts"], facts)
  }

  /// How often it was read, or `nil` if never.
  private var times: String? {
    switch story.readings {
    case ...0: nil
    case 1: "once"
    default: "\(story.readings) times"
    }
  }

  private var narration: Markup {
    guard let narration = content.narration else { return [] }
    return .tag(
      "audio",
      [
        "controls": "controls", "preload": "none", "src": links(.asset(narration)),
        "aria-label": "Narration",
      ])
  }

  /// The buttons that count a reading and flip the star. Forms lead back to them, so they say what came
  /// of it.
  private var actions: Markup {
    guard links.formToken != nil else { return [] }
    return .tag(
      "div", ["class": "actions", "id": Links.actions],
      [
        links.form(.reading(story.ref), [:], [.tag("button", [:], ["Read tonight"])]),
        links.form(
          .favorite(story.ref), [:],
          [
            .tag(
              "input",
              ["type": "hidden", "name": "favorite", "value": story.isFavorite ? "no" : "yes"]),
            .tag(
              "button", [:],
              [
                .tag("span", ["class": "star", "aria-hidden": "true"], ["★"]),
                story.isFavorite ? " No longer a favorite" : " Make it a favorite",
              ]),
          ]),
        times.map { .tag("p", [:], [.text("Read \($0)")]) } ?? [],
      ])
  }

  private var neighbors: Markup {
    let parts = [("Previous", "prev" as StaticString, previous), ("Next", "next", next)]
      .compactMap { name, rel, story -> Markup? in
        guard let story else { return nil }
        return .tag(
          "a",
          ["class": rel.description, "rel": rel.description, "href": links(.story(story.ref))],
          [
            .tag("span", ["class": "about"], [.text(name)]),
            .record(
              "span", ["class": "title"], StoryRows.clipped(story.title),
              language: story.language),
          ])
      }
    return parts.isEmpty ? [] : .tag("nav", ["class": "on", "aria-label": "More stories"], parts)
  }
}

/// The text of a story with its pictures, on pages, on paper and in books.
struct StoryText: Sendable {
  let links: Links
  /// Whether pictures are fetched only when they come into view.
  var isLazy = true
  /// Returns whether a picture can be shown.
  var shows: @Sendable (Asset) -> Bool = { _ in true }

  /// The text.
  func markup(_ content: StoryContent, id: String? = nil) -> Markup {
    let language = content.story.language
    var pictures = content.prose.places(of: content.scenes.filter { shows($0.asset) })[...]
    var parts: [Markup] = []
    for (place, lines) in content.prose.paragraphs.enumerated() {
      while let picture = pictures.first, picture.paragraph <= place {
        parts.append(figure(picture.scene, content.story))
        pictures.removeFirst()
      }
      var text: [Markup] = []
      for (number, line) in lines.enumerated() {
        if number > 0 { text.append(.tag("br")) }
        text.append(.text(line))
      }
      parts.append(.tag("p", ["dir": "auto"], text))
    }
    return .tag("div", ["class": "text", "id": id, "lang": language], parts)
  }

  private func figure(_ scene: ShelfMedia.Scene, _ story: Bookshelf.Story) -> Markup {
    let text = scene.text.isEmpty ? "A picture of “\(story.title)”" : scene.text
    return .tag(
      "figure", [:],
      [
        .tag(
          "img",
          [
            "src": links(.asset(scene.asset)), "alt": text, "loading": isLazy ? "lazy" : nil,
          ])
      ])
  }
}
