import StoryAPI

struct SignOutCommand: Command {
  static let name = "sign-out"
  static let summary = "Sign out of a server"
  static let discussion = """
    Ends the session on the server and removes it from this machine, even if the server cannot be \
    reached. Records and sidecars are not changed. In a library that was not created, cloned or \
    signed in to on this machine, name the server with --server.
    """

  func run(_ context: Context) async throws -> ExitCode {
    let remote = try RemoteServer(context)
    let client = try remote.client()
    guard let session = try await client.restoreSession() else {
      context.note("Not signed in to \(remote.address.text).")
      if context.isJSON { context.output.json(remote.account(nil)) }
      return .done
    }
    if let refusal = remote.refusalToEnd(session) {
      throw refusal.advised(
        "to sign out, name the server: stories sign-out --server \(remote.address.text)")
    }
    do {
      try await context.interruptible { try await client.signOut() }
    } catch let error as APIError {
      if case .tokenStore = error { throw error }
      throw error.advised(
        "you are signed out on this machine; the server's part of the session stays until it expires"
      )
    }
    context.tell(remote.account(nil)) {
      context.output.line("Signed out of \(remote.address.text)")
    }
    return .done
  }
}
