struct GenerateCommand: CommandFamily {
  static let name = "generate"
  static let summary = "Have the server write a story, draw, or read aloud"
  static let discussion = """
    The server does the work; this program sends the request, shows the progress and stores the \
    result. A record that the server does not have yet is sent first. Ctrl-C only stops waiting: \
    run the same command again to continue. Get the files with `stories media pull`.
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
