import StoryLibrary

/// Clears away the temporary files of a run that died.
struct LeftoverCleaner {
  let library: Library

  /// Removes what is known; what an editor saved in the moment of the crash gets its name back.
  ///
  /// - Returns: whether anything changed.
  func clean(_ scan: Scan) -> Bool {
    Leftovers.settle(scan.leftovers, in: library).contains { settled in
      switch settled.outcome {
      case .removed, .restored, .saved: true
      case .unknown, .failed: false
      }
    }
  }
}
