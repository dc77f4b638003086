import StoryAPI
import StoryLibrary

extension Context {
  /// The folder of the user's own configuration, outside every library; `nil` where the environment
  /// names none.
  var configurationFolder: String? {
    ConfigurationFolder.path(environment: environment).map { Path.absolute($0, in: startFolder) }
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
