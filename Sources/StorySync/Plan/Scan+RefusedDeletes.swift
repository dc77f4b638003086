public import StoryLibrary

extension Scan {
  /// Returns a stop for each record that was removed here though records here still name it: a push
  /// stops instead of deleting it on the server.
  ///
  /// Files are read only if such a record was removed.
  /// - Parameter library: the library that was scanned.
  public func refusedDeletes(in library: Library) -> [(ref: RecordRef, stop: SafetyStop)] {
    let rewriter = ReferenceRewriter(library: library)
    let deleted = entries.filter {
      $0.state == .pendingDelete && ReferenceTable.kinds.contains($0.ref.kind)
    }
    if deleted.isEmpty { return [] }
    let named = rewriter.namers(of: Set(deleted.map(\.ref)), self)
    return deleted.compactMap { entry in
      named[entry.ref].map { (entry.ref, .stillNamed(entry.ref, by: $0)) }
    }
  }
}
