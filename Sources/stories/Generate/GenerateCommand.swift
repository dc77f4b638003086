/// `stories generate`: has the server make something.
struct GenerateCommand: CommandFamily {
  static let name = "generate"
  static let summary = "Have the server write a story, draw, or read aloud"
  static let section = HelpSection.media
  static let discussion = """
    The server does the work; this program asks, shows how far it is, and takes in what it says. A \
    record that the server does not have yet is sent first. Ctrl-C stops the waiting only: the same \
    command again joins in. The files come with `stories media pull`.
    """
  static let examples = [
    Example("stories generate story --hero luna --event-type bedtime", "a new story"),
    Example("stories generate illustrations stories/first-snow", "pictures of its scenes"),
  ]
  static let subcommands: [any Command.Type] = [
    GenerateStoryCommand.self, GenerateAvatarCommand.self, GenerateAudioCommand.self,
    GenerateIllustrationsCommand.self,
  ]
}
