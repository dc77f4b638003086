import StoryAPI

/// `stories whoami`: the account that is signed in.
struct WhoamiCommand: Command {
  static let name = "whoami"
  static let summary = "Show which account is signed in"
  static let section = HelpSection.account
  static let discussion = """
    Asks the server. Where it does not answer, what it said last is shown with its age, as far as that \
    is kept in the library. Ends with 5 where nobody is signed in.
    """

  func run(_ context: Context) async throws -> ExitCode {
    let remote = try RemoteServer(context)
    let (client, _) = try await remote.signedInClient()
    let user = try await context.interruptible {
      try await client.currentUser(policy: .networkFirst)
    }
    let account = AccountText(server: remote.address.text, user: user.value, age: user.age)
    if context.isJSON {
      context.output.json(account.json)
    } else {
      context.output.line("\(account.name) at \(account.server)")
    }
    context.noteAge(of: user)
    return .done
  }
}
