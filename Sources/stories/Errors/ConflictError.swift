import StoryLibrary

/// Why conflicts cannot be settled as the command line says.
enum ConflictError: Error, Sendable, Equatable {
  /// Somebody would have to be asked, and there is no terminal for it.
  case nobodyToAsk
  /// None of the records that were named is in conflict.
  case nothingInConflict
  /// A field that is not in conflict; `known` are those that are.
  case fieldNotInConflict(String, known: [String])
  /// A merge tool's command line that does not say where the merged file goes.
  case toolWithoutResult(String)
}

extension ErrorReport {
  /// Conflicts that cannot be settled as the command line says.
  init(_ error: ConflictError) {
    switch error {
    case .nobodyToAsk:
      self.init(
        "nobody-to-ask", "no terminal to ask on",
        hint: "choose --local, --server, --merge, --edit or --tool", exitCode: .wrongUsage)
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
