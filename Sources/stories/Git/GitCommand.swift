/// `stories git`: what a library needs of git, and what git calls.
struct GitCommand: CommandFamily {
  static let name = "git"
  static let summary = "Let git merge, show and check records"
  static let section = HelpSection.library
  static let discussion = """
    `stories git setup` is for you; the others are called by git once that was done.
    """
  static let subcommands: [any Command.Type] = [
    GitSetupCommand.self, GitMergeRecordCommand.self, GitMergeSidecarCommand.self,
    GitTextconvCommand.self, GitHookCommand.self,
  ]
}
