import StoryAPI
import StoryLibrary

extension Context {
  /// The folder of the user's own configuration, outside every library: `STORIES_CONFIG_DIR`, else
  /// `stories` within `XDG_CONFIG_HOME`, else within `.config` of `HOME` (XDG Base Directory
  /// Specification); `nil` where the environment has none of them.
  var configurationFolder: String? {
    if let folder = environment["STORIES_CONFIG_DIR"], !folder.isEmpty {
      return Path.absolute(folder, in: startFolder)
    }
    // A relative path there is invalid and to be ignored, says that specification.
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return Path.join(folder, "stories")
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return Path.join(home, ".config/stories")
  }

  /// Which origins the user allows to be spoken to without encryption; `nil` without a
  /// configuration.
  var plainHTTP: PlainHTTPPermissions? {
    configurationFolder.map { PlainHTTPPermissions(folder: $0) }
  }

  /// Reads a server's address; plain http to another machine only where the user allowed it.
  ///
  /// - Throws: `ServerAddress.Problem`.
  func serverAddress(_ text: String) throws(ServerAddress.Problem) -> ServerAddress {
    guard let plainHTTP else { return try ServerAddress(text) }
    return try plainHTTP.address(text)
  }
}
