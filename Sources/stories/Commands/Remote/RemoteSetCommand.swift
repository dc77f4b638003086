import JSONText
import StoryAPI
import StoryLibrary
import StorySync

struct RemoteSetCommand: Command {
  var server = ""
  var allowsPlainHTTP = false
  var abandonsWrites = false
  var isDryRun = false

  static let name = "set"
  static let summary = "Move the library to another server"
  static let discussion = """
    The ids in the sidecars belong to one server and account, so the sidecars are removed (and \
    kept; see `stories log`). The next sync matches records that the new server already has by \
    their content, and creates the others. Nothing is sent now. If the server stays the same, it \
    is asked for the account, and the library moves only if that is another one. Ids that belong to \
    the new server already, as after library.json was lost, are kept.

    If a sync was cut off, a push must first find out what the old server has taken; and a record \
    that is missing or unreadable here must come back first. If that server is gone for good, \
    --abandon-unconfirmed moves the library anyway: your records stay as they are, and the new \
    server gets them all.

    An http:// address is refused unless it is this machine, because anyone on the network could read \
    what is sent. --allow-plain-http allows it for that address. This is recorded in your own \
    configuration folder (STORIES_CONFIG_DIR, else XDG_CONFIG_HOME/stories, else \
    ~/.config/stories), never in the library.
    """
  static let examples = [
    Example("stories remote set https://stories.example", "a server on the network"),
    Example("stories remote set embedded", "back to the embedded server"),
    Example("stories remote set http://nas.local:8080 --allow-plain-http", "one in your household"),
  ]
  static let parameters: [Parameter<RemoteSetCommand>] = [
    .argument("URL", \.server, help: "The server's address, or \"embedded\""),
    .allowPlainHTTP(\.allowsPlainHTTP),
    .flag(
      "abandon-unconfirmed", \.abandonsWrites,
      help: "Move although the old server has something that is not confirmed or not here"),
    .flag("dry-run", \.isDryRun, help: "Show what would be done, without doing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    try library.checkWritable()
    let target = try target(context)
    let old = library.configuration.server
    var allowed: String?
    if allowsPlainHTTP, case .url(let url) = target {
      allowed = try context.allowPlainHTTP(url, isDryRun: isDryRun).origin
    }
    if !isDryRun, case .url(let url) = target {
      context.trust(library.root, with: try context.serverAddress(url))
    }
    // Back where it was, the library goes on as it left.
    var putBack: Int?
    if target == .embedded, let ids = try EmbeddedServer.liveIDs(of: library) {
      putBack = try RemoteMover(library).moveBack(to: target, isDryRun: isDryRun) { kind, id in
        ids[kind]?.contains(id) == true
      }
    }
    var forgetsIDs = false
    if putBack == nil { forgetsIDs = try await ownerDiffers(library, from: target, context) }
    let isMoved = forgetsIDs || putBack ?? 0 > 0 || old != target
    var (forgotten, abandoned) = (0, [RecordRef]())
    var kept: EmbeddedServer.Kept?
    if forgetsIDs {
      (forgotten, abandoned) = try RemoteMover(library).move(
        to: target, isDryRun: isDryRun, abandonsWrites: abandonsWrites
      ) { scan in
        // Synced elsewhere since, the library is newer than the embedded server's data.
        let owner = library.owner(of: scan)?.server
        kept = try EmbeddedServer.keepRecords(
          library, scan, context.time,
          isReplaced: owner != nil && owner != LibraryConfiguration.Server.embedded.text)
      }
    } else if !isDryRun, putBack == nil {
      try RemoteMover(library).name(target)
    }
    context.tell([
      "schema": "stories.remote-set/1", "dryRun": isDryRun, "from": old.shown,
      "server": target.text, "moved": isMoved, "forgottenIds": forgotten,
      "allowedPlainHTTP": allowed,
      "putBack": Omitted(putBack == 0 ? nil : putBack),
      "abandoned": abandoned.map(\.description).filled,
    ]) {
      if let allowed {
        context.output.line(
          Text(isDryRun ? "Would allow" : "Allowed") + " plain http to \(allowed)")
      }
      if isMoved {
        // The address stays if only the account is another one.
        let origin = old == target ? "" : " from \(old.shown)"
        context.output.line(
          Text(isDryRun ? "Would move" : "Moved") + " the library\(origin) to "
            + Text(target.text, .strong))
        if forgotten > 0 {
          let verb = isDryRun ? "Would remove" : "Removed"
          let ids = Phrases.count(forgotten, "record")
          context.output.wrapped("\(verb) the old server's ids of \(ids).")
        }
        if let putBack, putBack > 0 {
          let verb = isDryRun ? "Would put back" : "Put back"
          context.output.line("\(verb) the ids of \(Phrases.count(putBack, "record")).")
        }
        if !abandoned.isEmpty {
          context.output.wrapped(
            "\(isDryRun ? "Would give up" : "Gave up") what only the old server may have of"
              + " \(Phrases.list(abandoned.map(\.description))).")
        }
        if let kept {
          context.note(kept) { refs in
            "\(Phrases.kinds(refs)) of the embedded server \(refs.count == 1 ? "is" : "are")"
              + " in no file here"
          }
        }
        guard forgetsIDs, !isDryRun else { return }
        context.aside("The next sync matches existing records and creates the others.")
      } else {
        context.output.line("The library is already synced with \(target.text).")
      }
    }
    return .done
  }

  private func target(_ context: Context) throws -> LibraryConfiguration.Server {
    guard case .url(let url) = try LibraryConfiguration.Server(word: server) else {
      if allowsPlainHTTP { throw CommandError.nothingToAllow("the embedded server") }
      return .embedded
    }
    guard allowsPlainHTTP else {
      return .url(try context.advisingPlainHTTP { try context.serverAddress(url).text })
    }
    return .url(try context.allowPlainHTTP(url, isDryRun: true).text)
  }

  /// Returns whether the ids belong to another server, or to another account of this one.
  private func ownerDiffers(
    _ library: Library, from server: LibraryConfiguration.Server, _ context: Context
  ) async throws -> Bool {
    let scan = try context.scan(library)
    let isSame = library.configuration.server == server
    guard let owner = library.owner(of: scan) else { return !isSame }
    guard owner.server == server.text else { return true }
    // If the server is only named now, the next sync asks for the account.
    guard isSame, server != .embedded, !allowsPlainHTTP else { return false }
    let setting = ServerSetting(server: server, source: .flag)
    return try await context.withServer(setting, of: library) { connect in
      try await connect(scan).identity != owner
    }
  }
}
