public import StoryLibrary

extension Scan {
  /// Returns a stop for each record that was deleted locally while local records still reference
  /// it. A push stops instead of deleting it on the server.
  ///
  /// Files are read only if there is such a delete.
  /// - Parameter library: the library that was scanned.
  public func refusedDeletes(in library: Library) -> [(ref: RecordRef, stop: SafetyStop)] {
    let rewriter = ReferenceRewriter(library: library)
    let deleted = refs(.pendingDelete).filter { ReferenceTable.kinds.contains($0.kind) }
    if deleted.isEmpty { return [] }
    let named = rewriter.referrers(of: Set(deleted), self)
    return deleted.compactMap { ref in
      named[ref].map { (ref, .stillNamed(ref, by: $0)) }
    }
  }
}
