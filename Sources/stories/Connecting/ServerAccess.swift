import StoryAPI
import StoryLibrary
import StorySync
import Synchronization

/// Opens the server that a command works with, and closes it again.
final class ServerAccess: Sendable {
  private let root: String
  private let setting: ServerSetting
  private let context: Context
  private let asksEngines: Bool
  private let backend = Mutex<EmbeddedBackend?>(nil)

  /// - Parameter asksEngines: whether the embedded server writes, draws and reads aloud meanwhile.
  init(
    library: Library, setting: ServerSetting, context: Context, asksEngines: Bool = false
  ) {
    root = library.root
    self.asksEngines = asksEngines
    self.setting = setting
    self.context = context
  }

  /// A connection to the server, signed in.
  ///
  /// - Throws: what keeps the embedded backend from starting; `ServerAddress.Problem`; `SafetyStop`
  ///   where the library belongs to another server, which is not asked then; `APIError`,
  ///   `unauthorized` where nobody is signed in.
  func connect(_ scan: Scan) async throws -> Connection {
    // As it is now: the command may have waited for another one.
    let library = try Library(root: root)
    switch setting.server {
    case .embedded:
      let settings = try context.settings()
      let embedded = try EmbeddedBackend(
        library, scan: scan, time: context.time, engine: try await engine())
      backend.withLock { $0 = embedded }
      if let forgotten = embedded.forgotten { tell(forgotten) }
      return try embedded.connection(settings.clientConfiguration(.v0, context))
    case .url:
      let remote = try RemoteServer(setting, of: library, context)
      let check = IdentityCheck(library: library)
      if let stop = check.stop(scan, server: remote.address.text) { throw stop }
      return try await remote.connection()
    }
  }

  private func engine() async throws -> UserEngine? {
    guard asksEngines else { return nil }
    return try await UserEngine(EngineSettings(context), context)
  }

  /// Tells of records that only the embedded server had.
  private func tell(_ forgotten: EmbeddedBackend.Forgotten) {
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

  /// Ends what was opened.
  func close() async {
    let open = backend.withLock { backend in
      defer { backend = nil }
      return backend
    }
    open?.stop()
  }

  /// Returns the result of `work`, and ends what was opened even if it throws.
  func closing<Result>(after work: () async throws -> Result) async throws -> Result {
    do {
      let result = try await work()
      await close()
      return result
    } catch {
      await close()
      throw error
    }
  }
}

extension LibraryConfiguration.API {
  /// The dialect that is named; `nil` where the server is to be asked.
  var dialect: Dialect? {
    switch self {
    case .v0: .v0
    case .v1: .v1
    case .kinto: .kinto
    case .auto: nil
    }
  }
}
