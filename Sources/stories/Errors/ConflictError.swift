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

extension ErrorReport {
  init(mapping error: ConflictError, in context: Context) {
    switch error {
    case .nobodyToAsk(let isAboutAll):
      self.init(
        "nobody-to-ask", "no terminal to ask on",
        hint: "choose --server, --merge, --edit or --tool, or keep the local version: "
          + (isAboutAll
            ? context.again(adding: "REF", "--local") : context.again(adding: "--local")),
        exitCode: .wrongUsage)
    case .nothingInConflict:
      self.init(
        "no-conflict", "none of these records is in conflict",
        hint: "list conflicts: stories conflicts", exitCode: .wrongUsage)
    case .fieldNotInConflict(let key, let known):
      let nearest = Nearest.match(key, among: known)
      self.init(
        "no-conflict", "“\(key)” is not in conflict",
        hint: nearest.map { "did you mean “\($0)”?" }
          ?? "in conflict: \(Phrases.list(known))", exitCode: .wrongUsage)
    case .toolWithoutResult(let command):
      self.init(
        "tool-without-result", "“\(command)” does not name the merged file",
        hint: "pass the files: --tool 'meld $LOCAL $BASE $REMOTE -o $MERGED'",
        exitCode: .wrongUsage)
    }
  }
}
