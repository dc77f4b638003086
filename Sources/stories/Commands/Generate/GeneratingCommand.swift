import StoryMedia
import StorySync

/// A command that has the server make something.
protocol GeneratingCommand: Command {
  /// What every such command takes.
  var settings: GenerationSettings { get set }
}

extension GeneratingCommand {
  /// The parameters of the settings, but for ``regenerate``.
  static var settingsParameters: [Parameter<Self>] {
    [
      .flag(
        "no-push", \.settings.staysHere,
        help: "Send no record that the server lacks; stop instead"),
      .option(
        "wait", value: "SECONDS", \.settings.limit,
        help: "How long to wait for work that goes on in the background; 600 without it"),
      .flag(
        "dry-run", \.settings.isDryRun, help: "Show what would be asked for, and ask nothing"),
    ]
  }

  /// Has it made again.
  static var regenerate: Parameter<Self> {
    .flag("regenerate", \.settings.regenerates, help: "Make it again where it is there")
  }
}
