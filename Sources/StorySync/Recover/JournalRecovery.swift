import JSONText
import StoryAPI
import StoryLibrary

/// Finishes the file changes that an interrupted run left in the journal.
///
/// If a record got its new content, its sidecar is written; if not, the next plan starts over. The
/// temporary files show which of the two happened, see ``finishStagedSidecars()``. If these are
/// gone and the record was edited since, neither they nor its digest can tell. The sidecar is
/// written anyway so that the record is not created again and no counter is added twice. But a record
/// that was set back since, as by `git checkout` or `git stash`, keeps its old sidecar: with the new one
/// it would take back on the server what had come. And a sidecar that has come since, as with `git pull`,
/// is kept: the journal's would be older than it. A change belongs to the server's record, not to a
/// name: it goes on where the record was moved since with its sidecar, or with its whole folder.
/// ``RenameFinisher`` removes the old sidecar of a renamed record.
struct JournalRecovery {
  private let library: Library
  private let journal: Journal
  /// The unfinished changes with the present names of their records.
  private let changes: [Journal.FileChange]
  /// The numbers of the changes whose records were moved with their sidecars since.
  private var moved: Set<Int> = []

  /// Finds the records of the unfinished changes.
  ///
  /// - Parameter scan: the library before its temporary files are removed.
  init(_ library: Library, _ journal: Journal, _ scan: Scan) {
    self.library = library
    self.journal = journal
    var changes = journal.unfinishedFiles
    for index in changes.indices {
      guard let (ref, old) = Self.newPlace(of: changes[index], scan) else { continue }
      (changes[index].ref, changes[index].old) = (ref, old)
      moved.insert(changes[index].number)
    }
    self.changes = changes
  }

  /// Returns the name of the record that was moved with its sidecar since a change began, and the
  /// sidecar's if it differs, or `nil` if that is where it was.
  private static func newPlace(
    of change: Journal.FileChange, _ scan: Scan
  ) -> (ref: RecordRef, old: RecordRef?)? {
    guard let bytes = change.sidecar,
      let id = (try? Sidecar(bytes: bytes, ref: change.ref))?.id
    else { return nil }
    let places = [change.ref, change.old].compactMap(\.self)
    // A copy of the pair has the same id.
    if places.contains(where: { scan.entry($0)?.id == id }) { return nil }
    if let entry = scan.entry(id: id, of: change.ref.kind) {
      return places.contains(entry.place) ? nil : (entry.ref, entry.renamedFrom)
    }
    // A new record has no sidecar yet, only the one that waits for its name.
    guard change.before == nil,
      let name = try? WriteBatch.stagedName(of: ContentDigest(bytes), for: change.ref.sidecarPath)
    else { return nil }
    for path in scan.staleFiles where Path.name(path) == name {
      let place = Path.join(Path.parent(path), Path.name(change.ref.path))
      guard case .sidecar(let ref)? = TrackedPath(place), ref.kind == change.ref.kind,
        ref != change.ref, let entry = scan.entry(ref), entry.hasRecord, entry.namedIDs.isEmpty
      else { continue }
      return (ref, nil)
    }
    return nil
  }

  /// Finishes the changes whose progress the temporary files show, whatever else the records contain
  /// now. Must run before temporary files are removed.
  ///
  /// - Returns: whether there were any.
  func finishStagedSidecars() throws -> Bool {
    var numbers: [Int] = []
    for change in changes {
      // Of a record that replaced another one, the temporary files may be elsewhere, not moved with it.
      guard change.before == nil || !moved.contains(change.number),
        let after = change.after, after != change.before,
        let bytes = change.sidecar, isInPlace(change), !isSetBack(change)
      else { continue }
      // Failures are retried and reported in ``finishFiles()``.
      let progress = try? WriteBatch.resume(
        record: library.path(change.ref.path), from: change.before, to: after,
        sidecar: (library.path(change.ref.sidecarPath), bytes))
      guard let progress, progress != .unknown else { continue }
      // A record that was not replaced is left to the next plan, even if it was edited since.
      numbers.append(change.number)
    }
    try journal.finish(numbers)
    return !numbers.isEmpty
  }

  /// Finishes the remaining changes.
  ///
  /// - Returns: whether there were any, and the failures, which stay in the journal.
  func finishFiles() throws -> (isAny: Bool, failures: [SyncReport.Failure]) {
    let open = Set(journal.unfinished)
    let changes = changes.filter { open.contains($0.number) }
    guard !changes.isEmpty else { return (false, []) }
    // The last entry of a record says what the earlier ones do.
    let last = Dictionary(
      changes.map { ($0.ref, $0.number) }, uniquingKeysWith: { _, last in last })
    var batch = WriteBatch(root: library.root)
    var written: [Journal.FileChange] = []
    for change in changes where last[change.ref] == change.number {
      guard let (place, bytes) = sidecar(after: change) else { continue }
      batch.add(place, in: library, sidecar: .sidecar(bytes))
      written.append(change)
    }
    var finished = changes.map(\.number)
    var failures: [SyncReport.Failure] = []
    for (change, result) in zip(written, batch.commit()) {
      guard case .failed(let error) = result else { continue }
      failures.append(.init(ref: change.ref, reason: .file(error)))
      finished.removeAll { $0 == change.number }
    }
    try journal.finish(finished)
    return (true, failures)
  }

  /// Returns the sidecar to write after a change, without bytes if it is removed, or `nil` if it stays.
  private func sidecar(
    after change: Journal.FileChange
  ) -> (place: RecordRef, bytes: [UInt8]?)? {
    guard isInPlace(change) else { return nil }
    let present = (try? library.read(change.ref.path)).map { ContentDigest($0) }
    // A record that was moved since gets no sidecar at its old path.
    let isOnlyOfSidecar = change.before == change.after && present != nil
    if present == change.after || isOnlyOfSidecar { return (change.ref, change.sidecar) }
    return present == change.before || isSetBack(change) ? nil : afterEdit(change)
  }

  /// Returns whether the sidecar that a change replaces is still the one on disk, or was removed.
  private func isInPlace(_ change: Journal.FileChange) -> Bool {
    let places = [change.ref, change.old].compactMap(\.self)
    guard let replaced = change.replaced,
      let place = places.first(where: { FileSystem.exists(library.path($0.sidecarPath)) })
    else { return true }
    return (try? library.sidecar(at: place))?.updatedAt ?? "" == replaced
  }

  /// Returns whether a record is as it was before a change, or as the last sync before that left it.
  private func isSetBack(_ change: Journal.FileChange) -> Bool {
    guard let file = try? library.file(change.ref) else { return false }
    let present = ContentDigest(file.document.bytes)
    if present == change.after || present == change.before { return present == change.before }
    guard let sidecar = try? library.sidecar(at: change.old ?? change.ref) else { return false }
    return file.reading(references: ReferenceTable(), sidecar: sidecar)
      .changes(from: sidecar.base).isEmpty
  }

  /// Returns the sidecar to write for a record that was edited since, before or after its content
  /// was replaced, or `nil` if there is nothing to write.
  private func afterEdit(_ change: Journal.FileChange) -> (place: RecordRef, bytes: [UInt8]?)? {
    guard let bytes = change.sidecar, let file = try? library.file(change.ref),
      let next = try? Sidecar(bytes: bytes, ref: change.ref)
    else { return nil }
    let local = file.reading(references: ReferenceTable(), sidecar: next).values
    let place = change.old ?? change.ref
    guard FileSystem.exists(library.path(place.sidecarPath)) else {
      // A new local record: without a sidecar the edited one would be created again on the server.
      let isSame = local.title == next.base.title
      return isSame ? (change.ref, bytes) : nil
    }
    guard var sidecar = try? library.sidecar(at: place) else { return nil }
    // Merging again from the old base is harmless except for counters.
    var isChanged = false
    for field in change.ref.kind.schema.fields where field.merge == .counter {
      guard let localCount = local.completed(from: sidecar.base).effective(field).integer,
        let remoteCount = next.base.effective(field).integer,
        sidecar.base.effective(field).integer != remoteCount
      else { continue }
      sidecar.base[field] = .number(min(localCount, remoteCount))
      isChanged = true
    }
    return isChanged ? (place, sidecar.fileBytes) : nil
  }
}
