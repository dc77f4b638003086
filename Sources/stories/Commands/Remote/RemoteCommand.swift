import JSONText
import StoryAPI
import StoryLibrary

struct RemoteCommand: CommandFamily {
  static let name = "remote"
  static let summary = "Show which server the library is synced with, or move it to another"
  static let discussion = "Without a subcommand, it shows the server."
  static let examples = [
    Example("stories remote", "the server"),
    Example("stories remote set https://stories.example", "move the library there"),
  ]
  static let subcommands: [any Command.Type] = [RemoteShowCommand.self, RemoteSetCommand.self]
  static let defaultSubcommand: (any Command.Type)? = RemoteShowCommand.self
}

struct RemoteShowCommand: Command {
  static let name = "show"
  static let summary = "Show which server the library is synced with"
  static let discussion = """
    No network is used. A server given by --server or STORIES_SERVER takes precedence over \
    library.json; the ids in the library belong to the server that it was last synced with.
    """
  static let examples = [Example("stories remote show --json", "for scripts")]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let setting = try context.serverSetting(library)
    let configuration = library.configuration
    var allowsPlainHTTP: Bool?
    if case .url(let url) = setting.server {
      allowsPlainHTTP = url.hasPrefix("http://") && (try? context.serverAddress(url)) != nil
    }
    context.tell([
      "schema": "stories.remote/1", "server": setting.server.shown,
      "source": setting.source.rawValue, "library": configuration.server.shown,
      "api": configuration.api.rawValue,
      "synced": configuration.synced.map {
        ["server": $0.shownServer, "account": $0.account] as Members
      }, "plainHTTP": Omitted(allowsPlainHTTP),
    ]) { write(setting, configuration, allowsPlainHTTP == true, context) }
    return .done
  }

  private func write(
    _ setting: ServerSetting, _ configuration: LibraryConfiguration, _ allowsPlainHTTP: Bool,
    _ context: Context
  ) {
    var table = Table(indent: 0)
    let source = Text(" (from \(setting.source.rawValue))", .faint)
    table.add("server", Text(setting.server.shown, .strong) + source)
    if setting.server.text != configuration.server.text {
      table.add("library.json", Text(configuration.server.shown))
    }
    table.add("api", Text(configuration.api.rawValue))
    if let synced = configuration.synced {
      table.add("synced with", Text("\(synced.shownServer), account \(synced.account)"))
    } else {
      table.add(
        "synced with",
        configuration.server == .embedded
          ? "the embedded server, with its data in the library" : Text("nothing yet", .faint))
    }
    if case .url(let url) = setting.server, url.hasPrefix("http://") {
      table.add("plain http", Text(allowsPlainHTTP ? "allowed" : "not allowed"))
    }
    table.write(to: context.output)
  }
}
