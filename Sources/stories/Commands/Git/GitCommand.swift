struct GitCommand: CommandFamily {
  static let name = "git"
  static let summary = "Let git merge, show and check records"
  static let discussion = """
    You only need `stories git setup`; git calls the others.
    """
  static let subcommands: [any Command.Type] = [
    GitSetupCommand.self, GitMergeRecordCommand.self, GitMergeSidecarCommand.self,
    GitTextconvCommand.self, GitHookCommand.self,
  ]
}
