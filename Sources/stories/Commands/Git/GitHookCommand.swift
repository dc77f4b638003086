import StoryLibrary
import StorySync

struct GitHookCommand: Command {
  enum Hook: String, ChoiceArgument {
    case postMerge = "post-merge"
    case postCheckout = "post-checkout"
  }

  var hook = Hook.postMerge
  var words: [String] = []

  static let name = "hook"
  static let summary = "Say what is pending, called by git's hooks"
  static let discussion = """
    Prints one line with what a push would send, if anything. It never fails, so that it never \
    blocks git, and prints nothing during a rebase.
    """
  static let parameters: [Parameter<GitHookCommand>] = [
    .argument("HOOK", \.hook, help: "post-merge or post-checkout"),
    .arguments("WORD", \.words, help: "The hook's arguments"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    guard let library = try? context.library(), let repository = GitRepository(library),
      !repository.isRebasing, let scan = try? context.scan(library)
    else { return .done }
    let report = StatusReport(scan, of: library)
    guard report.isPending else { return .done }
    context.note(Text("stories: ", .strong) + report.summary)
    context.note(Text("  Hint: see which: stories status", .faint))
    return .done
  }
}
