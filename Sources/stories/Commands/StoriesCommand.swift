/// The root command, with the list of all commands.
struct StoriesCommand: CommandFamily {
  static let name = "stories"
  static let summary =
    "Keep heroes and bedtime stories as plain JSON files, and sync them with a server"
  static let discussion = """
    A library is a folder with a library.json and one JSON file for each hero, event and story. \
    Edit the files with any editor, keep them in git, and run `stories sync`.
    """
  static let foreignWords = [
    "push": "sync push", "pull": "sync pull", "fetch": "status --remote", "ls": "list",
    "dir": "list", "cat": "show", "view": "show", "open": "edit", "add": "new", "create": "new",
    "delete": "rm", "remove": "rm", "del": "rm", "move": "mv", "rename": "mv", "merge": "resolve",
    "history": "log", "grep": "search",
    "find": "search", "revert": "undo", "checkout": "restore", "reset": "restore",
    "cp": "new", "copy": "new", "touch": "new", "upload": "sync push",
    "save": "sync push", "download": "sync pull", "get": "sync pull", "update": "sync pull",
    "publish": "sync push",
    "validate": "check", "lint": "check", "fix": "check --fix", "format": "fmt", "login": "sign-in",
    "signin": "sign-in", "logout": "sign-out", "signout": "sign-out", "register": "sign-up",
    "signup": "sign-up", "settings": "config", "configure": "config", "server": "serve",
    "cron": "schedule", "man": "help --man",
    "commit": "sync",
  ]
  static let sections = [
    HelpSection(
      "Keep a library",
      [
        InitCommand.self, CloneCommand.self, StatusCommand.self, DiffCommand.self,
        CheckCommand.self, FmtCommand.self, SchemaCommand.self, GitCommand.self,
        ConfigCommand.self, DoctorCommand.self,
      ]),
    HelpSection(
      "Write and read",
      [
        NewCommand.self, ListCommand.self, SearchCommand.self, ShowCommand.self, ReadCommand.self,
        BrowseCommand.self, StatsCommand.self, EditCommand.self, MoveCommand.self,
        RemoveCommand.self, ExportCommand.self, ImportCommand.self,
      ]),
    HelpSection(
      "Sync",
      [
        SyncCommand.self, ConflictsCommand.self, ResolveCommand.self, WhyCommand.self,
        LogCommand.self, UndoCommand.self, RestoreCommand.self, RemoteCommand.self,
        ScheduleCommand.self,
      ]),
    HelpSection(
      "Stories and media made by the server",
      [GenerateCommand.self, MediaCommand.self, EngineCommand.self]),
    HelpSection(
      "Account",
      [
        SignUpCommand.self, SignInCommand.self, SignOutCommand.self, WhoamiCommand.self,
        UsageCommand.self,
      ]),
    HelpSection("Serve", [ServeCommand.self]),
    HelpSection("Help", [CompletionsCommand.self, HelpCommand.self]),
  ]
}
