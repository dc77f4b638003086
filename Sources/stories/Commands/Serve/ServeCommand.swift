import Foundation
import StoryAPI
import StoryLibrary
import StoryServer

struct ServeCommand: Command {
  var port: Port?
  var host: String?
  var data: String?
  var api: ServerAPI?
  var publicURLs: [PublicURL] = []
  var isSignUpClosed = false
  var invite: InviteCode?
  var storyteller: String?
  var model: String?

  static let name = "serve"
  static let summary = "Run a server for the machines of one household"
  static let discussion = """
    Serves accounts and records over HTTP until Ctrl-C or SIGTERM, and prints its URL as the first \
    line. Accounts do not see each other's records. Anyone who can reach the server can create an \
    account, unless --invite requires a code or --no-sign-up forbids it. STORIES_INVITE passes the \
    code without showing it to others on this machine.

    Only this machine can reach the server, unless --host names another address to listen on; with \
    0.0.0.0, all networks of this machine, and the URL is one that other machines can use. It \
    speaks plain http: for other machines, put it behind a proxy that speaks https, or use a \
    network you trust. Requests are answered only if they name this machine, the address they came \
    to, or the host of a --public-url, such as the proxy's; changes from web pages of other \
    servers are refused. After five wrong passwords, an account has to wait before the next try, \
    longer each time.

    Stories, pictures and narrations come from your engines (`stories engine`); without them, \
    stories and pictures are placeholders. --storyteller and --model name the engine for stories \
    for this run; its key comes from STORIES_STORYTELLER_KEY.
    """
  static let examples = [
    Example("stories serve", "for this machine"),
    Example("stories serve --host 0.0.0.0", "for other machines on a network that you trust"),
    Example("stories serve --port 0 --data /tmp/try", "on a free port, with its data there"),
    Example("stories serve --api v1", "with the API of the deployed service, to try a library"),
    Example(
      "stories serve --public-url https://stories.example --no-sign-up",
      "behind a proxy, for existing accounts only"),
  ]
  static let parameters: [Parameter<ServeCommand>] = [
    .option(
      "port", value: "N", \.port,
      help: "The port (default: 8420, or a free one if it is taken); 0 for a free one"),
    .option("host", value: "H", \.host, help: "The address to listen on (default: 127.0.0.1)"),
    .option(
      "data", value: "DIR", \.data,
      help: "The folder for the data (default: ~/.local/share/stories/server)", completion: .folder),
    .option(
      "api", value: "v0|v1", \.api,
      help: "The API to speak (default: v0); v1 is that of the deployed service"),
    .option(
      "public-url", value: "URL", \.publicURLs,
      help: "Another address of the server, such as a proxy's"),
    .flag("no-sign-up", \.isSignUpClosed, help: "Accept no new accounts"),
    .option(
      "invite", value: "CODE", \.invite,
      help:
        "Accept new accounts only with this code, at least 8 characters (default: STORIES_INVITE)"),
    .option(
      "storyteller", value: "URL", \.storyteller,
      help: "The address of an engine that writes the stories; needs --model"),
    .option("model", value: "NAME", \.model, help: "The model for --storyteller"),
  ]

  static let usualPort = 8420

  func run(_ context: Context) async throws -> ExitCode {
    if isSignUpClosed, invite != nil { throw UsageError(.excluded("--invite", by: "--no-sign-up")) }
    let folder = try dataFolder(context)
    var options = ServerOptions(dataFolder: folder)
    options.version = ProgramVersion.text
    if let host { options.host = host }
    if let api { options.api = api }
    options.publicURLs = publicURLs.map(\.text)
    options.isSignUpOpen = !isSignUpClosed
    options.inviteCode = try (invite ?? InviteCode(context))?.secret.value
    options.generation.engine = try await engine(context)
    options.generation.note = { context.note(Text($0)) }
    let server = try start(options, context)
    defer { server.stop() }
    let urls = reachable(server.url, context)
    await context.waitForSignal {
      context.output.line(Text(urls[0]))
      context.output.sink.flush()
      for other in urls.dropFirst() { context.note("Also \(other)") }
      context.note("Data: \(context.shown(folder))")
      if host.map(Self.isLoopback) == false {
        context.note(
          "Note: this speaks plain http, which everyone on the way can read: use a network you trust"
        )
        if !isSignUpClosed {
          context.note("For a new account: stories sign-up --server \(urls[0]) --allow-plain-http")
        }
        context.note("On another machine: stories clone \(urls[0]) my-library --allow-plain-http")
      }
      context.note("Ctrl-C ends it.")
    }
    return .done
  }

  /// Returns the user's engines, with the one from the command line.
  private func engine(_ context: Context) async throws -> UserEngine {
    var settings = try EngineSettings(context)
    if let storyteller {
      guard let model else { throw UsageError(.missing("--model NAME", for: "--storyteller")) }
      var setting = EngineSetting(url: storyteller, model: model, origin: "--storyteller")
      setting.key = context.environment["STORIES_STORYTELLER_KEY"]
        .flatMap { $0.isEmpty ? nil : Secret($0) }
      settings.use(setting, for: .text)
    } else if model != nil {
      throw UsageError(.missing("--storyteller URL", for: "--model"))
    }
    return try await UserEngine(settings, context)
  }

  /// Starts the server on the given port, else on the default one, else on a free one.
  private func start(_ options: ServerOptions, _ context: Context) throws -> StoryServer {
    func started(_ port: Int) throws -> StoryServer {
      var options = options
      options.port = port
      let server = try StoryServer(options: options)
      try server.start()
      return server
    }
    do {
      return try started(port?.value ?? Self.usualPort)
    } catch {
      guard port == nil, case StoryServerError.cannotListen(_, _, let reason) = error,
        reason == String(cString: strerror(EADDRINUSE))
      else { throw error }
      context.note("Port \(Self.usualPort) is taken, so this is another one.")
      return try started(0)
    }
  }

  private func dataFolder(_ context: Context) throws -> String {
    if let data { return Path.absolute(data, in: context.folder) }
    if let folder = context.environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
      return Path.join(folder, "stories/server")
    }
    guard let home = context.environment["HOME"], home.hasPrefix("/") else {
      throw UsageError(.missing("--data DIR", for: "serve without a home folder"))
    }
    return Path.join(home, ".local/share/stories/server")
  }

  /// Returns the addresses by which others reach the server: its own, or if it listens on all
  /// networks, those of this machine.
  private func reachable(_ url: String, _ context: Context) -> [String] {
    guard let host, ["0.0.0.0", "::", "[::]"].contains(host),
      let port = url.split(separator: ":").last
    else { return [url] }
    let urls = context.networkAddresses().map { "http://\($0):\(port)" }
    return urls.isEmpty ? [url] : urls
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}

struct PublicURL: ArgumentValue {
  var text: String

  static func parse(_ word: String) throws(ValueProblem) -> PublicURL {
    guard let address = try? ServerAddress(word, allowsPlainHTTP: true), address.path.isEmpty else {
      throw ValueProblem(expected: "an http or https URL without a path")
    }
    return PublicURL(text: address.origin)
  }
}

struct Port: ArgumentValue {
  var value: Int

  static func parse(_ word: String) throws(ValueProblem) -> Port {
    guard let value = Int(word), (0...65_535).contains(value) else {
      throw ValueProblem(expected: "a number from 0 to 65535")
    }
    return Port(value: value)
  }
}

extension ServerAPI: ChoiceArgument {}
