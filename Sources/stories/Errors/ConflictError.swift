import StoryLibrary

/// The reason why conflicts cannot be resolved as requested.
enum ConflictError: Error, Sendable, Equatable {
  /// A person would have to decide, but there is no terminal.
  case nobodyToAsk(isAboutAll: Bool)
  case nothingInConflict
  /// A field is not in conflict; `known` are those that are.
  case fieldNotInConflict(String, known: [String])
  /// A merge tool's command line does not say where the merged file goes.
  case toolWithoutResult(String)
}

extension ConflictError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .nobodyToAsk(let isAboutAll):
      .misuse(
        "nobody-to-ask", "no terminal to ask on",
        hint: "choose --server, --merge, --edit or --tool, or keep the local version: "
          + (isAboutAll
            ? context.again(adding: "REF", "--local") : context.again(adding: "--local")))
    case .nothingInConflict:
      .misuse(
        "no-conflict", "none of these records is in conflict",
        hint: "list conflicts: stories conflicts")
    case .fieldNotInConflict(let key, let known):
      .misuse(
        "no-conflict", "“\(key)” is not in conflict",
        hint: Nearest.match(key, among: known).map { "did you mean “\($0)”?" }
          ?? (known.isEmpty
            ? "list conflicts: stories conflicts" : "in conflict: \(Phrases.list(known))"))
    case .toolWithoutResult(let command):
      .misuse(
        "tool-without-result", "“\(command)” does not name the merged file",
        hint: "pass the files: --tool 'meld $LOCAL $BASE $REMOTE -o $MERGED'")
    }
  }
}
