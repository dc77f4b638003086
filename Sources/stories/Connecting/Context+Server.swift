import StoryAPI
import StoryLibrary
import StorySync
import Synchronization

extension Context {
  typealias Connect = @Sendable (Scan) async throws -> Connection

  /// Does work that opens a library's server, at most once at a time, and closes the server even if the
  /// work throws.
  ///
  /// - Parameters:
  ///   - asksEngines: whether the embedded server may write, draw and read aloud.
  ///   - work: gets a function that returns a signed-in connection for a scan of the library. It throws the
  ///     errors of ``EmbeddedServer``; `ServerAddress.Problem`; `SafetyStop` if the library belongs to
  ///     another server, before any request; `APIError`, `unauthorized` if nobody is signed in.
  func withServer<Result>(
    _ setting: ServerSetting, of library: Library, asksEngines: Bool = false,
    _ work: (_ connect: @escaping Connect) async throws -> Result
  ) async throws -> Result {
    let root = library.root
    let embedded = Mutex<EmbeddedServer?>(nil)
    defer { embedded.withLock { $0 }?.stop() }
    return try await work { scan in
      // Read again, because the command may have waited for another one.
      let library = try Library(root: root)
      switch setting.server {
      case .embedded:
        // It would take over the records of the other server.
        if let stop = library.otherOwner(than: setting.server.text, scan) { throw stop }
        let engine = asksEngines ? try await UserEngine(EngineSettings(self), self) : nil
        let server = try EmbeddedServer(library, scan: scan, time: time, engine: engine)
        embedded.withLock { $0 = server }
        if let forgotten = server.forgotten {
          note(forgotten) { refs in
            "\(Phrases.kinds(refs)) removed from the embedded server: no sidecar references"
              + " \(Phrases.them(refs.count)) any more"
          }
        }
        return try server.connection(settings().clientConfiguration(.v0, self))
      case .url:
        let remote = try RemoteServer(setting, of: library, self)
        if let stop = library.otherOwner(than: remote.address.text, scan) { throw stop }
        return try await remote.connection()
      }
    }
  }

  /// Tells what only the embedded server had, and how it comes back.
  func note(_ kept: EmbeddedServer.Kept, _ what: ([RecordRef]) -> String) {
    let refs = kept.refs
    let names = refs.prefix(3).map(\.description) + (refs.count > 3 ? ["…"] : [])
    note(Text("Note: ", .warning) + "\(what(refs)) (\(names.joined(separator: ", "))).")
    note(
      Text("  Hint: ", .faint)
        + "`stories restore \(refs[0].word)` brings it back from run \(kept.run)")
  }
}

extension LibraryConfiguration.API {
  /// The dialect, or `nil` for `auto`.
  var dialect: Dialect? { Dialect(rawValue: rawValue) }
}
