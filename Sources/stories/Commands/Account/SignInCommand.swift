import StoryAPI
import StoryLibrary

struct SignInCommand: Command {
  var email: String?
  var user: String?
  var readsPassword = false
  var readsToken = false
  var allowsPlainHTTP = false

  static let name = "sign-in"
  static let summary = "Sign in to a server"
  static let discussion = """
    The session is kept in your own configuration, readable only by you, and renewed \
    automatically. On a terminal, the command asks for what is missing, without showing the \
    password, and asks again after a wrong one. With the setting tokenStore=git, it first asks git's \
    credential helpers. --password-stdin reads the password from standard input instead. The password \
    is not stored, except for Kinto: its accounts have a name instead of an e-mail address (--user) and no sessions, \
    so name and password are kept like a session. --token-stdin reads a token that you got from \
    whoever runs the server.
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
    .allowPlainHTTP(\.allowsPlainHTTP),
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
    guard !readsToken else {
      let token = try token(context)
      return try await context.interruptible {
        try await remote.user(of: client.signIn(token: token), client)
      }
    }
    var refusal: (any Error)?
    for attempt in 1...Self.attempts {
      let name: String
      let password: Secret
      do {
        name = try context.accountName(email: email, user: user, at: remote.address.text)
        password = try await self.password(of: name, isFirst: attempt == 1, remote, context)
      } catch {
        // Entering nothing gives up; the reason is the refusal before it.
        throw error is CancellationError ? error : refusal ?? error
      }
      do {
        return try await context.interruptible {
          try await remote.user(of: client.signIn(email: name, password: password), client)
        }
      } catch let error as APIError where error == .unauthorized(.wrongPassword) {
        // A server's own error says nothing of the command that creates an account.
        let signUp = "stories sign-up\(remote.option) --email \(ShellWord.quoting(name))"
        refusal =
          user == nil
          ? error.advised("try again, or create an account: \(signUp)")
          : CommandError.wrongNameOrPassword
      } catch APIError.rateLimited(let until) {
        let wait = until.map { $0.duration(since: context.time.now()) }
        throw CommandError.tooManyAttempts(name, wait: wait)
      }
      guard context.isInteractive, !readsPassword, attempt < Self.attempts else { break }
      context.errors.line(
        Text("Invalid \(user == nil ? "email" : "user name") or password, try again.", .warning))
    }
    throw refusal ?? CancellationError()
  }

  /// The number of times a password can be entered on a terminal.
  private static let attempts = 3

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
    of name: String, isFirst: Bool, _ remote: RemoteServer, _ context: Context
  ) async throws -> Secret {
    if isFirst, !readsPassword, let known = try await remote.keptPassword(of: name) { return known }
    return try context.password(
      for: name, at: remote.address.text, isNew: false, fromStandardInput: readsPassword)
  }
}
