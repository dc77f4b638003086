import StoryAPI
import StoryLibrary

struct SignUpCommand: Command {
  var email: String?
  var user: String?
  var name: String?
  var readsPassword = false
  var invite: InviteCode?
  var allowsPlainHTTP = false

  static let name = "sign-up"
  static let summary = "Create an account on a server and sign in"
  static let discussion = """
    The password is asked for on the terminal without showing it, or read from standard input with \
    --password-stdin. It is never an argument, which others on this machine could see. Some \
    servers accept new accounts only with an invite code: ask whoever runs the server. \
    STORIES_INVITE passes it without showing it to others on this machine.
    """
  static let examples = [
    Example("stories sign-up --email me@example.org", "on the library's server"),
    Example("stories sign-up --email me@example.org --invite moonlight", "with an invite code"),
    Example("stories sign-up --user ann", "on a Kinto server that lets people create accounts"),
  ]
  static let parameters: [Parameter<SignUpCommand>] = [
    .option("email", value: "E", \.email, help: "The address of the account"),
    .option("user", value: "NAME", \.user, help: "The name of the account, on a Kinto server"),
    .option("name", value: "N", \.name, help: "Your name"),
    .flag("password-stdin", \.readsPassword, help: "Read the password from standard input"),
    .option(
      "invite", value: "CODE", \.invite,
      help: "The invite code of the server (default: STORIES_INVITE)"),
    .allowPlainHTTP(\.allowsPlainHTTP),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let remote = try RemoteServer.forAccount(allowsPlainHTTP: allowsPlainHTTP, context)
    let account = try context.accountName(email: email, user: user, at: remote.address.text)
    let client = try remote.client(keepsSession: true)
    let invite = try invite ?? InviteCode(context)
    let password = try context.password(
      for: account, at: remote.address.text, isNew: true, fromStandardInput: readsPassword)
    let signedUp: User
    do {
      signedUp = try await context.interruptible {
        let session = try await client.signUp(
          email: account, password: password, name: name, inviteCode: invite?.secret)
        return try await remote.user(of: session, client)
      }
    } catch let error as APIError {
      if let user, case .conflict = error { throw CommandError.accountTaken(user) }
      let option =
        "\(remote.option) --\(user == nil ? "email" : "user") \(ShellWord.quoting(account))"
      // A server's own advice is about records.
      let hint: String? =
        switch error {
        case .conflict: "to sign in to it: stories sign-in\(option)"
        case .forbidden where invite != nil: "check the invite code, or ask whoever runs the server"
        case .forbidden:
          "ask whoever runs the server; with an invite code: "
            + context.again(adding: "--invite", "CODE")
        case .validation: "choose another address or password"
        default: nil
        }
      throw error.advised(hint)
    }
    remote.trustLibrary()
    remote.tell("Signed up", signedUp, context)
    return .done
  }
}
