import StoryAPI
import StoryLibrary

extension Context {
  /// The folder of the user's own configuration, outside every library, or `nil` if the environment
  /// names none.
  var configurationFolder: String? {
    ConfigurationFolder.path(environment: environment).map { Path.absolute($0, in: startFolder) }
  }

  /// The origins for which the user allows plain http, or `nil` without a configuration folder.
  var plainHTTP: PlainHTTPPermissions? {
    configurationFolder.map { PlainHTTPPermissions(folder: $0) }
  }

  /// Allows plain http for a server, for this user only, and returns its address.
  ///
  /// - Parameter isDryRun: whether only to check.
  /// - Throws: `CommandError.nothingToAllow` if it needs no permission, `.noConfigurationFolder`;
  ///   `ServerAddress.Problem`; `FileError`.
  @discardableResult
  func allowPlainHTTP(_ text: String, isDryRun: Bool = false) throws -> ServerAddress {
    if text == LibraryConfiguration.Server.embedded.text {
      throw CommandError.nothingToAllow("the embedded server")
    }
    let address = try ServerAddress(text, allowsPlainHTTP: true)
    guard !address.isSecure, !address.isLoopback else {
      throw CommandError.nothingToAllow(address.text)
    }
    guard let plainHTTP else { throw CommandError.noConfigurationFolder }
    if !isDryRun { try plainHTTP.allow(address) }
    return address
  }

  /// Returns the result of `work`. If plain http is refused, the error has the command that allows it:
  /// this one with a further option.
  func advisingPlainHTTP<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let problem as ServerAddress.Problem {
      guard case .plainHTTP = problem else { throw problem }
      let command = again(adding: "--allow-plain-http")
      throw AdvisedError(
        error: problem, hint: "use https, or allow it for this address: \(command)")
    }
  }

  /// Parses a server's address. Plain http to another machine must be allowed by the user.
  func serverAddress(_ text: String) throws(ServerAddress.Problem) -> ServerAddress {
    guard let plainHTTP else { return try ServerAddress(text) }
    return try plainHTTP.address(text)
  }
}
