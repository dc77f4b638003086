import StoryAPI
import StoryLibrary
import StoryPages
import StoryServer

extension BrowseSite {
  /// The pages of changes, conflicts and sync.
  static let syncRoutes: [Route] = [
    .page("changes") { visit in
      let moment = try visit.moment()
      let page = ChangesPage(moment, of: moment.library, visit.context)
      return .page(page.markup(visit.frame(moment), visit.links))
    },
    .page("conflicts") { visit in
      let moment = try visit.moment()
      let resolved = visit.fields[resolvedField].flatMap { RecordRef($0) }
      let page = BrowseConflicts(moment.scan, of: moment.library, visit.context)
        .list(resolved: resolved)
      return .page(page.markup(visit.frame(moment), visit.links))
    },
    .page("conflicts", named: true) { visit in
      let moment = try visit.moment()
      let conflicts = BrowseConflicts(moment.scan, of: moment.library, visit.context)
      let ref = try visit.ref()
      guard let page = conflicts.page(ref) else {
        return .page(
          conflicts.list(resolved: ref).markup(visit.frame(moment), visit.links), status: 404)
      }
      return .page(page.markup(visit.frame(moment), visit.links))
    },
    .form("conflicts", named: true) { visit in
      let ref = try visit.ref()
      let resolved = Reply.seeOther(
        .conflicts, query: "?\(resolvedField)=" + percentEncoded(ref.description))
      return try visit.once(resolved) {
        let moment = try visit.moment()
        let conflicts = BrowseConflicts(moment.scan, of: moment.library, visit.context)
        switch try conflicts.resolve(ref, visit.fields, rescan: { try visit.moment().scan }) {
        case .resolved: return (resolved, isDone: true)
        case .page(let page, let status):
          return (.page(page.markup(visit.frame(moment), visit.links), status: status), false)
        case .list(let page, let status):
          return (.page(page.markup(visit.frame(moment), visit.links), status: status), false)
        }
      }
    },
    .page("sync") { visit in .page(try visit.syncPage()) },
    .form("sync") { visit in
      let direction = visit.fields[SyncPage.directionField]
        .flatMap(SyncPage.Direction.init(rawValue:))
      guard let direction else {
        let notice = Notice(.error, "No sync was started: press one of the buttons.")
        return .page(try visit.syncPage([notice]), status: 422)
      }
      let library = try visit.site.shelf.library()
      try visit.context.checkState(of: library)
      switch visit.site.sync.start(direction, of: library) {
      case .started, .running(direction): return .seeOther(.sync)
      case .running:
        let notice = Notice(
          .warning, "Another sync is running. Press the button again when it has ended.")
        return .page(try visit.syncPage([notice]), status: 409)
      case .stopped:
        let notice = Notice(.error, "No sync was started: `stories browse` is about to end.")
        return .page(try visit.syncPage([notice]), status: 503)
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

  /// Returns the page of the sync.
  fileprivate func syncPage(_ notices: [Notice] = []) throws -> Markup {
    // The library may name another server than before.
    let setting = try context.serverSetting(try site.shelf.library())
    var page = site.sync.page(server: setting.server.shown)
    page.notices = notices
    // While a sync runs, the files are being written.
    let moment = try page.isRunning ? site.shelf.last() : moment()
    return page.markup(frame(moment), links)
  }

  fileprivate func frame(_ moment: LiveShelf.Moment) -> PageFrame {
    PageFrame(shelf: moment.shelf, links: links)
  }
}
