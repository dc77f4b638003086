import StoryLibrary

/// A problem of a file as it is reported to people and programs.
struct ProblemText: Sendable {
  let problem: Problem
  /// The place as shown.
  let place: String
  /// The hint, or `nil`.
  let hint: String?

  init(_ problem: Problem, in library: Library, context: Context) {
    self.problem = problem
    place = context.place(of: problem, in: library)
    hint = problem.advice.map { context.shown(hint: $0, in: library) }
  }

  /// Writes `file:line:column: error: message`, with the hint below.
  func write(to output: Output, indent: Int = 0) {
    let isError = problem.severity == .error
    var line = Text("").padded(to: indent) + Text("\(place): ", .strong)
    line += Text(isError ? "error: " : "warning: ", isError ? .error : .warning)
    output.line(line + Text(problem.message))
    if let hint {
      output.line(Text("").padded(to: indent + 2) + Text("Hint: \(hint)", .faint))
    }
  }
}
