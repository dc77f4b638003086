import StoryAPI
import StoryLibrary

extension Context {
  /// The libraries that this user's sessions may be used for; `nil` without a configuration folder.
  private var trustedLibraries: TrustedLibraries? {
    configurationFolder.map { TrustedLibraries(folder: $0) }
  }

  /// Notes that this user means a library to be synced with a server. If that cannot be noted, the
  /// next sync asks.
  func trust(_ root: String, with server: ServerAddress) {
    try? trustedLibraries?.add(root, server)
  }

  /// Returns whether this user made a library on this machine, cloned it, signed in to its server
  /// there, or said that they want it synced with that server.
  func isTrusted(_ root: String, with server: ServerAddress) -> Bool {
    trustedLibraries?.contains(root, server) == true
  }

  /// Makes sure that this user wants a session of theirs to be used for a library.
  ///
  /// Somebody else's library may name any server: its records would go into this user's account, and
  /// the account's records into its files. So the first time the user is asked, unless the library was
  /// made, cloned or signed in to here.
  /// - Throws: `CommandError.unknownLibrary` if they do not want it, or cannot be asked;
  ///   `CancellationError` for an interrupt from the keyboard.
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
      let prompt = KeyPrompt(
        context: self,
        answers: [
          .init("y", "yes", "[y]es", "sync this library with that account, from now on"),
          .init("n", "no", "[n]o", "stop; nothing has been sent"),
        ])
      guard try prompt.ask() == "y" else { throw refusal }
    }
    trust(root, with: server)
  }
}
