import StoryAPI
public import StoryLibrary

extension LibraryEditor {
  /// Removes records and requests their delete on the server.
  ///
  /// Removes all of them, or none if one cannot be removed. Their content is kept in one run, so
  /// that `undo` can restore it. If this is interrupted, removed files may lack the request, as if
  /// somebody had deleted them; removing them again adds it.
  /// - Parameters:
  ///   - refs: the records; their files may already be gone.
  ///   - isDryRun: whether to change nothing.
  /// - Throws: `EditError` (`readOnly`; `noSuchRecord`; `isOpen`; `stillNamed` by a record that
  ///   is not removed; `changedMeanwhile`, when that record stays), `LibraryError` (`locked`,
  ///   `newerVersion`), `FileError`, `Problem` if a record or its sidecar cannot be read or its
  ///   name is shared by two files.
  public func remove(_ refs: [RecordRef], isDryRun: Bool = false) throws {
    if let ref = refs.first(where: \.kind.schema.isReadOnly) { throw EditError.readOnly(ref) }
    try library.checkWritable()
    let lock = try Recovery.lock(library, isDryRun: isDryRun).lock
    defer { withExtendedLifetime(lock) {} }
    let scan = try Scanner(library).scan()
    let entries = try refs.map(scan.existing)
    for entry in entries { try entry.checkNameIsUnique() }
    let going = Set(refs)
    let rewriter = ReferenceRewriter(library: library)
    let named = rewriter.referrers(of: going, scan)
    for ref in refs {
      let referrers = (named[ref] ?? []).filter { !going.contains($0) }
      guard referrers.isEmpty else { throw EditError.stillNamed(ref, by: referrers) }
    }
    try carryOut(entries.map { ($0.ref, $0.place) }, isDryRun: isDryRun)
  }

  /// Removes one record, as ``remove(_:isDryRun:)-([RecordRef],_)`` does, without reading other
  /// records if none can reference it and its name is ASCII, which has one Unicode form.
  ///
  /// A file that was renamed by hand since the last sync, and so has no sidecar under its name, is
  /// removed alone: its old sidecar shows that it is gone, as if its file had been deleted.
  public func remove(_ ref: RecordRef, isDryRun: Bool = false) throws {
    let isHere = FileSystem.exists(library.path(ref.path))
    guard isHere, !ReferenceTable.kinds.contains(ref.kind), !ref.kind.schema.isReadOnly,
      ref.name.utf8.allSatisfy({ $0 < 0x80 })
    else {
      return try remove([ref], isDryRun: isDryRun)
    }
    try library.checkWritable()
    let lock = try Recovery.lock(library, isDryRun: isDryRun).lock
    defer { withExtendedLifetime(lock) {} }
    try carryOut([(ref, ref)], isDryRun: isDryRun)
  }

  /// Removes records whose sidecars are at `place`; the caller holds the lock.
  private func carryOut(_ gone: [(ref: RecordRef, place: RecordRef)], isDryRun: Bool) throws {
    if gone.isEmpty { return }
    let open = OpenRecords(library)
    defer { withExtendedLifetime(open) {} }
    try open.check(gone.map(\.ref))
    let run = RunRecorder(library, time)
    let removals = try gone.map { try removal(of: $0.ref, at: $0.place, run) }
    guard !isDryRun else { return run.discard() }
    try run.flush()
    var batch = WriteBatch(root: library.root)
    for (removal, gone) in zip(removals, gone) {
      batch.add(
        gone.ref, in: library, record: removal.record, sidecar: removal.sidecar, at: gone.place)
    }
    for (result, gone) in zip(batch.commit(), gone) where try !result.isDone() {
      throw EditError.changedMeanwhile(gone.ref)
    }
    try run.finish(command: RunRecorder.command("rm", gone.map(\.ref)))
  }

  /// Returns the changes that remove a record, after saving its content in the run.
  private func removal(
    of ref: RecordRef, at place: RecordRef, _ run: RunRecorder
  ) throws -> (record: WriteBatch.Change?, sidecar: WriteBatch.Change?) {
    var change: WriteBatch.Change?
    var sidecarBytes: [UInt8]?
    if FileSystem.exists(library.path(place.sidecarPath)) {
      sidecarBytes = try library.read(place.sidecarPath)
      // Without a readable sidecar the server's record is unknown.
      var sidecar = try library.sidecar(at: place)
      sidecar.isDeleteStated = true
      sidecar.conflict = nil
      change = .sidecar(sidecar.fileBytes)
    }
    let status = try FileSystem.status(library.path(ref.path))
    let bytes = status == nil ? nil : try library.read(ref.path)
    run.pending.save(
      ref, .local, text: bytes, sidecar: sidecarBytes, at: place, mode: status?.mode)
    run.note(ref, after: nil)
    return (bytes.map { .remove(ContentDigest($0)) }, change)
  }
}
