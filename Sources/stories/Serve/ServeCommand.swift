import StoryAPI
import StoryLibrary
import StoryServer

/// `stories serve`: the embedded backend as a service of its own.
struct ServeCommand: Command {
  var port: Port?
  var host: String?
  var data: String?
  var api: ServerAPI?
  var storyteller: StorytellerURL?
  var model: String?

  static let name = "serve"
  static let summary = "Serve a backend for the machines of one household"
  static let section = HelpSection.server
  static let discussion = """
    Serves accounts and records over HTTP until it is told to end (Ctrl-C, or SIGTERM), and prints \
    its URL as the first line. Everyone who can reach it can make an account; accounts do not see \
    each other's records.

    It answers this machine alone unless --host names another address to listen on. It speaks plain \
    http: beyond this machine put it behind a proxy that speaks https, or use a network you trust.

    It writes stories, draws pictures and reads aloud by itself. With --storyteller a model writes the \
    stories: the URL is that of an endpoint that speaks as OpenAI's chat/completions does, and the key \
    for it comes from STORIES_STORYTELLER_KEY. Where it does not answer within 60 s, the server writes \
    the story itself and says so.
    """
  static let examples = [
    Example("stories serve", "for this machine"),
    Example("stories serve --port 0 --data /tmp/try", "on a free port, with its data there"),
    Example(
      "stories serve --api v1", "as the deployed service speaks, to try a library against it"),
  ]
  static let parameters: [Parameter<ServeCommand>] = [
    .option(
      "port", value: "N", \.port,
      help: "The port; 0 takes a free one, and so does leaving it out where 8420 is taken"),
    .option("host", value: "H", \.host, help: "The address to listen on (127.0.0.1)"),
    .option(
      "data", value: "DIR", \.data,
      help: "The folder for the data (~/.local/share/stories/server)", completion: .folder),
    .option(
      "api", value: "v0|v1", \.api,
      help: "The form of the contract to speak (v0); v1 is that of the deployed service"),
    .option(
      "storyteller", value: "URL", \.storyteller,
      help: "The address of an endpoint that writes the stories; needs --model"),
    .option("model", value: "NAME", \.model, help: "The model that --storyteller is to use"),
  ]

  /// The port that is taken where none is named.
  static let usualPort = 8420

  func run(_ context: Context) async throws -> ExitCode {
    let folder = try dataFolder(context)
    var options = ServerOptions(dataFolder: folder)
    options.version = ProgramVersion.text
    if let host { options.host = host }
    if let api { options.api = api }
    options.generation = try Self.generation(storyteller, model, context)
    let server = try start(options, context)
    defer { server.stop() }
    context.output.line(Text(server.url))
    context.output.sink.flush()
    context.note("Data: \(context.shown(folder))")
    if host.map(Self.isLoopback) == false {
      context.note(
        "Note: this speaks plain http, which everyone on the way can read: use a network you trust")
    }
    context.note("Ctrl-C ends it.")
    await context.waitForSignal()
    return .done
  }

  /// How stories are written and read aloud.
  private static func generation(
    _ storyteller: StorytellerURL?, _ model: String?, _ context: Context
  ) throws -> GenerationOptions {
    var generation = GenerationOptions()
    generation.narrator = SpeechProgram(environment: context.childEnvironment)
    generation.note = { context.note(Text($0)) }
    guard let storyteller else {
      if model != nil { throw UsageError(.missing("--storyteller URL", for: "--model")) }
      return generation
    }
    guard let model else { throw UsageError(.missing("--model NAME", for: "--storyteller")) }
    let key = context.environment["STORIES_STORYTELLER_KEY"].flatMap { $0.isEmpty ? nil : $0 }
    generation.storyteller = ChatStoryteller(
      url: storyteller.text, model: model, key: key.map { Secret($0) },
      transport: URLSessionTransport(answerLimit: 1 << 20))
    return generation
  }

  /// Starts the server: on the port that was named, else on the usual one, else on a free one.
  private func start(_ options: ServerOptions, _ context: Context) throws -> StoryServer {
    var options = options
    options.port = port?.value ?? Self.usualPort
    do {
      return try Self.started(options)
    } catch {
      guard port == nil, case StoryServerError.cannotListen = error else { throw error }
      context.note("Port \(Self.usualPort) is taken, so this is another one.")
      options.port = 0
      return try Self.started(options)
    }
  }

  private static func started(_ options: ServerOptions) throws -> StoryServer {
    let server = try StoryServer(options: options)
    try server.start()
    return server
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

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}

/// A port's number.
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
