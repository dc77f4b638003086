import StoryAPI

/// `stories sign-out`: ends the session with a server.
struct SignOutCommand: Command {
  static let name = "sign-out"
  static let summary = "Sign out of a server"
  static let section = HelpSection.account
  static let discussion = """
    Ends the session on the server and removes it from this machine, even if the server cannot be \
    reached. Records and sidecars are not changed.
    """

  func run(_ context: Context) async throws -> ExitCode {
    let remote = try RemoteServer(context)
    let client = try remote.client()
    let session = try await client.restoreSession()
    guard session != nil else {
      context.note("Not signed in to \(remote.address.text).")
      if context.isJSON { context.output.json(remote.account(nil).json) }
      return .done
    }
    try await context.interruptible { try await client.signOut() }
    if context.isJSON {
      context.output.json(remote.account(nil).json)
    } else {
      context.output.line("Signed out of \(remote.address.text)")
    }
    return .done
  }
}
