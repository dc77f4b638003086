import StoryLibrary

/// The question after an edit with errors: to open the file again, or to leave it.
struct EditAgain: Sendable {
  private let context: Context

  init(_ context: Context) { self.context = context }

  /// Shows the problems and asks; `false` without a terminal, where nothing is shown.
  ///
  /// - Throws: `CancellationError` for Ctrl-C.
  func ask(_ problems: [Problem], in library: Library) throws -> Bool {
    guard context.isInteractive, problems.contains(where: { $0.severity == .error }) else {
      return false
    }
    for problem in problems {
      ProblemText(problem, in: library, context: context).write(to: context.output)
    }
    let prompt = KeyPrompt(
      context: context,
      answers: [
        KeyPrompt.Answer("e", "edit", "[e]dit again", "open it again, at the first error"),
        KeyPrompt.Answer("q", "quit", "[q]uit", "leave it as it is; nothing you wrote is lost"),
      ])
    return try prompt.ask() == "e"
  }
}
