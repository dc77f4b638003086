import StoryLibrary
import StorySync

/// The reason why a library is not moved to another server.
enum RemoteError: Error, Sendable, Equatable {
  /// There is no folder for the user's settings.
  case noConfigurationFolder
  /// `--allow-plain-http` for a server that does not use plain http.
  case nothingToAllow(String)
}

extension ErrorReport {
  init(_ error: RemoteError) {
    switch error {
    case .noConfigurationFolder:
      self.init(
        "no-configuration", "no folder for your own settings",
        hint: "set STORIES_CONFIG_DIR", exitCode: .wrongUsage)
    case .nothingToAllow(let server):
      self.init(
        "nothing-to-allow", "\(server) does not use plain http to another machine",
        hint: "leave out --allow-plain-http", exitCode: .wrongUsage)
    }
  }

  init(_ refusal: RemoteMover.Refusal) {
    switch refusal {
    case .conflicts(let refs):
      self.init(
        "conflicts-left",
        "unresolved conflicts with the old server's versions: "
          + Phrases.list(refs.prefix(5).map(\.description)) + (refs.count > 5 ? ", …" : ""),
        hint: "resolve them first: stories resolve", exitCode: .conflictsLeft)
    case .openWrites:
      self.init(
        "open-writes", "the old server has not confirmed everything that was sent to it",
        hint: """
          finish that first: stories sync push; if that server is gone for good, add \
          --abandon-unconfirmed
          """, exitCode: .stopped)
    }
  }
}
