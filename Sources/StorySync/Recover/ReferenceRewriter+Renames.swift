import StoryLibrary

extension ReferenceRewriter {
  /// Finishes renames whose new sidecars are in place: updates the references to the records, then
  /// removes the old sidecars.
  ///
  /// This order needs no journal entry: a run that dies in between leaves two sidecars with one id,
  /// one of them without a record, and their names show the rename.
  /// - Throws: `FileError`; the old sidecars stay then.
  func finishRenames(_ renamed: [(from: RecordRef, to: RecordRef)], _ scan: Scan) throws {
    try rewrite(renamed, scan)
    var batch = WriteBatch(root: library.root)
    for (old, new) in renamed {
      // After a case-only rename, both names may be those of one file.
      let (from, to) = (library.path(old.sidecarPath), library.path(new.sidecarPath))
      if try FileSystem.isOneFile(from, to) { continue }
      batch.add(old, in: library, sidecar: .removeAnything)
    }
    for result in batch.commit() { _ = try result.isDone() }
  }

  /// Finishes what an interrupted run left (the plan drops the old sidecars), and updates
  /// references to records that were moved together with their sidecars.
  ///
  /// - Returns: whether files were changed.
  /// - Throws: `FileError`.
  func resumeRenames(_ scan: Scan) throws -> Bool {
    let renamed = scan.staleSidecars.compactMap { old -> (from: RecordRef, to: RecordRef)? in
      guard ReferenceTable.kinds.contains(old.kind),
        let id = try? library.sidecar(at: old).id,
        let name = scan.references.name(of: old.kind, id: id)
      else { return nil }
      return (old, RecordRef(kind: old.kind, name: name))
    }
    var isChanged = try rewrite(renamed, scan)
    for entry in scan.entries where !entry.outdatedReferences.isEmpty && !entry.isOutdated {
      for (old, new) in moved(from: entry, scan) {
        try rewrite([entry.ref], from: old, to: new)
        isChanged = true
      }
    }
    return isChanged
  }

  /// Updates the references to records that the scan found renamed; their sidecars stay where they
  /// are.
  ///
  /// - Returns: whether files were changed.
  /// - Throws: `FileError`.
  func followRenames(_ scan: Scan) throws -> Bool {
    try rewrite(scan.entries.compactMap { entry in entry.formerName.map { ($0, entry.ref) } }, scan)
  }

  @discardableResult
  private func rewrite(
    _ renamed: [(from: RecordRef, to: RecordRef)], _ scan: Scan
  ) throws -> Bool {
    let old = Set(renamed.map(\.from).filter { ReferenceTable.kinds.contains($0.kind) })
    guard !old.isEmpty else { return false }
    // A run may have died after writing a record and before writing the name in its sidecar.
    let named = referrers(of: old, scan)
    let remembered = rememberers(of: old, scan)
    var isChanged = false
    for (old, new) in renamed {
      let referrers = Set((named[old] ?? []) + (remembered[old] ?? []))
      guard !referrers.isEmpty else { continue }
      try rewrite(referrers.sorted(), from: old, to: new)
      isChanged = true
    }
    return isChanged
  }
}
