import JSONText
import StoryAPI
import StoryLibrary
import StoryServer

struct SettingsTable: Sendable {
  struct Row: Sendable, Equatable, Encodable {
    var name: String
    /// The value; never a secret.
    var value: String
    /// The origin: a flag, an environment variable, `library.json`, or `default`.
    var origin: String
  }

  private(set) var rows: [Row] = []

  /// Collects the settings in a library, or outside of any.
  ///
  /// - Throws: `SettingError`; `ServerAddress.Problem` for an invalid server address.
  init(_ library: Library?, _ context: Context) throws {
    let server: ServerSetting?
    do {
      server = try context.serverSetting(library)
    } catch CommandError.noServer {
      server = nil
    }
    add("library", library?.root ?? "none", context.global.folder == nil ? "current folder" : "-C")
    let root = library?.configuration.document.root
    func given(_ key: String) -> String { root?[key] == nil ? "default" : "library.json" }
    add(
      "server", server?.server.shown ?? "none",
      server.flatMap { $0.source == .library ? nil : $0.source.rawValue } ?? given("server"))
    if let configuration = library?.configuration {
      add("api", configuration.api.rawValue, given("api"))
      add("policies", root?["policies"]?.value.compactText ?? "defaults", given("policies"))
      if let synced = configuration.synced {
        add("synced with", "\(synced.shownServer), account \(synced.account)", "library.json")
      }
    }
    if context.environment["STORIES_TOKEN"]?.isEmpty == false {
      let isUsed = server.map { $0.isNamedByPerson && $0.server != .embedded } ?? false
      add(
        "token", isUsed ? "set" : "set, but not used: it is only sent to a server that you name",
        "STORIES_TOKEN")
    }
    addConfiguration(context)
    let settings = try context.settings()
    for name in SettingName.allCases {
      add(name.rawValue, settings.text(name), settings.origin(name))
    }
    if !settings.pinnedServers.isEmpty {
      add(
        UserConfiguration.pinnedKeys, settings.pinnedServers.joined(separator: ", "),
        UserConfiguration.fileName)
    }
    let engines = try EngineSettings(context)
    for role in EngineRole.allCases {
      let setting = engines[role]
      add(
        role == .pictures ? "picture engine" : "\(role.rawValue) engine",
        setting?.summary ?? role.withoutEngine, setting?.origin ?? "default")
    }
    let editor = ["VISUAL", "EDITOR"].first { context.environment[$0]?.isEmpty == false }
    add("editor", editor.flatMap { context.environment[$0] } ?? "vi", editor ?? "default")
  }

  private mutating func add(_ name: String, _ value: String, _ origin: String) {
    rows.append(Row(name: name, value: value, origin: origin))
  }

  private mutating func addConfiguration(_ context: Context) {
    guard let folder = context.configurationFolder else {
      return add("your configuration", "none", "default")
    }
    let origin = ["STORIES_CONFIG_DIR", "XDG_CONFIG_HOME"].first {
      context.environment[$0]?.isEmpty == false
    }
    add("your configuration", folder, origin ?? "HOME")
    let origins = context.plainHTTP?.origins ?? []
    if !origins.isEmpty { add("plain http", origins.joined(separator: ", "), "your configuration") }
  }

  func write(to output: Output) {
    var table = Table()
    for row in rows {
      table.add(Text(row.name), Text(row.value) + Text("  (\(row.origin))", .faint))
    }
    table.write(to: output)
  }
}
