import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

/// Carries out the steps of a plan that change files here.
///
/// In batches: what is replaced is kept in the run, the journal says what comes, then the records
/// get their new content and after them the sidecars. A record that somebody saved in the meantime
/// is left for another plan. The old sidecar of a renamed record stays, see ``RenameFinisher``.
struct LocalApplier {
  let library: Library
  let source: DiskSource
  let decider: Decider
  let journal: Journal
  let run: RunRecorder

  /// How many pairs are written together.
  static let batchSize = 1_000

  /// Applies steps in their order.
  ///
  /// - Returns: the records that had changed since the plan was made.
  func apply(
    _ steps: [Plan.Step], references: inout ReferenceTable, report: inout SyncReport,
    progress: (Int) -> Void
  ) throws -> [RecordRef] {
    var changed: [RecordRef] = []
    var next = 0
    while next < steps.count, !Task.isCancelled {
      let part = steps[next..<min(next + Self.batchSize, steps.count)]
      next += part.count
      changed += try applyBatch(Array(part), &references, &report)
      progress(next)
    }
    return changed
  }

  /// What a step does to the pair of files.
  private struct Change {
    var step: Plan.Step
    var record: WriteBatch.Change?
    var sidecar: [UInt8]?
    var result: WriteBatch.Result = .done
    var merged: RecordMerger.Merged?

    /// The record's digest once the change is made.
    var digest: ContentDigest? {
      if case .write(let bytes, _)? = record { return ContentDigest(bytes) }
      return record == nil ? step.digest : nil
    }
  }

  private func applyBatch(
    _ steps: [Plan.Step], _ references: inout ReferenceTable, _ report: inout SyncReport
  ) throws -> [RecordRef] {
    var changes: [Change] = []
    var changedMeanwhile: [RecordRef] = []
    for step in steps {
      do {
        guard let change = try prepare(step, &references) else {
          changedMeanwhile.append(step.ref)
          continue
        }
        changes.append(change)
      } catch let problem as Problem {
        report.failed.append(
          .init(ref: step.ref, message: problem.message, hint: problem.hint, problem: problem))
      }
    }
    try run.flush()
    let numbers = try journal.begin(
      changes.map {
        .files(
          .init(
            ref: $0.step.ref, before: $0.step.digest, after: $0.digest, sidecar: $0.sidecar,
            old: oldPlace(of: $0.step)))
      })
    let results = write(changes)
    var finished: [Int] = []
    for ((change, number), result) in zip(zip(changes, numbers), results) {
      // What could not be written stays in the journal: a record may have its new content already.
      if case .failed = result {} else { finished.append(number) }
      switch result {
      case .done:
        note(change, in: &report)
        if change.record != nil { run.note(change.step.ref, after: change.digest) }
      case .changedMeanwhile: changedMeanwhile.append(change.step.ref)
      case .failed(let error):
        report.failed.append(.init(ref: change.step.ref, message: error.description))
      }
    }
    try journal.finish(finished)
    return changedMeanwhile
  }

  private func write(_ changes: [Change]) -> [WriteBatch.Result] {
    var batch = WriteBatch(root: library.root)
    var places: [Int] = []
    for change in changes {
      let ref = change.step.ref
      let sidecarPath = library.path(Self.sidecarPlace(change.step).sidecarPath)
      places.append(
        batch.add(
          record: change.record.map { (library.path(ref.path), $0) },
          sidecar: (sidecarPath, change.sidecar.map { .write($0, .anything) } ?? .removeAnything)))
    }
    let all = batch.commit()
    return places.map { all[$0] }
  }

  /// Where a step's sidecar lies afterwards.
  private static func sidecarPlace(_ step: Plan.Step) -> RecordRef {
    // A sidecar whose name differs in Unicode form only stays under its own name.
    if let old = step.renamedFrom, old == step.ref { return old }
    return step.ref
  }

  private func oldPlace(of step: Plan.Step) -> RecordRef? {
    guard let old = step.renamedFrom, old != step.ref else { return nil }
    return old
  }

  // MARK: Preparing

  /// What a step writes; `nil` where the record is not what the plan saw.
  private func prepare(_ step: Plan.Step, _ references: inout ReferenceTable) throws -> Change? {
    switch step.action {
    case .takeNew, .bringBack:
      let record = try remote(step)
      references.add(step.ref, id: record.id)
      let sidecar = Sidecar(
        record, refs: RecordFile.refs(of: record.fields, references: references))
      return Change(
        step: step,
        record: .write(RecordFile.newFile(record.fields, references: references), .absent),
        sidecar: sidecar.fileBytes)
    case .merge, .rebase, .adopt:
      return try prepareMerge(step, &references)
    case .removeHere:
      guard let bytes = try unchanged(step), let digest = step.digest else { return nil }
      run.save(step.ref, .here, text: bytes, sidecar: try sidecarBytes(step))
      return Change(step: step, record: .remove(digest), sidecar: nil)
    case .forget:
      run.save(step.ref, .server, text: [], sidecar: try sidecarBytes(step))
      return Change(step: step, record: nil, sidecar: nil)
    case .moveSidecar:
      return Change(step: step, record: nil, sidecar: try sidecarBytes(step))
    case .recordConflict(let conflict):
      return try prepareConflict(step, conflict)
    case .create, .update, .delete:
      return nil
    }
  }

  private func prepareMerge(
    _ step: Plan.Step, _ references: inout ReferenceTable
  ) throws -> Change? {
    let record = try remote(step)
    references.add(step.ref, id: record.id)
    guard let bytes = try unchanged(step), let digest = step.digest else { return nil }
    let file = try RecordFile(ref: step.ref, bytes: bytes)
    let sidecar: Sidecar
    if step.action == .adopt {
      sidecar = Sidecar(
        record, refs: RecordFile.refs(of: record.fields, references: references))
    } else {
      sidecar = try source.sidecar(of: step.ref, at: step.renamedFrom ?? step.ref)
    }
    let merger = RecordMerger(
      decider: decider, references: references, modified: { source.modified(step.ref) })
    let merged = merger.merge(file: file, sidecar: sidecar, remote: record)
    if merged.text != nil || !merged.outcome.overridden.isEmpty {
      run.save(step.ref, .here, text: bytes)
      run.save(step.ref, .server, text: JSONValue.object(record.fields.wire).compactBytes)
    }
    return Change(
      step: step, record: merged.text.map { .write($0, .content(digest)) },
      sidecar: merged.sidecar.fileBytes, merged: merged)
  }

  private func prepareConflict(_ step: Plan.Step, _ conflict: ConflictKind) throws -> Change? {
    var sidecar = try source.sidecar(of: step.ref, at: step.renamedFrom ?? step.ref)
    switch conflict {
    case .deletedOnServer: sidecar.conflict = .deletedOnServer
    case .deletedHere:
      if step.location != nil { sidecar.rebase(on: try remote(step)) }
      sidecar.conflict = .deletedHere
      sidecar.isDeleteStated = false
    case .fields: break
    }
    return Change(step: step, record: nil, sidecar: sidecar.fileBytes)
  }

  private func remote(_ step: Plan.Step) throws -> RemoteRecord {
    guard let location = step.location else {
      throw Problem(.unreadable, file: step.ref.path, message: "the server's version is not known")
    }
    return try source.spool.record(step.ref.kind, at: location)
  }

  /// The record's bytes, `nil` where they are not those that the plan saw.
  private func unchanged(_ step: Plan.Step) throws -> [UInt8]? {
    guard let bytes = try? source.read(step.ref.path), ContentDigest(bytes) == step.digest else {
      return nil
    }
    return bytes
  }

  private func sidecarBytes(_ step: Plan.Step) throws -> [UInt8] {
    try source.read((step.renamedFrom ?? step.ref).sidecarPath)
  }

  // MARK: Reporting

  private func note(_ change: Change, in report: inout SyncReport) {
    let ref = change.step.ref
    if let old = oldPlace(of: change.step) { report.renamed.append((from: old, to: ref)) }
    switch change.step.action {
    case .takeNew, .bringBack: report.receivedNew.append(ref)
    case .removeHere: report.receivedDeletes.append(ref)
    case .adopt: report.adopted.append(ref)
    case .recordConflict: report.conflicts.append(.init(ref: ref, fields: []))
    case .merge, .rebase:
      guard let merged = change.merged else { return }
      report.note(merged, of: ref)
    case .forget, .moveSidecar, .create, .update, .delete: break
    }
  }
}

extension SyncReport {
  /// Notes what a merge did to a record.
  mutating func note(_ merged: RecordMerger.Merged, of ref: RecordRef) {
    if !merged.outcome.taken.isEmpty {
      receivedChanges.append((ref: ref, fields: merged.outcome.taken.map(\.key)))
      if !merged.outcome.pending.isEmpty { self.merged.append(ref) }
    }
    let keys = merged.sidecar.conflictingKeys
    if !keys.isEmpty {
      let fields = ref.kind.schema.fields.filter { keys.contains($0.wireKey) }.map(\.key)
      conflicts.append(.init(ref: ref, fields: fields))
    }
    for item in merged.outcome.overridden {
      overridden.append(
        .init(ref: ref, field: item.field.key, kept: item.keptRemote ? "server" : "local"))
    }
  }
}
