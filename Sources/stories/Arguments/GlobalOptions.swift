/// The options of every command, which can be before or after its name.
struct GlobalOptions: Sendable, Equatable {
  enum ColourChoice: String, ChoiceArgument {
    /// On a terminal, unless the environment says otherwise.
    case auto
    case always
    case never
  }

  var folder: String?
  /// The server, overriding `library.json`.
  var server: String?
  /// Settings for this run, each `NAME=VALUE`.
  var settings: [String] = []
  var isJSON = false
  var isQuiet = false
  /// The amount of detail besides the result: 0, 1 or more.
  var verbosity = 0
  /// Whether to sync a library from elsewhere with this user's account without asking.
  var isConsenting = false
  var colour: ColourChoice?
  var isUnpaged = false
  var wantsHelp = false
  var wantsVersion = false

  static let parameters: [Parameter<GlobalOptions>] = [
    .option(
      "", letter: "C", value: "DIR", \.folder,
      help: "Run in this folder instead of the current one", completion: .folder),
    .option(
      "server", value: "URL", \.server,
      help: "Use this server, or \"embedded\", instead of library.json's"),
    .option(
      "set", value: "NAME=VALUE", \.settings,
      help: "Override a setting for this run, such as timeLimit=10m; `stories config` lists them",
      completion: .setting),
    .flag("json", \.isJSON, help: "Print the result as one JSON document"),
    .flag("quiet", letter: "q", \.isQuiet, help: "Do not print notes and progress"),
    .count("verbose", letter: "v", \.verbosity, help: "Show more detail; -vv shows request bodies"),
    .flag(
      "yes", \.isConsenting,
      help: "Sync a library from elsewhere with your account, without asking"),
    .option("color", value: "WHEN", \.colour, help: "Use color: auto, always or never"),
    .flag("no-pager", \.isUnpaged, help: "Print text longer than the screen without a pager"),
    .flag("help", letter: "h", \.wantsHelp, help: "Show help"),
    .flag("version", \.wantsVersion, help: "Show the version"),
  ]

  static let declarations = parameters.map(\.declaration)
}
