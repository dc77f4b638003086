import StoryAPI
import StoryLibrary
import StorySync
import Synchronization

/// Opens the server that a command uses, and closes it again.
final class ServerAccess: Sendable {
  private let root: String
  private let setting: ServerSetting
  private let context: Context
  private let asksEngines: Bool
  private let embedded = Mutex<EmbeddedServer?>(nil)

  /// - Parameter asksEngines: whether the embedded server may write, draw and read aloud.
  init(
    library: Library, setting: ServerSetting, context: Context, asksEngines: Bool = false
  ) {
    root = library.root
    self.asksEngines = asksEngines
    self.setting = setting
    self.context = context
  }

  /// Returns a signed-in connection to the server.
  ///
  /// - Throws: the errors of ``EmbeddedServer``; `ServerAddress.Problem`; `SafetyStop` if the library
  ///   belongs to another server, before any request; `APIError`, `unauthorized` if nobody is signed
  ///   in.
  func connect(_ scan: Scan) async throws -> Connection {
    // Read again, because the command may have waited for another one.
    let library = try Library(root: root)
    let check = IdentityCheck(library: library)
    switch setting.server {
    case .embedded:
      // It would take over the records of the other server.
      if let stop = check.stop(scan, server: setting.server.text) { throw stop }
      let settings = try context.settings()
      let server = try EmbeddedServer(
        library, scan: scan, time: context.time, engine: try await engine())
      embedded.withLock { $0 = server }
      if let forgotten = server.forgotten { report(forgotten) }
      return try server.connection(settings.clientConfiguration(.v0, context))
    case .url:
      let remote = try RemoteServer(setting, of: library, context)
      if let stop = check.stop(scan, server: remote.address.text) { throw stop }
      return try await remote.connection()
    }
  }

  private func engine() async throws -> UserEngine? {
    guard asksEngines else { return nil }
    return try await UserEngine(EngineSettings(context), context)
  }

  private func report(_ forgotten: EmbeddedServer.Forgotten) {
    let refs = forgotten.refs
    let names = refs.prefix(3).map(\.description) + (refs.count > 3 ? ["…"] : [])
    context.note(
      Text("Note: ", .warning)
        + "\(Phrases.kinds(refs)) removed from the embedded server: no sidecar references"
        + (refs.count == 1 ? " it" : " them") + " any more (\(names.joined(separator: ", "))).")
    context.note(
      Text("  Hint: ", .faint)
        + "`stories restore \(refs[0].word)` brings back what was kept, as does git: see run"
        + " \(forgotten.run)")
  }

  func close() { embedded.withLock { $0 }?.stop() }

  /// Returns the result of `work`, and closes the server even if it throws.
  func closing<Result>(after work: () async throws -> Result) async throws -> Result {
    defer { close() }
    return try await work()
  }
}

extension LibraryConfiguration.API {
  var dialect: Dialect? {
    switch self {
    case .v0: .v0
    case .v1: .v1
    case .kinto: .kinto
    case .auto: nil
    }
  }
}
