import StoryAPI
import StoryLibrary

extension Context {
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
      let refusal = CommandError.unknownLibrary(
        root: root, server: server.text, account: account)
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
