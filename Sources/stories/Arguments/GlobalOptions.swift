/// What every command takes, in front of its name or behind it.
struct GlobalOptions: Sendable, Equatable {
  /// When to write in colour.
  enum ColourChoice: String, ChoiceArgument {
    /// On a terminal, unless the environment says otherwise.
    case auto
    case always
    case never
  }

  /// The folder to start from instead of the current one.
  var folder: String?
  /// The server, whatever `library.json` says.
  var server: String?
  /// Settings for this run, each `NAME=VALUE`.
  var settings: [String] = []
  /// Whether the result is one JSON document.
  var isJSON = false
  /// Whether notes and progress are left out.
  var isQuiet = false
  /// How much to tell beside the result: 0, 1 or more.
  var verbosity = 0
  /// Whether a library from elsewhere may be synced with this user's account without asking.
  var isConsenting = false
  /// When to write in colour.
  var colour: ColourChoice?
  /// Whether help was asked for.
  var wantsHelp = false
  /// Whether the version was asked for.
  var wantsVersion = false

  static let parameters: [Parameter<GlobalOptions>] = [
    .option(
      "", letter: "C", value: "DIR", \.folder,
      help: "Run in this folder instead of the current one",
      completion: .folder),
    .option(
      "server", value: "URL", \.server,
      help: "Use this server, or \"embedded\", instead of library.json's"),
    .option(
      "set", value: "NAME=VALUE", \.settings,
      help: "Override a setting for this run, such as timeLimit=10m; `stories doctor` lists them",
      completion: .setting),
    .flag("json", \.isJSON, help: "Print the result as one JSON document"),
    .flag("quiet", letter: "q", \.isQuiet, help: "Do not print notes and progress"),
    .count("verbose", letter: "v", \.verbosity, help: "Show more detail; -vv shows request bodies"),
    .flag(
      "yes", \.isConsenting,
      help: "Sync a library from elsewhere with your account, without asking"),
    .option("color", value: "WHEN", \.colour, help: "Use colour: auto, always or never"),
    .flag("help", letter: "h", \.wantsHelp, help: "Show help"),
    .flag("version", \.wantsVersion, help: "Show the version"),
  ]

  /// The parameters without the properties they go to.
  static let declarations = parameters.map(\.declaration)
}
