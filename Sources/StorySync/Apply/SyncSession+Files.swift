import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

extension SyncSession {
  /// The number of pairs of files that are written together.
  private static let batchSize = 1_000

  /// Carries out the steps of a plan that change local files, in order.
  ///
  /// In each batch the run keeps the versions to replace, the journal gets the entries, the records
  /// are written, then the sidecars. A record that was saved meanwhile is left to another plan. The
  /// old sidecar of a renamed record stays, see ``ReferenceRewriter/finishRenames(_:_:)``. While one
  /// batch is renamed into place, the next is read and staged in temporary files.
  /// - Parameter progress: called with the number of steps that are done.
  /// - Returns: the records that changed since the plan was made.
  func changeFiles(
    _ steps: [Plan.Step], progress: (Int) -> Void = { _ in }
  ) throws -> [RecordRef] {
    var changed: [RecordRef] = []
    var rest = steps[...]
    guard !Task.isCancelled else { return changed }
    var next = try stageBatch(of: &rest)
    while let batch = next, !Task.isCancelled {
      let done = steps.count - rest.count
      run.save(&batch.versions)
      try run.flush()
      let numbers = try journal.begin(batch.changes.map(\.files))
      let (results, following) = Parallel.both {
        batch.commit()
      } and: {
        Result { try stageBatch(of: &rest) }
      }
      changed += batch.changedMeanwhile
      // Nothing was written, and git may have brought another sidecar.
      own.subtract(batch.changedMeanwhile)
      changed += try finish(batch, numbers, results)
      progress(done)
      next = try following.get()
    }
    return changed
  }

  /// Reads and stages the next batch, or returns `nil` if nothing is left.
  private func stageBatch(of rest: inout ArraySlice<Plan.Step>) throws -> Staged? {
    guard !rest.isEmpty else { return nil }
    let staged = Staged(root: library.root)
    for step in rest.prefix(Self.batchSize) {
      do {
        guard let change = try prepare(step, &staged.versions) else {
          staged.changedMeanwhile.append(step.ref)
          continue
        }
        staged.add(step, change, in: library)
      } catch let problem as Problem {
        report.failed.append(.init(ref: step.ref, reason: .problem(problem)))
      }
    }
    rest = rest.dropFirst(Self.batchSize)
    staged.flush()
    return staged
  }

  /// Returns the records that were saved at the same time.
  private func finish(
    _ batch: Staged, _ numbers: [Int], _ results: [WriteBatch.Result]
  ) throws -> [RecordRef] {
    var changedMeanwhile: [RecordRef] = []
    var finished: [Int] = []
    for ((change, number), result) in zip(zip(batch.changes, numbers), results) {
      switch result {
      case .done:
        // The record has the sidecar's version now, unless only the sidecar moved.
        if change.step.isOutdated, change.merged != nil {
          own.formUnion([change.step.ref, change.step.place])
        }
        report.note(change.step)
        if change.step.action != .adopt, let merged = change.merged {
          report.note(merged, of: change.step.ref)
        }
        if change.files.before != change.files.after {
          run.note(change.step.ref, after: change.files.after)
        }
      case .changedMeanwhile: changedMeanwhile.append(change.step.ref)
      case .failed(let error):
        // Its record may have been written, so the change stays in the journal.
        report.failed.append(.init(ref: change.step.ref, reason: .file(error)))
        continue
      }
      finished.append(number)
    }
    try journal.finish(finished)
    return changedMeanwhile
  }

  // MARK: Preparing

  /// Returns what a step writes, or `nil` if the record differs from what the plan saw.
  private func prepare(
    _ step: Plan.Step, _ versions: inout RunRecorder.Versions
  ) throws -> FileChange? {
    switch step.action {
    case .bringBack where step.location == nil:
      let sidecar = try source.sidecar(at: step.ref)
      references.add(step.ref, id: sidecar.id)
      return newRecord(sidecar)
    case .takeNew, .bringBack:
      let record = try remote(step)
      references.add(step.ref, id: record.id)
      return newRecord(Sidecar(record, references: references))
    case .merge, .rebase, .adopt:
      return try prepareMerge(step, &versions)
    case .deleteLocally:
      guard let bytes = unchanged(step), let digest = step.digest else { return nil }
      versions.save(
        step.ref, local: bytes, sidecar: try sidecarBytes(step), at: step.renamedFrom,
        mode: try FileSystem.status(library.path(step.ref.path))?.mode)
      return FileChange(record: .remove(digest))
    case .forget:
      // The record came back since the plan was made, so its sidecar with the server's id is kept.
      guard !FileSystem.exists(library.path(step.ref.path)) else { return nil }
      versions.save(step.ref, server: nil, sidecar: try sidecarBytes(step))
      return FileChange()
    case .moveSidecar:
      return FileChange(sidecar: try sidecarBytes(step))
    case .rebuildSidecar:
      if FileSystem.exists(library.path(step.ref.sidecarPath)) {
        versions.save(step.ref, server: nil, sidecar: try sidecarBytes(step))
      }
      return FileChange(sidecar: try rebuiltSidecar(step, references)?.fileBytes)
    case .recordConflict(let conflict):
      return try prepareConflict(step, conflict)
    case .create, .update, .delete:
      return nil
    }
  }

  private func newRecord(_ sidecar: Sidecar) -> FileChange {
    let text = RecordFile.newFile(sidecar.base, references: references)
    return FileChange(record: .write(text, .absent), sidecar: sidecar.fileBytes)
  }

  private func prepareMerge(
    _ step: Plan.Step, _ versions: inout RunRecorder.Versions
  ) throws -> FileChange? {
    let known = step.action == .adopt ? nil : try source.sidecar(at: step.place)
    // Git may have brought another one, whose record comes only later.
    if let known, known.id != step.id || known.updatedAt != step.sidecarRevision { return nil }
    // Without a change on the server, the sidecar has its version.
    let record = try step.location == nil ? known?.record ?? remote(step) : remote(step)
    references.add(step.ref, id: record.id)
    guard let bytes = unchanged(step), let digest = step.digest else { return nil }
    let file = try RecordFile(ref: step.ref, bytes: bytes)
    let sidecar = known ?? Sidecar(record, references: references)
    let merged = source.merge(
      file, sidecar, with: record, by: decider, references, isOutdated: step.isOutdated)
    if merged.text != nil || !merged.outcome.overridden.isEmpty {
      versions.save(step.ref, local: bytes)
      versions.save(step.ref, server: record.fields)
    }
    return FileChange(
      record: merged.text.map { .write($0, .content(digest)) }, sidecar: merged.sidecar.fileBytes,
      merged: merged)
  }

  /// Returns the sidecar that replaces an unreadable or missing one, or `nil` for none.
  func rebuiltSidecar(_ step: Plan.Step, _ references: ReferenceTable) throws -> Sidecar? {
    if let bytes = try? source.read(step.ref.sidecarPath),
      let merged = SidecarSides(bytes, ref: step.ref)?.merged
    {
      return merged
    }
    guard step.location != nil else { return nil }
    return Sidecar(
      rebuildingFor: try source.file(step.ref), from: try remote(step), references: references)
  }

  private func prepareConflict(_ step: Plan.Step, _ conflict: ConflictKind) throws -> FileChange {
    var sidecar = try source.sidecar(at: step.place)
    switch conflict {
    case .deletedOnServer: sidecar.conflict = .deletedOnServer
    case .deletedLocally:
      sidecar.setDeletedLocally(step.location == nil ? nil : try remote(step))
    case .fields: break
    }
    return FileChange(sidecar: sidecar.fileBytes)
  }

  private func remote(_ step: Plan.Step) throws -> RemoteRecord {
    guard let location = step.location else {
      throw Problem(.versionUnknown, file: step.ref.path)
    }
    return try source.spool.record(step.ref.kind, at: location)
  }

  /// Returns the record's bytes, or `nil` if they differ from what the plan saw.
  private func unchanged(_ step: Plan.Step) -> [UInt8]? {
    guard let bytes = try? source.read(step.ref.path), ContentDigest(bytes) == step.digest else {
      return nil
    }
    return bytes
  }

  private func sidecarBytes(_ step: Plan.Step) throws -> [UInt8] {
    try source.read(step.place.sidecarPath)
  }
}

private struct FileChange {
  var record: WriteBatch.Change?
  /// The sidecar's new text, or `nil` to remove it.
  var sidecar: [UInt8]?
  var merged: MergedRecord?
}

/// Changes staged in temporary files; nothing is replaced yet.
private final class Staged {
  /// What the journal notes of each change, and the merge without the record's text.
  private(set) var changes: [(step: Plan.Step, files: Journal.FileChange, merged: MergedRecord?)] =
    []
  /// The records that differ from what the plan saw.
  var changedMeanwhile: [RecordRef] = []
  var versions = RunRecorder.Versions()
  private var batch: WriteBatch?

  init(root: String) { batch = WriteBatch(root: root) }

  deinit { batch.take()?.abandon() }

  func add(_ step: Plan.Step, _ change: FileChange, in library: Library) {
    var digest = step.digest
    if case .write(let bytes, _)? = change.record { digest = ContentDigest(bytes) }
    if case .remove? = change.record { digest = nil }
    let files = Journal.FileChange(
      ref: step.ref, before: step.digest, after: digest, sidecar: change.sidecar,
      replaced: step.sidecarRevision ?? "", old: step.formerName)
    batch?.add(
      step.ref, in: library, record: change.record, sidecar: .sidecar(change.sidecar),
      at: step.newPlace)
    var merged = change.merged
    merged?.text = nil
    changes.append((step, files, merged))
  }

  /// Flushes all temporary files to disk. The journal relies on that.
  func flush() { batch?.flush() }

  /// Renames everything into place; returns a result for each change.
  func commit() -> [WriteBatch.Result] { batch.take()?.commit() ?? [] }
}

extension SyncReport {
  mutating func note(_ merged: MergedRecord, of ref: RecordRef) {
    if !merged.outcome.taken.isEmpty {
      receivedChanges.append((ref: ref, fields: merged.outcome.taken.map(\.key)))
      if !merged.outcome.pending.isEmpty { self.merged.append(ref) }
    }
    noteDecisions(merged, of: ref)
  }

  /// Records the conflicts of a merge and the decisions of strategies.
  mutating func noteDecisions(_ merged: MergedRecord, of ref: RecordRef) {
    if !merged.sidecar.conflictingKeys.isEmpty {
      conflicts.removeAll { $0.ref == ref }
      conflicts.append(.init(ref: ref, fields: merged.sidecar.conflictingFields.map(\.key)))
    }
    overridden += merged.outcome.overridden.map { .init(ref, $0) }
  }
}
