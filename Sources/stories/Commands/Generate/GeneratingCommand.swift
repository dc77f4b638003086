import StoryMedia

/// A command that generates something on the server.
protocol GeneratingCommand: Command {
  var settings: GenerationSettings { get set }
}

extension GeneratingCommand {
  /// The parameters of the settings except ``regenerate``.
  static var settingsParameters: [Parameter<Self>] {
    [
      .flag(
        "no-push", \.settings.staysLocal,
        help: "Stop instead of sending records that the server lacks"),
      .option(
        "wait", value: "SECONDS", \.settings.limit,
        help: "How long to wait for work in the background (default: 600)"),
      .flag(
        "dry-run", \.settings.isDryRun, help: "Show what would be requested, without requesting it"),
    ]
  }

  static var regenerate: Parameter<Self> {
    .flag("regenerate", \.settings.regenerates, help: "Make it again if it exists")
  }
}

struct GenerationSettings: Sendable {
  var regenerates = false
  var staysLocal = false
  var limit: Count?
  var isDryRun = false

  var options: GenerationOptions {
    var options = GenerationOptions()
    options.regenerates = regenerates
    options.pushes = !staysLocal
    if let limit { options.polling.limit = .seconds(limit.value) }
    return options
  }
}
