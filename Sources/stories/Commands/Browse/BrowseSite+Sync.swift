import StoryAPI
import StoryLibrary
import StoryPages
import StoryServer

extension BrowseSite {
  static let syncRoutes: [Route] = [
    .page("changes") { visit in
      let moment = try visit.moment()
      return visit.reply(ChangesPage(moment, of: moment.library, visit.context).markup, moment)
    },
    .page("conflicts") { visit in
      let (moment, conflicts) = try visit.conflicts()
      let resolved = visit.fields[resolvedField].flatMap { RecordRef($0) }
      return visit.reply(conflicts.list(resolved: resolved).markup, moment)
    },
    .page("conflicts", named: true) { visit in
      let (moment, conflicts) = try visit.conflicts()
      let ref = try visit.ref()
      guard let page = conflicts.page(ref) else {
        return visit.reply(conflicts.list(resolved: ref).markup, moment, status: 404)
      }
      return visit.reply(page.markup, moment)
    },
    .form("conflicts", named: true) { visit in
      let ref = try visit.ref()
      let resolved = Reply.seeOther(
        .conflicts, query: "?\(resolvedField)=" + percentEncoded(ref.description))
      return try visit.once(resolved) {
        let (moment, conflicts) = try visit.conflicts()
        switch try conflicts.resolve(ref, visit.fields, rescan: { try visit.moment().scan }) {
        case .resolved: return (resolved, isDone: true)
        case .page(let page, let status):
          return (visit.reply(page.markup, moment, status: status), false)
        case .list(let page, let status):
          return (visit.reply(page.markup, moment, status: status), false)
        }
      }
    },
    .page("sync") { visit in try visit.syncPage() },
    .form("sync") { visit in
      let direction = visit.fields[SyncPage.directionField]
        .flatMap(SyncPage.Direction.init(rawValue:))
      guard let direction else {
        return try visit.syncPage(
          Notice(.error, "No sync was started: press one of the buttons."), status: 422)
      }
      let library = try visit.site.shelf.library()
      try visit.context.checkState(of: library)
      switch visit.site.sync.start(direction, of: library) {
      case .started, .running(direction): return .seeOther(.sync)
      case .running:
        return try visit.syncPage(
          Notice(.warning, "Another sync is running. Press the button again when it has ended."),
          status: 409)
      case .stopped:
        return try visit.syncPage(
          Notice(.error, "No sync was started: `stories browse` is about to end."), status: 503)
      }
    },
  ]

  /// The field of the address that names a record which was resolved.
  private static let resolvedField = "resolved"
}

extension BrowseSite.Visit {
  /// Returns the record that the path names with its kind.
  fileprivate func ref() throws -> RecordRef {
    let parts = name.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let kind = EntityKind(rawValue: String(parts[0])),
      RecordRef.isWellFormed(String(parts[1]))
    else { throw BrowseSite.Missing() }
    return RecordRef(kind: kind, name: String(parts[1]))
  }

  fileprivate func conflicts() throws -> (LiveShelf.Moment, BrowseConflicts) {
    let moment = try moment()
    return (moment, BrowseConflicts(moment.scan, of: moment.library, context))
  }

  /// Returns a page in the frame of the library.
  fileprivate func reply(
    _ markup: (PageFrame) -> Markup, _ moment: LiveShelf.Moment, status: Int = 200
  ) -> BrowseSite.Reply {
    .page(markup(PageFrame(shelf: moment.shelf, links: links)), status: status)
  }

  fileprivate func syncPage(_ notice: Notice? = nil, status: Int = 200) throws -> BrowseSite.Reply {
    // The library may name another server than before.
    let setting = try context.serverSetting(try site.shelf.library())
    var page = site.sync.page(server: setting.server.shown)
    page.notices = notice.map { [$0] } ?? []
    // While a sync runs, the files are being written.
    let moment = try page.isRunning ? site.shelf.last() : moment()
    return reply(page.markup, moment, status: status)
  }
}
