public import StoryLibrary

/// The reason why a local change was not made; nothing was written.
public enum EditError: Error, Sendable, Hashable {
  /// There is no such record; `nearest` is the most similar existing name.
  case noSuchRecord(RecordRef, nearest: RecordRef?)
  /// The record's file was removed.
  case removed(RecordRef)
  /// The name is taken.
  case exists(RecordRef)
  /// A record cannot become one of another kind.
  case otherKind(RecordRef, EntityKind)
  /// Only the server creates and changes such records: illustrations.
  case readOnly(RecordRef)
  /// Local records still reference it.
  case stillNamed(RecordRef, by: [RecordRef])
  /// The record is not in conflict.
  case noConflict(RecordRef)
  /// The record as a whole is in conflict, which only `--local` or `--server` can resolve.
  case cannotMerge(RecordRef)
  /// Git merged two records under this name, and only `--local` or `--server` can select one.
  case twoIDs(RecordRef)
  /// The selected version is another record than the one whose sidecar has this name. `home` is that
  /// record's own name in the library, if it has one.
  case otherRecord(RecordRef, home: RecordRef?, isLocal: Bool)
  /// The file was saved at the same time.
  case changedMeanwhile(RecordRef)
  /// The record is open in an editor that a process waits for; see ``OpenRecords``.
  case isOpen(RecordRef, holder: String)
  /// There is no run of that name.
  case noSuchRun(String)
  /// Several runs have names that begin like this.
  case severalRuns(String)
  /// No earlier version of the record was kept.
  case noVersion(RecordRef)
  /// Versions of the record were kept, but none can be read.
  case noReadableVersion(RecordRef)
  /// The record is missing together with its sidecar, and no readable version of it was kept.
  case missing(RecordRef)
  /// The record is in conflict, which its last synced version would not resolve.
  case inConflict(RecordRef)
  /// Git keeps the record out of the working tree.
  case notCheckedOut(RecordRef)

  /// Returns the error for a record that a scan does not have.
  package static func noSuchRecord(_ ref: RecordRef, in scan: Scan) -> EditError {
    if scan.entry(ref) != nil { return .removed(ref) }
    let names = scan.entries.lazy.filter { $0.ref.kind == ref.kind }.map(\.ref.name)
    let nearest = Nearest.match(ref.name, among: names)
    return .noSuchRecord(ref, nearest: nearest.map { RecordRef(kind: ref.kind, name: $0) })
  }
}

extension Scan {
  /// Looks up a record.
  ///
  /// - Throws: `EditError.noSuchRecord` if the library has no such record.
  func existing(_ ref: RecordRef) throws(EditError) -> ScanEntry {
    guard let entry = entry(ref) else { throw .noSuchRecord(ref, in: self) }
    return entry
  }
}

extension ScanEntry {
  /// Refuses an entry that stands for two files whose names differ only in Unicode form: either
  /// name finds it, so the wrong file could be changed.
  ///
  /// - Throws: the problem of the two names.
  package func checkNameIsUnique() throws(Problem) {
    if let problem = problems.first(where: { $0.code == .nameCollision }) { throw problem }
  }
}
