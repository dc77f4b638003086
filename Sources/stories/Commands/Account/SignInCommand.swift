import StoryAPI

/// `stories sign-in`: signs in to a server.
struct SignInCommand: Command {
  var email = ""
  var readsPassword = false

  static let name = "sign-in"
  static let summary = "Sign in to a server"
  static let section = HelpSection.account
  static let discussion = """
    The session is kept in your own configuration, readable only by you, and renewed \
    automatically. The password is asked for on the terminal without showing it, or read from \
    standard input with --password-stdin; it is not stored.
    """
  static let examples = [
    Example("stories sign-in --email me@example.org", "to the library's server"),
    Example(
      "stories sign-in --email me@example.org --server https://stories.example --password-stdin",
      "for scripts"),
  ]
  static let parameters: [Parameter<SignInCommand>] = [
    .required("email", value: "E", \.email, help: "The address of the account"),
    .flag("password-stdin", \.readsPassword, help: "Read the password from standard input"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let remote = try RemoteServer(context)
    let client = try remote.client(keepsSession: true)
    let password = try PasswordPrompt(context: context, usesStandardInput: readsPassword)
      .password(for: email, at: remote.address.text, isNew: false)
    let user = try await context.interruptible {
      let session = try await client.signIn(email: email, password: password)
      return try await remote.user(of: session, client)
    }
    remote.trustLibrary()
    remote.tell("Signed in", user, context)
    return .done
  }
}
