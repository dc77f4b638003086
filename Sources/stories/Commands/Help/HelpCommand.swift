/// `stories help`: shows the help of commands.
struct HelpCommand: Command {
  var words: [String] = []

  static let name = "help"
  static let summary = "Show help for a command"
  static let section = HelpSection.program
  static let examples = [
    Example("stories help", "list all commands"),
    Example("stories help sync", "show help for `stories sync`"),
  ]
  static let parameters: [Parameter<HelpCommand>] = [
    .arguments(
      "COMMAND", \.words, help: "The command (default: list all)", completion: .command)
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let path = try CommandPath([StoriesCommand.self]).descending(words)
    HelpPage(path).write(to: context.output)
    return .done
  }
}
