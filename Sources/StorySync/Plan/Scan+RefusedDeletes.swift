public import StoryLibrary

extension Scan {
  /// Returns a problem for each record that was removed here though records here still name it: a push
  /// stops instead of deleting it on the server.
  ///
  /// Files are read only if such a record was removed.
  /// - Parameter library: the library that was scanned.
  public func refusedDeletes(in library: Library) -> [Problem] {
    let rewriter = ReferenceRewriter(library: library)
    let deleted = entries.filter {
      $0.state == .pendingDelete && ReferenceTable.kinds.contains($0.ref.kind)
    }
    if deleted.isEmpty { return [] }
    let named = rewriter.namers(of: Set(deleted.map(\.ref)), self)
    return deleted.compactMap { entry in
      guard let namers = named[entry.ref] else { return nil }
      let stop = SafetyStop.stillNamed(entry.ref, by: namers)
      return Problem(
        .reference, file: entry.ref.path, message: stop.message + "; a push stops",
        hint: stop.hint)
    }
  }
}
