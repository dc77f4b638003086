/// The root command, with the list of all commands.
struct StoriesCommand: CommandFamily {
  static let name = "stories"
  static let summary =
    "Keep heroes and bedtime stories as plain JSON files, and sync them with a server"
  static let section = HelpSection.program
  static let discussion = """
    A library is a folder with a library.json and one JSON file for each hero, event and story. \
    Edit the files with any editor, keep them in git, and run `stories sync`.
    """
  static let subcommands: [any Command.Type] = [
    InitCommand.self, CloneCommand.self, StatusCommand.self, DiffCommand.self, CheckCommand.self,
    FmtCommand.self,
    GitCommand.self, DoctorCommand.self,
    NewCommand.self, ListCommand.self, ShowCommand.self, EditCommand.self, MoveCommand.self,
    RemoveCommand.self, SyncCommand.self, ConflictsCommand.self,
    ResolveCommand.self, WhyCommand.self, LogCommand.self, UndoCommand.self, RestoreCommand.self,
    RemoteCommand.self,
    GenerateCommand.self, MediaCommand.self, EngineCommand.self,
    SignUpCommand.self, SignInCommand.self, SignOutCommand.self, WhoamiCommand.self,
    UsageCommand.self,
    ServeCommand.self,
    CompletionsCommand.self, HelpCommand.self,
  ]
}
