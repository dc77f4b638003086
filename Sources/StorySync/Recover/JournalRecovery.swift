import JSONText
import StoryAPI
import StoryLibrary

/// Finishes the file changes that an interrupted run left in the journal.
///
/// If a record got its new content, its sidecar is written; if not, the next plan starts over. The
/// temporary files show which of the two happened, see ``finishProvenChanges()``. If these are
/// gone and the record was edited since, neither they nor its digest can tell. The sidecar is
/// written anyway so that the record is not created again and no counter is added twice. But a record
/// that was set back since, as by `git checkout` or `git stash`, keeps its old sidecar: with the new one
/// it would take back on the server what had come. And a sidecar that has come since, as with `git pull`,
/// is kept: the journal's would be older than it. ``ChangeLocator`` finds records that were moved since.
/// ``ReferenceRewriter/finishRenames(_:_:)`` removes the old sidecar of a renamed record.
struct JournalRecovery {
  /// An unfinished change, and where it goes on.
  private struct Change {
    var files: Journal.FileChange
    var place: ChangeLocator.Place
    /// The server's id, or `nil` for a removal.
    var id: String?
  }

  private let library: Library
  private let journal: Journal
  private let locator: ChangeLocator
  private var changes: [Change] = []
  /// The numbers of the changes whose records are gone.
  private var gone: [Int] = []

  /// Finds the records of the unfinished changes; fails without such changes.
  ///
  /// - Parameter scan: the library before its temporary files are removed.
  init?(_ library: Library, _ journal: Journal, _ scan: Scan) {
    guard !journal.unfinishedFiles.isEmpty else { return nil }
    self.library = library
    self.journal = journal
    locator = ChangeLocator(library, scan, journal.unfinishedFiles)
    for files in journal.unfinishedFiles {
      switch locator.find(files) {
      case .found(let place):
        let id = files.sidecar.flatMap { try? Sidecar(bytes: $0, ref: files.ref) }?.id
        changes.append(Change(files: files, place: place, id: id))
      case .gone: gone.append(files.number)
      case .hidden: break
      }
    }
  }

  /// Finishes the changes whose progress the temporary files show, whatever else the records contain
  /// now. Must run before temporary files are removed.
  ///
  /// - Returns: whether there were any.
  func finishProvenChanges() throws -> Bool {
    var finished: [Int] = []
    var batch = WriteBatch(root: library.root)
    var written: [Int] = []
    for change in changes where isInPlace(change) {
      let hasRecord = FileSystem.exists(library.path(change.place.ref.path))
      switch try? locator.progress(of: change.files, hasRecord: hasRecord) {
      // A record that was not replaced is left to the next plan, even if it was edited since.
      case .untouched: finished.append(change.files.number)
      case .replaced where isSetBack(change): break
      case .replaced:
        batch.add(
          change.place.newSidecar, in: library, sidecar: .sidecar(change.files.sidecar))
        written.append(change.files.number)
      case .unknown, nil: break
      }
    }
    // Failures are retried and reported in ``finishFiles()``.
    for (number, result) in zip(written, batch.commit()) where result == .done {
      finished.append(number)
    }
    try journal.finish(finished)
    return !finished.isEmpty
  }

  /// Finishes the remaining changes.
  ///
  /// - Returns: whether there were any, and the failures, which stay in the journal.
  func finishFiles() throws -> (isAny: Bool, failures: [SyncReport.Failure]) {
    let open = Set(journal.unfinished)
    let changes = changes.filter { open.contains($0.files.number) }
    var finished = changes.map(\.files.number) + gone
    guard !finished.isEmpty else { return (false, []) }
    // The last entry of a record says what the earlier ones do.
    func key(_ change: Change) -> String { change.id ?? change.files.ref.description }
    let last = Dictionary(
      changes.map { (key($0), $0.files.number) }, uniquingKeysWith: { _, last in last })
    var batch = WriteBatch(root: library.root)
    var written: [Change] = []
    for change in changes where last[key(change)] == change.files.number {
      guard let (place, bytes) = sidecar(after: change) else { continue }
      batch.add(place, in: library, sidecar: .sidecar(bytes))
      written.append(change)
    }
    var failures: [SyncReport.Failure] = []
    for (change, result) in zip(written, batch.commit()) {
      guard case .failed(let error) = result else { continue }
      failures.append(.init(ref: change.place.ref, reason: .file(error)))
      finished.removeAll { $0 == change.files.number }
    }
    try journal.finish(finished)
    return (true, failures)
  }

  /// Returns the sidecar to write after a change, without bytes if it is removed, or `nil` if it stays.
  private func sidecar(after change: Change) -> (place: RecordRef, bytes: [UInt8]?)? {
    guard isInPlace(change) else { return nil }
    let (before, after) = (change.files.before, change.files.after)
    let present = (try? library.read(change.place.ref.path)).map { ContentDigest($0) }
    let written = (change.place.newSidecar, change.files.sidecar)
    if present == after { return written }
    if present == before || isSetBack(change) { return nil }
    // A record that was moved since gets no sidecar at its old path.
    let isOnlyOfSidecar = before == after && present != nil
    return isOnlyOfSidecar ? written : afterEdit(change)
  }

  /// Returns whether the sidecar that a change replaces is still the one on disk, or was removed.
  private func isInPlace(_ change: Change) -> Bool {
    guard let replaced = change.files.replaced,
      let place = [change.place.ref, change.place.sidecar].first(where: {
        FileSystem.exists(library.path($0.sidecarPath))
      })
    else { return true }
    let sidecar = try? library.sidecar(at: place)
    return sidecar?.updatedAt ?? "" == replaced
      && (sidecar == nil || change.id == nil || sidecar?.id == change.id)
  }

  /// Returns whether a record is as it was before a change, or as the last sync before that left it.
  private func isSetBack(_ change: Change) -> Bool {
    guard let file = try? library.file(change.place.ref) else { return false }
    let present = ContentDigest(file.document.bytes)
    if present == change.files.after || present == change.files.before {
      return present == change.files.before
    }
    guard let sidecar = try? library.sidecar(at: change.place.sidecar) else { return false }
    return file.reading(references: ReferenceTable(), sidecar: sidecar)
      .changes(from: sidecar.base).isEmpty
  }

  /// Returns the sidecar to write for a record that was edited since, before or after its content
  /// was replaced, or `nil` if there is nothing to write.
  private func afterEdit(_ change: Change) -> (place: RecordRef, bytes: [UInt8]?)? {
    let (ref, place) = (change.place.ref, change.place.sidecar)
    guard let bytes = change.files.sidecar, let file = try? library.file(ref),
      let next = try? Sidecar(bytes: bytes, ref: ref)
    else { return nil }
    let local = file.reading(references: ReferenceTable(), sidecar: next).values
    guard FileSystem.exists(library.path(place.sidecarPath)) else {
      // A new local record: without a sidecar the edited one would be created again on the server.
      let isSame = local.title == next.base.title
      return isSame ? (change.place.newSidecar, bytes) : nil
    }
    guard var sidecar = try? library.sidecar(at: place) else { return nil }
    // Merging again from the old base is harmless except for counters.
    var isChanged = false
    for field in ref.kind.schema.fields where field.merge == .counter {
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
