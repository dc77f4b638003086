import StoryLibrary
import StoryPages
import StoryServer
import StorySync

extension BrowseSite {
  static let listRoutes: [Route] = StoryList.allCases.map { list in
    .page(list.rawValue) { try $0.page(at: .list(list, part: $0.part)) }
  }

  static let shelfRoutes: [Route] = [
    .page("") { try $0.page(at: .home) },
    .page("heroes", named: true) { try $0.page(at: .hero($0.ref(.heroes))) },
    .page("stories", named: true) { try $0.page(at: .story($0.ref(.stories))) },
    .page("search") { visit in
      let page = SearchPage(
        text: visit.fields["q"] ?? "", part: visit.part, shelf: try visit.moment().shelf)
      guard let page else { throw Missing() }
      return .page(page.markup(visit.links))
    },
    .page("media", named: true) { visit in
      guard let asset = visit.site.shelf.asset(visit.name) else { throw Missing() }
      return .asset(asset)
    },
    .form("read", named: true) { try $0.countReading() },
    .form("favorite", named: true) { try $0.setFavorite() },
    // The address of a button that could not do its work is in the address bar.
    .page("read", named: true) { .seeOther(.story(try $0.ref(.stories))) },
    .page("favorite", named: true) { .seeOther(.story(try $0.ref(.stories))) },
  ]
}

extension BrowseSite.Visit {
  fileprivate var part: Int { fields["page"].flatMap { Int($0) } ?? 1 }

  /// Returns the page of the shelf at a place.
  ///
  /// - Throws: ``BrowseSite/Missing``.
  fileprivate func page(at place: Place) throws -> BrowseSite.Reply {
    let moment = try moment()
    let page = try moment.shelf.page(at: place, links: links, partSize: BrowseSite.partSize)
    if let page { return .page(page) }
    switch place {
    case .hero(let ref), .story(let ref): return try note(on: ref, moment)
    default: throw BrowseSite.Missing()
    }
  }

  /// Returns a page for a record that is not on the shelf, with the reason.
  private func note(on ref: RecordRef, _ moment: LiveShelf.Moment) throws -> BrowseSite.Reply {
    guard let entry = moment.scan.entry(ref), entry.hasRecord else { throw BrowseSite.Missing() }
    let reader = RecordReader(library: moment.library, references: moment.scan.references)
    let errors = entry.problems.filter { $0.severity == .error }
    let frame = PageFrame(shelf: moment.shelf, links: links)
    return .page(
      frame.message(
        reader.content(of: entry)?.title ?? ref.description,
        errors.isEmpty ? ["This is a draft: it has no text yet."] : [],
        errors.map { Notice($0, in: moment.library, context) }))
  }

  private static func reason(_ ref: RecordRef, _ moment: LiveShelf.Moment) -> any Error {
    guard let entry = moment.scan.entry(ref), entry.hasRecord else { return BrowseSite.Missing() }
    return entry.problems.first { $0.severity == .error }.map { $0 as any Error }
      ?? ReadingError.noText(ref)
  }

  fileprivate func countReading() throws -> BrowseSite.Reply {
    let (story, library) = try story()
    let reply = BrowseSite.Reply.seeOther(.story(story.ref), fragment: Links.actions)
    return try once(reply) {
      _ = try LibraryEditor(library, time: context.time).countReading(
        of: story.ref, known: story.readings)
      return (reply, isDone: true)
    }
  }

  /// Makes the story that the path names a favorite, or no longer one.
  fileprivate func setFavorite() throws -> BrowseSite.Reply {
    let (story, library) = try story()
    guard let choice = ["yes": true, "no": false][fields["favorite"] ?? ""] else {
      throw BrowseSite.Missing()
    }
    if choice != story.isFavorite {
      try LibraryEditor(library, time: context.time).setFavorite(story.ref, to: choice)
    }
    return .seeOther(.story(story.ref), fragment: Links.actions)
  }

  private func story() throws -> (Bookshelf.Story, Library) {
    let (moment, ref) = (try moment(), try ref(.stories))
    guard let story = moment.shelf.story(ref) else { throw Self.reason(ref, moment) }
    if let problem = moment.scan.entry(ref)?.outdatedProblem { throw problem }
    return (story, moment.library)
  }
}
