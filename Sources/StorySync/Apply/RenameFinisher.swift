import StoryLibrary

/// Lets records name a renamed one by its new name, and only then removes its old sidecar.
///
/// That order needs no note of its own: a run that dies in between leaves two sidecars with one id, of
/// which one has no record, and those two names say what was renamed to what.
struct RenameFinisher {
  let library: Library

  /// Finishes renames whose new sidecars are in place.
  ///
  /// - Throws: `FileError`; the old sidecars stay then.
  func finish(_ renamed: [(from: RecordRef, to: RecordRef)], _ scan: Scan) throws {
    try rewrite(renamed, scan)
    var batch = WriteBatch(root: library.root)
    for (old, new) in renamed where try !isOneFile(old.sidecarPath, new.sidecarPath) {
      batch.add(record: nil, sidecar: (library.path(old.sidecarPath), .removeAnything))
    }
    for result in batch.commit() {
      if case .failed(let error) = result { throw error }
    }
  }

  /// Does what an interrupted run left of this; the plan drops the old sidecars.
  ///
  /// - Returns: whether files were changed.
  /// - Throws: `FileError`.
  func resume(_ scan: Scan) throws -> Bool {
    let files = LibraryFiles(library: library)
    let renamed = scan.staleSidecars.compactMap { old -> (from: RecordRef, to: RecordRef)? in
      guard ReferenceTable.kinds.contains(old.kind),
        let id = try? files.sidecar(of: old, at: old).id,
        let name = scan.references.name(of: old.kind, id: id)
      else { return nil }
      return (old, RecordRef(kind: old.kind, name: name))
    }
    return try rewrite(renamed, scan)
  }

  @discardableResult
  private func rewrite(
    _ renamed: [(from: RecordRef, to: RecordRef)], _ scan: Scan
  ) throws -> Bool {
    let rewriter = ReferenceRewriter(library: library)
    var isChanged = false
    for (old, new) in renamed {
      guard ReferenceTable.kinds.contains(new.kind) else { continue }
      // A run may have died between a record and the sidecar that remembers the name.
      let namers = Set(rewriter.namers(of: old, scan) + rewriter.rememberers(of: old, scan))
      guard !namers.isEmpty else { continue }
      try rewriter.rewrite(namers.sorted(), from: old, to: new)
      isChanged = true
    }
    return isChanged
  }

  /// Whether two names are those of one file: a case-only rename where case does not count.
  private func isOneFile(_ left: String, _ right: String) throws(FileError) -> Bool {
    guard let one = try FileSystem.status(library.path(left)),
      let other = try FileSystem.status(library.path(right))
    else { return false }
    return one.inode == other.inode && one.device == other.device
  }
}
