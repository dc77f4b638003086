import JSONText
import StoryAPI
import StoryLibrary

/// Brings the answers of a group of writes into files and sidecars, in one batch.
///
/// The answer to a push is itself merged: base is the old base with what was sent, the server's side
/// is the answer, local is the file as it is now. So what a server normalises is written back, and
/// an edit made meanwhile stays an edit.
struct AnswerSettler {
  let library: Library
  let source: DiskSource
  let decider: Decider
  let run: RunRecorder

  private struct Write {
    var ref: RecordRef
    var place: RecordRef
    var record: WriteBatch.Change?
    var sidecar: [UInt8]?
    /// What the record holds afterwards; `nil` where there is none.
    var digest: ContentDigest?
  }

  private var writes: [Write] = []

  init(library: Library, source: DiskSource, decider: Decider, run: RunRecorder) {
    self.library = library
    self.source = source
    self.decider = decider
    self.run = run
  }

  /// A write that the server carried out.
  mutating func add(
    _ item: RemoteApplier.Outgoing, answer: RemoteRecord?, _ references: inout ReferenceTable,
    _ report: inout SyncReport
  ) {
    let ref = item.step.ref
    guard let answer else {
      writes.append(Write(ref: ref, place: item.place, record: nil, sidecar: nil))
      references.remove(ref)
      report.deleted.append(ref)
      return
    }
    references.add(ref, id: answer.id)
    merge(item, sent: item.sent, answer: answer, references)
    if item.write.operation == .create {
      report.created.append(ref)
    } else {
      let fields = ref.kind.schema.fields.filter { item.write.body[$0.wireKey] != nil }
      report.updated.append((ref: ref, fields: fields.map(\.key)))
    }
    if item.place != ref { report.renamed.append((from: item.place, to: ref)) }
  }

  /// A write that was refused because the server's version had moved on is merged.
  ///
  /// - Returns: whether it is to be sent anew.
  mutating func addMerge(
    _ item: RemoteApplier.Outgoing, current: RemoteRecord, _ references: inout ReferenceTable,
    _ report: inout SyncReport
  ) -> Bool {
    guard var sidecar = try? source.sidecar(of: item.step.ref, at: item.place) else { return false }
    if item.write.operation == .update {
      guard let merged = merge(item, sent: sidecar.base, answer: current, references) else {
        return false
      }
      report.note(merged, of: item.step.ref)
      return !merged.outcome.pending.isEmpty
    }
    // A delete met a newer version: nothing is deleted unseen, unless that is the policy.
    switch item.step.isStated ? .local : decider.deletedHere(item.step.ref.kind) {
    case .local:
      sidecar.rebase(on: current)
    case .undecided:
      sidecar.rebase(on: current)
      sidecar.conflict = .deletedHere
      report.conflicts.append(.init(ref: item.step.ref, fields: []))
    case .remote:
      // The sidecar keeps its old version, so that the next plan sees the news and brings them back.
      report.failed.append(
        .init(
          ref: item.step.ref, message: "changed on the server while it was being deleted",
          hint: "run `stories sync`: the server's version comes back"))
      return false
    }
    writes.append(
      Write(ref: item.step.ref, place: item.place, record: nil, sidecar: sidecar.fileBytes))
    return sidecar.conflict == nil
  }

  /// The record was gone on the server: a delete is done, an edit must not vanish with it.
  mutating func addGone(_ item: RemoteApplier.Outgoing, _ report: inout SyncReport) {
    let ref = item.step.ref
    if item.write.operation == .delete {
      writes.append(Write(ref: ref, place: item.place, record: nil, sidecar: nil))
      return
    }
    guard var sidecar = try? source.sidecar(of: ref, at: item.place) else { return }
    sidecar.conflict = .deletedOnServer
    writes.append(Write(ref: ref, place: item.place, record: nil, sidecar: sidecar.fileBytes))
    report.conflicts.append(.init(ref: ref, fields: []))
  }

  @discardableResult
  private mutating func merge(
    _ item: RemoteApplier.Outgoing, sent: FieldValues, answer: RemoteRecord,
    _ references: ReferenceTable
  ) -> RecordMerger.Merged? {
    let ref = item.step.ref
    var sidecar =
      (try? source.sidecar(of: ref, at: item.place))
      ?? Sidecar(answer, refs: RecordFile.refs(of: answer.fields, references: references))
    sidecar.base = sent
    guard let bytes = try? source.read(ref.path),
      let file = try? RecordFile(ref: ref, bytes: bytes)
    else {
      // The file went or broke meanwhile; what the server has is noted all the same.
      sidecar.rebase(on: answer)
      writes.append(Write(ref: ref, place: item.place, record: nil, sidecar: sidecar.fileBytes))
      return nil
    }
    let merger = RecordMerger(
      decider: decider, references: references, modified: { [source] in source.modified(ref) })
    let merged = merger.merge(file: file, sidecar: sidecar, remote: answer)
    if merged.text != nil { run.save(ref, .here, text: bytes) }
    writes.append(
      Write(
        ref: ref, place: item.place,
        record: merged.text.map { .write($0, .content(ContentDigest(bytes))) },
        sidecar: merged.sidecar.fileBytes, digest: ContentDigest(merged.text ?? bytes)))
    return merged
  }

  /// Writes everything that was added.
  ///
  /// Where a record was saved meanwhile, its sidecar is written all the same, with the answer as
  /// base: the new edit then differs from it and is pending.
  mutating func commit(_ report: inout SyncReport) throws {
    try run.flush()
    let results = write(writes)
    var again: [Write] = []
    for (item, result) in zip(writes, results) {
      switch result {
      case .done:
        run.note(item.ref, after: item.digest)
      case .changedMeanwhile:
        var sidecarOnly = item
        sidecarOnly.record = nil
        again.append(sidecarOnly)
      case .failed(let error):
        report.failed.append(.init(ref: item.ref, message: error.description))
      }
    }
    if !again.isEmpty { _ = write(again) }
  }

  private func write(_ writes: [Write]) -> [WriteBatch.Result] {
    var batch = WriteBatch(root: library.root)
    for item in writes {
      let place = item.place == item.ref ? item.place : item.ref
      batch.add(
        record: item.record.map { (library.path(item.ref.path), $0) },
        sidecar: (
          library.path(place.sidecarPath),
          item.sidecar.map { .write($0, .anything) } ?? .removeAnything
        ))
    }
    for item in writes where item.place != item.ref {
      batch.add(record: nil, sidecar: (library.path(item.place.sidecarPath), .removeAnything))
    }
    return Array(batch.commit().prefix(writes.count))
  }

  /// A step that is tried again after a merge: its sidecar has moved to the record's name.
  func stepAfterMerge(_ step: Plan.Step) -> Plan.Step {
    var next = step
    if let old = step.renamedFrom, old != step.ref { next.renamedFrom = nil }
    next.updatedAt = nil
    return next
  }
}
