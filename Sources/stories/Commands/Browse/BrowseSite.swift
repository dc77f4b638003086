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
///     .page("changes") { visit in .page(ChangesPage(…).markup(frame)) }
///     .form("sync") { visit in …; return .seeOther(.sync) }
///
/// A function gets a ``Visit`` and may throw: the error becomes a page with the sentence that a command
/// would print. A form's function is called only after ``BrowseGate`` has checked the cookie, the
/// origin and the token; it ends with `.seeOther`. Pages make such forms with `Links.form`. Functions
/// run on the threads of connections, several at once.
final class BrowseSite: Sendable {
  let context: Context
  let shelf: LiveShelf
  let sync: BrowseSync
  let keys = BrowseKeys()
  /// Whether the address that works once was used.
  private let isOpened = Atomic(false)
  /// The hashes of the forms that were carried out. Each page has its own token, which is one of their
  /// fields.
  private let done = Mutex<Set<Int>>([])

  /// The maximum number of bytes of a form. It holds two texts of 2 MB, of which each byte takes three.
  static let longestForm = 1 << 25
  static let partSize = 200

  init(_ library: Library, _ context: Context) {
    // What commands note while they work is not for the server's terminal.
    var context = context
    context.global.isQuiet = true
    context.global.verbosity = 0
    self.context = context
    shelf = LiveShelf(library, context)
    sync = BrowseSync(context)
  }

  // MARK: Routes

  struct Route: Sendable {
    var isForm: Bool
    /// The first segment of the path.
    var path: String
    /// Whether the path goes on with a name, such as that of a record.
    var isNamed: Bool
    var answer: @Sendable (Visit) throws -> Reply

    static func page(
      _ path: String, named: Bool = false, answer: @escaping @Sendable (Visit) throws -> Reply
    ) -> Route {
      Route(isForm: false, path: path, isNamed: named, answer: answer)
    }

    static func form(
      _ path: String, named: Bool = false, answer: @escaping @Sendable (Visit) throws -> Reply
    ) -> Route {
      Route(isForm: true, path: path, isNamed: named, answer: answer)
    }

    func matches(_ segments: [String]) -> Bool {
      segments.first == path && (segments.count > 1) == isNamed
    }
  }

  struct Visit {
    let site: BrowseSite
    /// The name in the path after the route's own segment, or nothing.
    let name: String
    /// The fields of the form, or of the address.
    let fields: FormFields
    let links: Links

    var context: Context { site.context }

    /// Returns the record of a kind that the path names.
    ///
    /// - Throws: ``Missing`` if no record can have the name.
    func ref(_ kind: EntityKind) throws -> RecordRef {
      guard RecordRef.isWellFormed(name) else { throw Missing() }
      return RecordRef(kind: kind, name: name)
    }

    /// Carries out a form once: a button may be pressed twice. One form is carried out at a time.
    ///
    /// - Parameters:
    ///   - reply: The reply to a form that was carried out before.
    ///   - work: Carries it out, and returns the reply and whether that was all.
    /// - Throws: errors of `work`; it is carried out again then.
    func once(_ reply: Reply, _ work: () throws -> (reply: Reply, isDone: Bool)) throws -> Reply {
      try site.done.withLock { done in
        if done.contains(fields.hashValue) { return reply }
        let (reply, isDone) = try work()
        if isDone { done.insert(fields.hashValue) }
        return reply
      }
    }

    /// Returns the library as it is now.
    func moment() throws -> LiveShelf.Moment { try site.shelf.current() }
  }

  enum Reply {
    case page(Markup, status: Int = 200)
    /// Another page to show, after a form has done its work.
    case seeOther(Place, query: String = "", fragment: String? = nil)
    case asset(Asset)
  }

  struct Missing: Error {}

  static let routes: [Route] = shelfRoutes + listRoutes + syncRoutes

  // MARK: Addresses

  private func address(of place: Place) -> String {
    // Anybody may have the style, and the locked page needs it.
    if case .styleSheet = place { return "/style.css" }
    return "/\(keys.path)" + Self.path(of: place)
  }

  private static func path(of place: Place) -> String {
    func path(_ parts: String...) -> String {
      parts.flatMap { $0.utf8.split(separator: UInt8(ascii: "/")) }
        .map { "/" + percentEncoded(String(Substring($0))) }.joined()
    }
    switch place {
    case .home, .paper: return "/"
    case .list(let list, part: 1): return path(list.rawValue)
    case .list(let list, let part): return path(list.rawValue) + "?page=\(part)"
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

  private func newLinks() -> Links {
    var links = Links { self.address(of: $0) }
    links.formToken = keys.newFormToken()
    links.navigation = [
      (.search, "Search"), (.changes, "Changes"), (.conflicts, "Conflicts"), (.sync, "Sync"),
    ]
    return links
  }

  /// Returns whether the address that works once was not used before.
  func takeOpening() -> Bool { !isOpened.exchange(true, ordering: .relaxed) }

  // MARK: Answers

  /// Answers a request that was let through.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - path: The segments of its path below the secret one.
  ///   - form: The fields of a form, or `nil` for a page.
  func answer(
    _ request: ServerRequest, at path: [String], form: FormFields? = nil
  ) -> ServerResponse {
    let found = Self.routes.filter { $0.matches(path) }
    let links = newLinks()
    do {
      guard let route = found.first(where: { $0.isForm == (form != nil) }) else {
        guard !found.isEmpty else { throw Missing() }
        var answer = message(
          405, "Nothing was changed", ["No form can be sent to this address."], links)
        answer.headers.append(HTTPHeader("Allow", "GET, HEAD"))
        return answer
      }
      let visit = Visit(
        site: self, name: path.dropFirst().joined(separator: "/"),
        fields: form ?? request.query, links: links)
      switch try route.answer(visit) {
      case .page(let page, let status): return answer(status, page)
      case .seeOther(let place, let query, let fragment):
        let end = fragment.map { "#" + $0 } ?? ""
        return ServerResponse(seeOther: address(of: place) + query + end)
      case .asset(let asset):
        let file = ServerResponse(file: asset.file, type: asset.format.type, to: request)
        guard let file else { throw Missing() }
        return file
      }
    } catch is Missing {
      return message(
        404, "Nothing here", ["There is no page at this address. A record may have been renamed."],
        links)
    } catch {
      let report = Self.report(error, in: context)
      let place = report.place.map { $0.text + ": " } ?? ""
      return message(
        report.httpStatus, "That did not work",
        [place + report.message] + report.causes + [report.hint].compactMap { $0 }, links,
        form.map { BrowseConflicts.unsaved(BrowseConflicts.typed($0)) } ?? [])
    }
  }

  private static func report(_ error: any Error, in context: Context) -> ErrorReport {
    guard case LibraryError.notFound(let root) = error else {
      return ErrorReport(error, in: context)
    }
    return ErrorReport(
      "no-library",
      "The library is gone: \(context.shown(Path.join(root, "library.json"))) is missing.",
      hint: "Put it back, then load this page again.")
  }

  private func answer(_ status: Int, _ page: Markup) -> ServerResponse {
    ServerResponse(
      status, type: "text/html; charset=utf-8", body: MarkupWriter.document(.html, page))
  }

  /// Returns a page with a few sentences, in the library's frame if it can be read.
  private func message(
    _ status: Int, _ title: String, _ sentences: [String], _ links: Links, _ notices: [Notice] = []
  ) -> ServerResponse {
    let shelf = try? shelf.current().shelf
    let frame = PageFrame(shelf: shelf, links: links)
    return answer(status, frame.message(title, sentences, notices))
  }

  /// Returns a page with a sentence that says nothing of the library.
  ///
  /// - Parameter isUnlocked: Whether it may have the path of the other pages.
  func bare(
    _ status: Int, _ title: String, _ sentence: String, _ notices: [Notice] = [],
    isUnlocked: Bool = false
  ) -> ServerResponse {
    var links = Links { [self] in isUnlocked ? address(of: $0) : Self.path(of: $0) }
    links.navigation = []
    links.formToken = ""
    let frame = PageFrame(shelf: nil, links: links)
    return answer(status, frame.message(title, [sentence], notices))
  }

  /// The style sheet, which anybody may have.
  var styleSheet: ServerResponse {
    ServerResponse(
      200, type: "text/css; charset=utf-8", body: Array((StyleSheet.pages + StyleSheet.work).utf8))
  }
}

extension ErrorReport {
  /// The status of a page that shows this error: 409 if something has to end or be done first.
  var httpStatus: Int { exitCode == .stopped ? 409 : 500 }
}
