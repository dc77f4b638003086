import StoryLibrary
import StorySync

extension ErrorReport {
  init(mapping error: GitSetup.Failure, in context: Context) {
    switch error {
    case .noRepository(let root):
      self.init(
        "no-repository", "the library in \(context.shown(root)) is not in a git repository",
        hint: "create one: git init \(ShellWord.quoting(context.shown(root)))",
        exitCode: .wrongUsage)
    case .noGit:
      self.init(
        "no-git", "git does not answer", hint: "install git, and see `git status`",
        exitCode: .failed)
    case .attributesNotAFile(let path):
      self.init(
        "attributes",
        "\(context.shown(path)) is not a file, and git reads only a file of that name",
        hint: "rename or remove it, then run the same command again", exitCode: .failed)
    case .unsafePath(let path):
      self.init(
        "unsafe-path",
        "the path \(path) contains a control character, so it cannot be written into a hook",
        hint: "rename the folder, then run the same command again", exitCode: .wrongUsage)
    case .refusedSetting(let key):
      self.init(
        "git-config", "git did not accept the setting \(key)",
        hint: "see `git config --local --list`", exitCode: .failed)
    }
  }
}
