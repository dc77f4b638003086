import StoryLibrary
import StorySync

/// Finds the run that a word refers to.
enum RunChoice {
  /// Returns the run with that name or unique prefix; the newest one without a word.
  ///
  /// - Throws: `EditError.noSuchRun`.
  static func find(
    _ word: String?, among runs: [RunHistory.Run]
  ) throws(EditError) -> RunHistory.Run {
    guard let word else {
      guard let newest = runs.first else { throw .noSuchRun("") }
      return newest
    }
    if let exact = runs.first(where: { $0.name == word }) { return exact }
    let matches = runs.filter { $0.name.hasPrefix(word) }
    guard let match = matches.first, matches.count == 1, !word.isEmpty else {
      throw .noSuchRun(word)
    }
    return match
  }
}
