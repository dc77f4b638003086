import StoryAPI

struct WhoamiCommand: Command {
  var newName: String?

  static let name = "whoami"
  static let summary = "Show which account is signed in"
  static let discussion = """
    Asks the server. If it does not answer, shows its last answer with its age, if that is cached \
    in the library. --edit-name first changes the account's name on the server. Exits with 5 if \
    you are not signed in.
    """
  static let examples = [Example("stories whoami --edit-name \"Max\"", "another name")]
  static let parameters: [Parameter<WhoamiCommand>] = [
    .option("edit-name", value: "NAME", \.newName, help: "Give the account this name")
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let remote = try RemoteServer(context)
    let (client, _) = try await remote.signedInClient()
    let user = try await context.interruptible {
      if let newName { return Cached(value: try await client.updateProfile(name: newName)) }
      return try await client.currentUser(policy: .networkFirst)
    }
    let account = AccountText(server: remote.address.text, user: user.value, age: user.age)
    context.tell(account) { context.output.line("\(account.name) at \(account.server)") }
    context.noteAge(of: user)
    return .done
  }
}
