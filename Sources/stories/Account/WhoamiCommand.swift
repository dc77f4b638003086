import StoryAPI

/// `stories whoami`: the account that is signed in.
struct WhoamiCommand: Command {
  static let name = "whoami"
  static let summary = "Show which account is signed in"
  static let section = HelpSection.account
  static let discussion = "Asks the server. Ends with 5 where nobody is signed in."

  func run(_ context: Context) async throws -> ExitCode {
    let remote = try RemoteServer(context)
    let (client, _) = try await remote.signedInClient()
    let user = try await context.interruptible { try await client.currentUser() }
    let account = remote.account(user)
    if context.isJSON {
      context.output.json(account.json)
    } else {
      context.output.line("\(account.name) at \(account.server)")
    }
    return .done
  }
}
