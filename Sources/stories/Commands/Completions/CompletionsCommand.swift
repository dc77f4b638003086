import JSONText
import StoryLibrary

struct CompletionsCommand: Command {
  var shell = Shell.bash
  var words: [String] = []

  static let name = "completions"
  static let summary = "Print a completion script for a shell"
  static let discussion = """
    Prints a script for bash, zsh or fish. The script asks this program at each completion, so it \
    always knows the commands, their options and the library's records.

    With a command line, prints the possible values of its last word, one per line; this is what \
    the scripts use. zsh and fish also get a description after a tab.
    """
  static let examples = [
    Example(
      "stories completions bash > ~/.local/share/bash-completion/completions/stories", "bash"),
    Example("stories completions zsh > ~/.zfunc/_stories", "zsh, with ~/.zfunc in fpath"),
    Example("stories completions fish > ~/.config/fish/completions/stories.fish", "fish"),
    Example("stories completions bash -- sync pu", "prints pull and push"),
  ]
  static let parameters: [Parameter<CompletionsCommand>] = [
    .argument("SHELL", \.shell, help: "bash, zsh or fish"),
    .arguments("WORD", \.words, help: "The command line to complete, after `stories`"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    guard !words.isEmpty else {
      let report: Members = ["schema": "stories.completions/1", "script": shell.script]
      context.tell(report) { context.output.bytes(Array(shell.script.utf8)) }
      return .done
    }
    // The shell shows and inserts the word as it is, so unsafe ones cannot be escaped.
    let candidates = Completer(root: StoriesCommand.self, context: context).candidates(for: words)
      .filter { !$0.word.unicodeScalars.contains(where: VisibleText.isUnsafe) }
    context.tell(["schema": "stories.completions/1", "candidates": candidates]) {
      for candidate in candidates {
        let help = shell.showsHelp && !candidate.help.isEmpty ? "\t\(candidate.help)" : ""
        context.output.bytes(Array("\(candidate.word)\(help)\n".utf8))
      }
    }
    return .done
  }
}
