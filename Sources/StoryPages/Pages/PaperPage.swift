/// All stories on one page, one after the other, to be printed by the browser.
struct PaperPage: Sendable {
  let shelf: Bookshelf
  let links: Links

  /// Writes the page in parts, so that it is never held as a whole.
  ///
  /// - Throws: ``ExportError/changed(_:)``; errors of `write`.
  func write(to write: ([UInt8]) throws -> Void) throws {
    var writer = MarkupWriter(.html)
    writer.start("html", ["lang": "en"])
    writer.write(PageFrame(shelf: shelf, links: links).head(nil))
    writer.start("body", ["class": "paper"])
    writer.write(
      tag("header", ["class": "screen"]) {
        tag("a", ["href": links(.home)]) { "Back to the library" }
        " Print this page for a book on paper."
      })
    writer.start("main")
    writer.write(titlePage)
    for story in shelf.stories {
      let content = try shelf.content(of: story)
      writer.write(
        tag("article") {
          record("h2", [:], content.story.title, language: content.story.language)
          StoryText(links: links, isLazy: false).markup(content)
        })
      try write(writer.takeBytes())
    }
    writer.end("main")
    writer.end("body")
    writer.end("html")
    try write(writer.bytes)
  }

  private var titlePage: Markup {
    tag("div", ["class": "cover"]) {
      tag("p", ["class": "moon", "aria-hidden": "true"]) { "☾" }
      record("h1", [:], shelf.title)
      for hero in shelf.heroes.prefix(40) { record("p", [:], StoryRows.clipped(hero.name)) }
    }
  }
}
