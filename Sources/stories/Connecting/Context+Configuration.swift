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
      throw problem.advised("use https, or allow it for this address: \(command)")
    }
  }

  /// Parses a server's address. Plain http to another machine must be allowed by the user.
  func serverAddress(_ text: String) throws(ServerAddress.Problem) -> ServerAddress {
    guard let plainHTTP else { return try ServerAddress(text) }
    return try plainHTTP.address(text)
  }

  // MARK: Trust

  /// The libraries that may use this user's sessions, or `nil` without a configuration folder.
  private var trustedLibraries: TrustedLibraries? {
    configurationFolder.map { TrustedLibraries(folder: $0) }
  }

  /// Records that this user wants a library to be synced with a server. If that cannot be recorded,
  /// the next sync asks.
  func trust(_ root: String, with server: ServerAddress) {
    try? trustedLibraries?.add(root, server)
  }

  /// Returns whether this user created or cloned a library on this machine, signed in to its server
  /// from within it, or agreed to sync it with that server.
  func isTrusted(_ root: String, with server: ServerAddress) -> Bool {
    trustedLibraries?.contains(root, server) == true
  }

  /// Confirms that this user wants their session to be used for a library.
  ///
  /// A library from someone else can name any server: its records would be sent to this user's account,
  /// and the account's records written to its files. So the user is asked once, unless the library was
  /// created, cloned or signed in to on this machine.
  /// - Throws: `CommandError.unknownLibrary` if the user refuses or cannot be asked;
  ///   `CancellationError` for Ctrl-C.
  func confirm(_ root: String, with server: ServerAddress, as account: String) throws {
    guard !isTrusted(root, with: server) else { return }
    if !global.isConsenting {
      let refusal = CommandError.unknownLibrary(root: root, server: server.text, account: account)
      guard isInteractive else { throw refusal }
      errors.sink.wipe()
      output.wrapped(
        "The library in \(shown(root)) was not created, cloned or signed in to on this machine. Its"
          + " records would be sent to \(server.text) as \(account), and that account's records"
          + " written to it.")
      let isWanted = try confirms(
        "sync this library with that account, from now on", else: "stop; nothing has been sent")
      guard isWanted else { throw refusal }
    }
    trust(root, with: server)
  }

  /// Asks for a yes or a no, of which the effects are given.
  ///
  /// - Throws: `CancellationError` for Ctrl-C.
  func confirms(_ effect: String, else other: String) throws(CancellationError) -> Bool {
    try ask([.init("yes", effect), .init("no", other)]) == "y"
  }
}
