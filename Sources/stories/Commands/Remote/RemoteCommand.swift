struct RemoteCommand: CommandFamily {
  static let name = "remote"
  static let summary = "Show which server the library is synced with, or move it to another"
  static let discussion = """
    Without a command behind it, it shows the server.
    """
  static let examples = [
    Example("stories remote", "the server, and who says so"),
    Example("stories remote set https://stories.example", "move the library there"),
  ]
  static let subcommands: [any Command.Type] = [RemoteShowCommand.self, RemoteSetCommand.self]
  static let defaultSubcommand: (any Command.Type)? = RemoteShowCommand.self
}
