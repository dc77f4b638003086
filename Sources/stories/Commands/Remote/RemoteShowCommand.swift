import JSONText
import StoryAPI
import StoryLibrary

/// `stories remote show`: the library's server and where it is set.
struct RemoteShowCommand: Command {
  static let name = "show"
  static let summary = "Show which server the library is synced with"
  static let section = HelpSection.sync
  static let discussion = """
    No network is used. A server given by --server or STORIES_SERVER takes precedence over \
    library.json; the ids in the library belong to the server that it was last synced with.
    """
  static let examples = [Example("stories remote show --json", "for scripts")]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let setting = try context.serverSetting(library)
    let configuration = library.configuration
    if context.isJSON {
      context.output.json(json(setting, configuration, context))
    } else {
      write(setting, configuration, context)
    }
    return .done
  }

  private func write(
    _ setting: ServerSetting, _ configuration: LibraryConfiguration, _ context: Context
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
      table.add("plain http", Text(allowsPlainHTTP(url, context) ? "allowed" : "not allowed"))
    }
    table.write(to: context.output)
  }

  private func json(
    _ setting: ServerSetting, _ configuration: LibraryConfiguration, _ context: Context
  ) -> JSONValue {
    var object: JSONObject = [
      "schema": "stories.remote/1", "server": .string(setting.server.shown),
      "source": .string(setting.source.rawValue),
      "library": .string(configuration.server.shown), "api": .string(configuration.api.rawValue),
    ]
    object["synced"] =
      configuration.synced.map {
        ["server": .string($0.shownServer), "account": .string($0.account)]
      } ?? .null
    if case .url(let url) = setting.server {
      object["plainHTTP"] = .bool(url.hasPrefix("http://") && allowsPlainHTTP(url, context))
    }
    return .object(object)
  }

  private func allowsPlainHTTP(_ url: String, _ context: Context) -> Bool {
    (try? context.serverAddress(url)) != nil
  }
}
