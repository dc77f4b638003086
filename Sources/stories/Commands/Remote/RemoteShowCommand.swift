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
    context.tell(report(setting, configuration, context)) {
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

  private struct Report: Encodable {
    let schema = "stories.remote/1"
    var server: String
    var source: String
    var library: String
    var api: String
    var synced: Members?
    @Omitted var plainHTTP: Bool?
  }

  private func report(
    _ setting: ServerSetting, _ configuration: LibraryConfiguration, _ context: Context
  ) -> Report {
    var report = Report(
      server: setting.server.shown, source: setting.source.rawValue,
      library: configuration.server.shown, api: configuration.api.rawValue,
      synced: configuration.synced.map { ["server": $0.shownServer, "account": $0.account] })
    if case .url(let url) = setting.server {
      report.plainHTTP = url.hasPrefix("http://") && allowsPlainHTTP(url, context)
    }
    return report
  }

  private func allowsPlainHTTP(_ url: String, _ context: Context) -> Bool {
    (try? context.serverAddress(url)) != nil
  }
}
