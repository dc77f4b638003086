import StoryAPI
import StoryLibrary
import StoryPages
import StoryServer
import StorySync
import Synchronization

/// The pages of `stories browse`, and the functions that answer for their addresses.
///
/// To add a page, give it a ``Place`` with an address in ``BrowseSite/address(of:)`` and a line in
/// ``BrowseSite/routes``:
///
///     .page("changes") { visit in .page(ChangesPage(…, visit.links).markup) }
///     .form("sync") { visit in …; return .seeOther(.sync) }
///
/// A function gets a ``Visit`` and may throw: the error becomes a page with the sentence that a command
/// would print. A form's function is called only after ``BrowseGate`` has checked the cookie, the
/// origin and the token; it ends with `.seeOther`. Pages make such forms with `Links.form`. Functions
/// run on the threads of connections, several at once.
final class BrowseSite: Sendable {
  let library: Library
  let context: Context
  let shelf: LiveShelf
  let sync: BrowseSync
  let keys = BrowseKeys()
  private let state = Mutex(State())

  private struct State {
    /// The number of the last page.
    var page = 0
    /// The pages from which a reading was counted.
    var counted: Set<Int> = []
  }

  /// The maximum number of bytes of a form.
  static let longestForm = 1 << 23
  /// The maximum number of stories of a list on one page.
  static let partSize = 200

  init(_ library: Library, _ context: Context) {
    self.library = library
    // What commands note while they work is not for the server's terminal.
    var context = context
    context.global.isQuiet = true
    context.global.verbosity = 0
    self.context = context
    shelf = LiveShelf(library, context)
    sync = BrowseSync(context)
  }

  // MARK: Routes

  /// A page or form with its address.
  struct Route: Sendable {
    var isForm: Bool
    /// The first segments of the path.
    var path: [String]
    /// Whether the path goes on with a name, such as that of a record.
    var isNamed: Bool
    var answer: @Sendable (Visit) throws -> Reply

    static func page(
      _ path: String..., named: Bool = false, answer: @escaping @Sendable (Visit) throws -> Reply
    ) -> Route {
      Route(isForm: false, path: path, isNamed: named, answer: answer)
    }

    static func form(
      _ path: String..., named: Bool = false, answer: @escaping @Sendable (Visit) throws -> Reply
    ) -> Route {
      Route(isForm: true, path: path, isNamed: named, answer: answer)
    }

    func matches(_ segments: [String]) -> Bool {
      isNamed ? segments.count > path.count && segments.starts(with: path) : segments == path
    }
  }

  /// A request for a page, or a form that was sent.
  struct Visit {
    let site: BrowseSite
    let request: PageServer.Request
    /// The name in the path after the route's own segments, or nothing.
    let name: String
    /// The fields of the form, or of the address.
    let fields: FormFields
    /// The number of the page that the form is from.
    let formPage: Int?
    /// The links of the page to be made.
    let links: Links

    var library: Library { site.library }
    var context: Context { site.context }

    /// Returns the record of a kind that the path names.
    ///
    /// - Throws: ``Missing`` if no record can have the name.
    func ref(_ kind: EntityKind) throws -> RecordRef {
      guard RecordRef.isWellFormed(name) else { throw Missing() }
      return RecordRef(kind: kind, name: name)
    }

    /// Returns the library as it is now.
    ///
    /// - Throws: as ``LiveShelf/current()``.
    func moment() throws -> LiveShelf.Moment { try site.shelf.current() }
  }

  /// The answer to a visit.
  enum Reply {
    /// A page.
    case page(Markup, status: Int = 200)
    /// Another page to show, after a form has done its work.
    case seeOther(Place, query: String = "")
    /// A picture or a narration.
    case asset(Asset)
  }

  /// There is nothing at an address.
  struct Missing: Error {}

  static let routes: [Route] = shelfRoutes + listRoutes + syncRoutes

  private static let listRoutes: [Route] = StoryList.allCases.map { list in
    .page(list.rawValue) { try $0.page(at: .listPart(list, $0.part)) }
  }

  private static let shelfRoutes: [Route] = [
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
  ]

  // MARK: Addresses

  /// Returns the address of a place.
  static func address(of place: Place) -> String {
    func path(_ parts: String...) -> String {
      parts.flatMap { $0.utf8.split(separator: UInt8(ascii: "/")) }
        .map { "/" + percentEncoded(String(Substring($0))) }.joined()
    }
    switch place {
    case .home, .paper: return "/"
    case .list(let list), .listPart(let list, 1): return path(list.rawValue)
    case .listPart(let list, let part): return path(list.rawValue) + "?page=\(part)"
    case .hero(let ref), .story(let ref): return path(ref.description)
    case .asset(let asset): return path("media", asset.path)
    case .styleSheet: return path("style.css")
    case .search: return path("search")
    case .found(let text, let part):
      return path("search") + "?q=\(percentEncoded(text))&page=\(part)"
    case .changes: return path("changes")
    case .conflicts: return path("conflicts")
    case .conflict(let ref): return path("conflicts", ref.description)
    case .sync: return path("sync")
    case .reading(let ref): return path("read", ref.name)
    case .favorite(let ref): return path("favorite", ref.name)
    }
  }

  /// Returns the links of a new page.
  private func newLinks() -> Links {
    let page = state.withLock { state in
      state.page += 1
      return state.page
    }
    var links = Links(Self.address)
    links.formToken = keys.formToken(page)
    links.navigation = [
      (.search, "Search"), (.changes, "Changes"), (.conflicts, "Conflicts"), (.sync, "Sync"),
    ]
    return links
  }

  /// Counts a reading, unless one was counted from the same page: a button may be pressed twice.
  ///
  /// - Throws: errors of `count`; nothing was counted then.
  fileprivate func countReading(from page: Int, _ count: () throws -> Void) throws {
    guard state.withLock({ $0.counted.insert(page).inserted }) else { return }
    do {
      try count()
    } catch {
      state.withLock { _ = $0.counted.remove(page) }
      throw error
    }
  }

  // MARK: Answers

  /// Answers a request that was let through.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - form: The fields of a form and the number of its page, or `nil` for a page.
  func answer(
    _ request: PageServer.Request, form: (fields: FormFields, page: Int)? = nil
  ) -> PageServer.Answer {
    let found = Self.routes.filter { $0.matches(request.segments) }
    let links = newLinks()
    do {
      guard let route = found.first(where: { $0.isForm == (form != nil) }) else {
        guard let other = found.first else { throw Missing() }
        var answer = bare(405, "Nothing was changed", "There is no such form at this address.")
        answer.add("Allow", other.isForm ? "POST" : "GET, HEAD")
        return answer
      }
      let visit = Visit(
        site: self, request: request,
        name: request.segments.dropFirst(route.path.count).joined(separator: "/"),
        fields: form?.fields ?? request.query, formPage: form?.page, links: links)
      switch try route.answer(visit) {
      case .page(let page, let status): return answer(status, page)
      case .seeOther(let place, let query):
        return PageServer.Answer(seeOther: Self.address(of: place) + query)
      case .asset(let asset):
        let file = PageServer.Answer(file: asset.file, type: asset.format.type, to: request)
        guard let file else { throw Missing() }
        return file
      }
    } catch is Missing {
      return message(
        404, "Nothing here", ["There is no page at this address. A record may have been renamed."],
        links)
    } catch {
      let report = ErrorReport(error, in: context)
      let place = report.place.map { $0.shown + ($0.position.map { ":\($0)" } ?? "") + ": " } ?? ""
      return message(
        report.exitCode == .stopped ? 409 : 500, "That did not work",
        [place + report.message] + report.causes + [report.hint].compactMap { $0 }, links)
    }
  }

  private func answer(_ status: Int, _ page: Markup) -> PageServer.Answer {
    PageServer.Answer(status, body: MarkupWriter.document(.html, page))
  }

  /// Returns a page with a few sentences, in the library's frame if it can be read.
  private func message(
    _ status: Int, _ title: String, _ sentences: [String], _ links: Links
  ) -> PageServer.Answer {
    let shelf = try? shelf.current().shelf
    return answer(
      status, MessagePage(title: title, sentences: sentences).markup(shelf: shelf, links: links))
  }

  /// Returns a page with a sentence that says nothing of the library.
  func bare(_ status: Int, _ title: String, _ sentence: String) -> PageServer.Answer {
    var links = Links(Self.address)
    links.navigation = []
    links.formToken = ""
    let page = MessagePage(title: title, sentences: [sentence])
    return answer(status, page.markup(shelf: nil, links: links))
  }

  /// The style sheet, which anybody may have.
  var styleSheet: PageServer.Answer {
    PageServer.Answer(
      200, type: "text/css; charset=utf-8", body: Array((StyleSheet.pages + StyleSheet.work).utf8))
  }
}

// MARK: The shelf

extension BrowseSite.Visit {
  /// The part of a list that the address asks for.
  fileprivate var part: Int { fields["page"].flatMap { Int($0) } ?? 1 }

  /// Returns the page of the shelf at a place.
  ///
  /// - Throws: the problem of a record that is not on the shelf; ``BrowseSite/Missing``.
  fileprivate func page(at place: Place) throws -> BrowseSite.Reply {
    let moment = try moment()
    let page = try moment.shelf.page(at: place, links: links, partSize: BrowseSite.partSize)
    if let page { return .page(page) }
    switch place {
    case .hero(let ref), .story(let ref):
      guard let entry = moment.scan.entry(ref), entry.hasRecord else { break }
      if let problem = entry.problems.first(where: { $0.severity == .error }) { throw problem }
      throw ReadingError.noText(ref)
    default: break
    }
    throw BrowseSite.Missing()
  }

  /// Counts a reading of the story that the path names.
  fileprivate func countReading() throws -> BrowseSite.Reply {
    let story = try story()
    try site.countReading(from: formPage ?? 0) {
      _ = try LibraryEditor(library, time: context.time).countReading(
        of: story.ref, known: story.readings)
    }
    return .seeOther(.story(story.ref))
  }

  /// Makes the story that the path names a favorite, or no longer one.
  fileprivate func setFavorite() throws -> BrowseSite.Reply {
    let story = try story()
    guard let choice = ["yes": true, "no": false][fields["favorite"] ?? ""] else {
      throw BrowseSite.Missing()
    }
    if choice != story.isFavorite {
      try LibraryEditor(library, time: context.time).setFavorite(story.ref, to: choice)
    }
    return .seeOther(.story(story.ref))
  }

  private func story() throws -> Bookshelf.Story {
    guard let story = try moment().shelf.story(ref(.stories)) else { throw BrowseSite.Missing() }
    return story
  }
}
