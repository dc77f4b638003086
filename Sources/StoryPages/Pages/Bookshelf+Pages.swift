import StoryLibrary

extension Bookshelf {
  /// Returns the page of a shelf at a place, or `nil` if the shelf has none there.
  ///
  /// - Parameters:
  ///   - place: The first page, a list, a hero or a story.
  ///   - links: The links of the page.
  ///   - partSize: The maximum number of stories of a list on one page.
  /// - Throws: ``ExportError/changed(_:)`` if a story has changed meanwhile and cannot be read.
  public func page(
    at place: Place, links: Links, partSize: Int = .max
  ) throws(ExportError) -> Markup? {
    switch place {
    case .home: return HomePage(shelf: self, links: links).markup
    case .list(let list, let part):
      return ListPage(shelf: self, links: links, list: list, part: part, partSize: partSize).markup
    case .hero(let ref):
      return hero(ref).map { HeroPage(shelf: self, links: links, hero: $0).markup }
    case .story(let ref):
      guard let story = story(ref) else { return nil }
      return StoryPage(shelf: self, links: links, content: try content(of: story)).markup
    default: return nil
    }
  }
}
