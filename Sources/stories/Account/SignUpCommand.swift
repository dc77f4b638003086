import StoryAPI

/// `stories sign-up`: makes an account on a server and signs in.
struct SignUpCommand: Command {
  var email = ""
  var name: String?
  var readsPassword = false

  static let name = "sign-up"
  static let summary = "Make an account on a server and sign in"
  static let section = HelpSection.account
  static let discussion = """
    The password is asked for on the terminal without showing it, or read from standard input with \
    --password-stdin. It is never taken as an argument, which others on this machine could see.
    """
  static let examples = [
    Example("stories sign-up --email me@example.org", "on the library's server")
  ]
  static let parameters: [Parameter<SignUpCommand>] = [
    .required("email", value: "E", \.email, help: "The address of the account"),
    .option("name", value: "N", \.name, help: "Your name"),
    .flag("password-stdin", \.readsPassword, help: "Read the password from standard input"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let remote = try RemoteServer(context)
    let client = try remote.client(keepsSession: true)
    let password = try PasswordPrompt(context: context, usesStandardInput: readsPassword)
      .password(for: email, at: remote.address.text, isNew: true)
    let user: User
    do {
      user = try await context.interruptible {
        let session = try await client.signUp(email: email, password: password, name: name)
        return try await remote.user(of: session, client)
      }
    } catch let error as APIError {
      throw Self.advised(error, email)
    }
    remote.tell("Signed up", user, context)
    return .done
  }

  /// What a server says about a new account is not about records, and neither is the advice.
  private static func advised(_ error: APIError, _ email: String) -> any Error {
    switch error {
    case .conflict:
      AdvisedError(error: error, hint: "if it is yours, sign in: stories sign-in --email \(email)")
    case .validation: AdvisedError(error: error, hint: "choose another address or password")
    default: error
    }
  }
}
