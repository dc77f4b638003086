import StoryAPI
public import StoryLibrary

extension LibraryEditor {
  /// Removes records and requests their delete on the server.
  ///
  /// Removes none if one may not be removed or cannot be read. Their content is kept in one run, so
  /// that `undo` can restore it. If this is interrupted, removed files may lack the request, as if
  /// somebody had deleted them; removing them again adds it.
  /// - Parameters:
  ///   - refs: the records; their files may already be gone.
  ///   - isDryRun: whether to change nothing.
  /// - Returns: the records that were not removed: with `EditError.changedMeanwhile` those that were saved
  ///   at the same time, with a `FileError` those whose file cannot be removed, or whose sidecar cannot be
  ///   written: then the file is removed without the request.
  /// - Throws: `EditError` (`readOnly`; `noSuchRecord`; `isOpen`; `stillNamed` by a record that
  ///   is not removed), `LibraryError` (`locked`, `newerVersion`), `FileError`, `Problem` if a record or
  ///   its sidecar cannot be read or its name is shared by two files.
  public func remove(_ refs: [RecordRef], isDryRun: Bool = false) throws -> [RunHistory.Skipped] {
    if let ref = refs.first(where: \.kind.schema.isReadOnly) { throw EditError.readOnly(ref) }
    let lock = try Recovery.lock(library, isDryRun: isDryRun).lock
    defer { withExtendedLifetime(lock) {} }
    let scan = try Scanner(askingGit: library).scan()
    let entries = try refs.map(scan.existing)
    for entry in entries { try entry.checkNameIsUnique() }
    let going = Set(refs)
    let rewriter = ReferenceRewriter(library: library)
    let named = rewriter.referrers(of: going, scan)
    for ref in refs {
      let referrers = (named[ref] ?? []).filter { !going.contains($0) }
      guard referrers.isEmpty else { throw EditError.stillNamed(ref, by: referrers) }
    }
    return try carryOut(entries.map { ($0.ref, $0.place) }, isDryRun: isDryRun)
  }

  /// Removes one record, as ``remove(_:isDryRun:)-([RecordRef],_)`` does, without reading other
  /// records if none can reference it, it has a sidecar under its name, and that is ASCII, which has one
  /// Unicode form.
  ///
  /// - Throws: as that method, and the error with which that one returns the record.
  public func remove(_ ref: RecordRef, isDryRun: Bool = false) throws {
    // A path that no scan lists may be that of a sidecar. A record without one may have been renamed.
    let isHere =
      library.nameProblem(of: ref, isNew: false) == nil
      && FileSystem.exists(library.path(ref.path))
      && FileSystem.exists(library.path(ref.sidecarPath))
    guard isHere, !ReferenceTable.kinds.contains(ref.kind), !ref.kind.schema.isReadOnly,
      ref.name.utf8.allSatisfy({ $0 < 0x80 })
    else {
      if let skipped = try remove([ref], isDryRun: isDryRun).first { throw skipped.error }
      return
    }
    let lock = try Recovery.lock(library, isDryRun: isDryRun).lock
    defer { withExtendedLifetime(lock) {} }
    if let skipped = try carryOut([(ref, ref)], isDryRun: isDryRun).first { throw skipped.error }
  }

  /// Removes records whose sidecars are at `place`; the caller holds the lock.
  private func carryOut(
    _ gone: [(ref: RecordRef, place: RecordRef)], isDryRun: Bool
  ) throws -> [RunHistory.Skipped] {
    var writer = VersionWriter(library, references: ReferenceTable(), time: time)
    for (ref, place) in gone {
      var stated: Sidecar?
      if FileSystem.exists(library.path(place.sidecarPath)) {
        // Without a readable sidecar the server's record is unknown.
        stated = try library.sidecar(at: place)
        stated?.isDeleteStated = true
        stated?.conflict = nil
      }
      _ = try writer.add(ref, nil, sidecar: stated?.fileBytes, at: place)
    }
    return try writer.commit(
      command: RunRecorder.command("rm", gone.map(\.ref)), isDryRun: isDryRun)
  }
}
