import StoryAPI

/// `stories sign-in`: signs in to a server.
struct SignInCommand: Command {
  var email: String?
  var user: String?
  var readsPassword = false
  var readsToken = false
  var allowsPlainHTTP = false

  static let name = "sign-in"
  static let summary = "Sign in to a server"
  static let section = HelpSection.account
  static let discussion = """
    The session is kept in your own configuration, readable only by you, and renewed \
    automatically. On a terminal, what is not given is asked for. The password is asked for on the terminal without showing it, or read from \
    standard input with --password-stdin; with the setting tokenStore=git, git's credential \
    helpers are asked for it first. It is not stored, except for Kinto: its accounts have a name \
    instead of an e-mail address (--user) and no sessions, so name and password are kept as the \
    session is. --token-stdin reads a token that whoever runs the server gave you.
    """
  static let examples = [
    Example("stories sign-in --email me@example.org", "to the library's server"),
    Example(
      "stories sign-in --email me@example.org --server https://stories.example --password-stdin",
      "for scripts"),
    Example("stories sign-in --user ann", "to a Kinto server"),
  ]
  static let parameters: [Parameter<SignInCommand>] = [
    .option("email", value: "E", \.email, help: "The address of the account"),
    .option("user", value: "NAME", \.user, help: "The name of the account, on a Kinto server"),
    .flag("password-stdin", \.readsPassword, help: "Read the password from standard input"),
    .flag("token-stdin", \.readsToken, help: "Read a token from standard input"),
    .flag(
      "allow-plain-http", \.allowsPlainHTTP, help: "Allow http:// for this address, for you only"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let remote = try RemoteServer.forAccount(allowsPlainHTTP: allowsPlainHTTP, context)
    let user = try await signIn(remote, context)
    remote.trustLibrary()
    remote.tell("Signed in", user, context)
    return .done
  }

  /// Signs in, asking on a terminal for what the command line does not say.
  ///
  /// - Throws: `UsageError`, `CommandError`, `APIError`.
  func signIn(_ remote: RemoteServer, _ context: Context) async throws -> User {
    let client = try remote.client(keepsSession: true)
    let signIn: @Sendable () async throws -> Session
    if readsToken {
      let token = try token(context)
      signIn = { try await client.signIn(token: token) }
    } else {
      let name = try AccountName.read(email: email, user: user, at: remote.address.text, context)
      let password = try await password(of: name, remote, context)
      signIn = { try await client.signIn(email: name, password: password) }
    }
    do {
      return try await context.interruptible {
        try await remote.user(of: signIn(), client)
      }
    } catch APIError.unauthorized(.wrongPassword) where user != nil {
      throw CommandError.wrongNameOrPassword
    }
  }

  private func token(_ context: Context) throws -> Secret {
    for (option, isGiven) in [
      ("--email", email != nil), ("--user", user != nil), ("--password-stdin", readsPassword),
    ] where isGiven {
      throw UsageError(.excluded(option, by: "--token-stdin"))
    }
    guard let line = context.input.readLine(), !line.isEmpty else { throw CommandError.noToken }
    return Secret(line)
  }

  private func password(
    of name: String, _ remote: RemoteServer, _ context: Context
  ) async throws -> Secret {
    if !readsPassword, let known = try await remote.keptPassword(of: name) { return known }
    return try PasswordPrompt(context: context, usesStandardInput: readsPassword)
      .password(for: name, at: remote.address.text, isNew: false)
  }
}
