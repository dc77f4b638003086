extension Scanner {
  /// Looks again at some records of a library that was scanned before, and at no other.
  ///
  /// So a sync that wrote a few records of very many knows how they stand now without another scan.
  /// The index stays as it is; the next scan brings it up to date.
  /// - Parameters:
  ///   - refs: the records whose files may have changed since, under the names that they have now.
  ///   - scan: what was found before.
  /// - Returns: what a scan would find if nothing else changed; `nil` where that depends on more than
  ///   these records, or where a scan is no more work.
  public func scan(again refs: Set<RecordRef>, of scan: Scan) -> Scan? {
    let isFew = refs.count * 8 < scan.entries.count
    guard isFew, scan.staleSidecars.isEmpty, scan.leftovers.isEmpty else { return nil }
    let comparer = PairComparer(
      library: library, references: scan.references, checksEverything: checksEverything)
    let hasLoneSidecars = scan.entries.contains { !$0.hasRecord && $0.state != .notCheckedOut }
    var found: [RecordRef: ScanEntry] = [:]
    for ref in refs {
      // A rename, a twin of the id, or what git hides concerns other files as well; so does half of a
      // pair that may have been taken for a rename.
      guard let before = scan.entry(ref), before.renamedFrom == nil,
        before.state != .duplicateId, before.hasRecord, before.id != nil || !hasLoneSidecars,
        let entry = entry(ref, comparer), entry.id == before.id || !isNamed(ref.kind)
      else { return nil }
      found[ref] = entry
    }
    var next = scan
    for place in next.entries.indices {
      if let entry = found[next.entries[place].ref] { next.entries[place] = entry }
    }
    next.noteOrder()
    // An id that is new here may be another's.
    return next.twins.isEmpty ? next : nil
  }

  private func isNamed(_ kind: EntityKind) -> Bool { ReferenceTable.kinds.contains(kind) }

  /// A record whose two files are there and can be read; `nil` for every other, as it may be half of a
  /// rename.
  private func entry(_ ref: RecordRef, _ comparer: PairComparer) -> ScanEntry? {
    do throws(FileError) {
      guard let record = try FileSystem.status(library.path(ref.path))?.type else { return nil }
      guard try FileSystem.status(library.path(ref.sidecarPath)) != nil else { return nil }
      let entry = comparer.entry(
        for: FolderWalk.Pair(ref: ref, record: record, sidecar: ref))
      return entry.state == .unreadable ? nil : entry
    } catch {
      return nil
    }
  }
}
