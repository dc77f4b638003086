import StoryLibrary

/// Clears away the temporary files of a run that died.
struct LeftoverCleaner {
  let library: Library

  /// Removes what is known; what an editor saved in the moment of the crash gets its name back.
  ///
  /// To be called with the lock, and before the journal is finished: whether a record did get its new
  /// content is known only then.
  /// - Returns: whether there was anything, so that the library has to be scanned again.
  /// - Throws: `FileError` where the system does not let one go.
  func clean(_ scan: Scan) throws(FileError) -> Bool {
    guard !scan.leftovers.isEmpty else { return false }
    for item in Leftovers.settle(scan.leftovers, in: library) {
      if case .failed(let error) = item.outcome { throw error }
    }
    return true
  }
}
