import JSONText
import StoryLibrary

struct ConfigCommand: CommandFamily {
  static let name = "config"
  static let summary = "Show and change your settings"
  static let discussion = """
    Settings belong to you, not to a library: how long to wait for a server, how often to try \
    again, how long runs are kept. They are in config.json in your configuration folder \
    (STORIES_CONFIG_DIR, else XDG_CONFIG_HOME/stories, else ~/.config/stories).

    An environment variable overrides the file (STORIES_REQUEST_TIMEOUT for requestTimeout), and \
    --set overrides both for one run. What belongs to a library is in its library.json; engines \
    are set with `stories engine`.
    """
  static let examples = [
    Example("stories config", "every setting, and where it comes from"),
    Example("stories config set requestTimeout 30s", "wait longer for a slow server"),
    Example("stories config unset requestTimeout", "back to the default"),
  ]
  static let subcommands: [any Command.Type] = [
    ConfigListCommand.self, ConfigGetCommand.self, ConfigSetCommand.self,
    ConfigUnsetCommand.self,
  ]
  static let defaultSubcommand: (any Command.Type)? = ConfigListCommand.self
  static let foreignWords = [
    "show": "list", "ls": "list", "add": "set", "rm": "unset", "remove": "unset",
    "reset": "unset",
  ]
}

extension Context {
  /// Returns the user's `config.json`, which need not exist.
  ///
  /// - Throws: `CommandError.noConfigurationFolder`; as `UserConfiguration.init`.
  func userConfiguration() throws -> UserConfiguration {
    guard let folder = configurationFolder else { throw CommandError.noConfigurationFolder }
    return try UserConfiguration(folder: folder)
  }

  /// Notes that a setting of the file has no effect now, because something else overrides it.
  fileprivate func noteOverride(of name: SettingName) {
    guard let word = environment[name.variable], !word.isEmpty else { return }
    note("Note: \(name.variable)=\(word) in the environment overrides it.")
  }
}

struct ConfigListCommand: Command {
  static let name = "list"
  static let summary = "List every setting, and where it comes from"
  static let examples = [Example("stories config list --json", "for scripts")]

  func run(_ context: Context) async throws -> ExitCode {
    let settings = try context.settings()
    let file = context.configurationFolder.map { Path.join($0, UserConfiguration.fileName) }
    let rows = SettingName.allCases.map { name -> Members in
      [
        "name": name.rawValue, "value": settings.text(name), "origin": settings.origin(name),
        "summary": name.summary,
      ]
    }
    context.tell([
      "schema": "stories.config/1", "file": file, "settings": rows,
      "pinnedServers": settings.pinnedServers,
    ]) {
      var table = Table(indent: 0)
      for name in SettingName.allCases {
        table.add(
          Text(name.rawValue, .strong), Text(settings.text(name)),
          Text(settings.origin(name), .faint), Text(name.summary))
      }
      if !settings.pinnedServers.isEmpty {
        table.add(
          Text(UserConfiguration.pinnedKeys, .strong), "set",
          Text(UserConfiguration.fileName, .faint),
          Text("Keys of " + settings.pinnedServers.joined(separator: ", ")))
      }
      table.write(to: context.output)
      if let file { context.detail("The file is \(file)") }
    }
    return .done
  }
}

struct ConfigGetCommand: Command {
  var setting = SettingName.tokenStore

  static let name = "get"
  static let summary = "Print the value of a setting"
  static let examples = [Example("stories config get retry", "the value that is in effect")]
  static let parameters: [Parameter<ConfigGetCommand>] = [
    .argument("NAME", \.setting, help: "The setting")
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let settings = try context.settings()
    let (value, origin) = (settings.text(setting), settings.origin(setting))
    context.tell([
      "schema": "stories.config-get/1", "name": setting.rawValue, "value": value, "origin": origin,
    ]) { context.output.line(Text(value)) }
    context.detail("From \(origin)")
    return .done
  }
}

struct ConfigSetCommand: Command {
  var setting = SettingName.tokenStore
  var value = ""
  var isDryRun = false

  static let name = "set"
  static let summary = "Change a setting"
  static let discussion = """
    Writes the value to your config.json, which is created if necessary; everything else in the \
    file stays as it is. If it is a symbolic link, what it points to is changed.

    timeLimit and rateLimit may be none: no limit.
    """
  static let examples = [
    Example("stories config set requestTimeout 30s", "wait longer for a slow server"),
    Example("stories config set retry 5:500ms..10s", "five retries, and their waits"),
    Example("stories config set tokenStore git", "keep sessions with git's credential helpers"),
  ]
  static let parameters: [Parameter<ConfigSetCommand>] = [
    .argument("NAME", \.setting, help: "The setting"),
    .argument("VALUE", \.value, help: "Its value, such as 30s, 6 or 200MiB"),
    .flag("dry-run", \.isDryRun, help: "Check the value, and write nothing"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    do throws(ValueProblem) { try Settings.check(value, for: setting) } catch {
      throw UsageError(.wrongValue(of: setting.rawValue, value, error))
    }
    let file = try context.userConfiguration()
    if !isDryRun { try file.store(value, for: setting) }
    context.tell([
      "schema": "stories.config-set/1", "dryRun": isDryRun, "file": file.path,
      "name": setting.rawValue, "value": value,
    ]) {
      context.output.line(
        "\(isDryRun ? "Would set" : "Set") \(setting.rawValue) to \(value) in \(context.shown(file.path))"
      )
    }
    context.noteOverride(of: setting)
    return .done
  }
}

struct ConfigUnsetCommand: Command {
  var setting = SettingName.tokenStore
  var isDryRun = false

  static let name = "unset"
  static let summary = "Reset a setting to its default"
  static let examples = [Example("stories config unset retry", "back to the default")]
  static let parameters: [Parameter<ConfigUnsetCommand>] = [
    .argument("NAME", \.setting, help: "The setting"),
    .flag("dry-run", \.isDryRun, help: "Show what would be removed, and remove nothing"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let file = try context.userConfiguration()
    let isSet = file.has(setting)
    if isSet, !isDryRun { try file.store(nil, for: setting) }
    context.tell([
      "schema": "stories.config-unset/1", "dryRun": isDryRun, "file": file.path,
      "name": setting.rawValue, "removed": isSet,
    ]) {
      let verb = isDryRun ? "Would remove" : "Removed"
      context.output.line(
        isSet
          ? "\(verb) \(setting.rawValue) from \(context.shown(file.path))"
          : "\(setting.rawValue) is not set in \(context.shown(file.path))")
    }
    context.noteOverride(of: setting)
    return .done
  }
}
