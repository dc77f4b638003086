struct NewCommand: CommandFamily {
  static let name = "new"
  static let summary = "Create a hero, story or event"
  static let discussion = """
    Writes a small valid file and prints its path. The file is named after the record; fill in the \
    rest in an editor.
    """
  static let examples = [
    Example("stories new hero Luna", "writes heroes/luna.json"),
    Example(
      "stories new story \"The First Snow\" --hero luna", "writes stories/the-first-snow.json"),
  ]
  static let subcommands: [any Command.Type] = [
    NewHeroCommand.self, NewStoryCommand.self, NewEventCommand.self,
  ]
}
