import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

/// Writes the answers of a group of writes into files and sidecars, in one batch.
///
/// Each is merged by ``AnswerMerger``, and again if the file is saved during the write.
struct AnswerSettler {
  let session: SyncSession
  let source: DiskSource

  /// The number of times an answer is merged into a file that keeps changing.
  static let rounds = 3

  struct Outcome {
    /// The steps of rejected writes that were merged and have something left to send.
    var again: [Plan.Step] = []
    /// The journal entries of records whose files could not be written, which stay open.
    var unwritten: Set<Int> = []
  }

  typealias Entry = AnswerMerger.Entry
  typealias Write = AnswerMerger.Write

  private(set) var entries: [Entry] = []

  // MARK: Answers

  mutating func add(_ item: Outgoing, answer: RemoteRecord?) {
    let ref = item.step.ref
    guard let answer else {
      entries.append(.init(item: item, task: .sidecar(nil)))
      session.references.remove(ref)
      session.report.deleted.append(ref)
      session.report.overridden += item.step.overridden
      return
    }
    session.references.add(ref, id: answer.id)
    entries.append(
      .init(item: item, task: .merge(sent: item.sent, answer: answer, isRefused: false)))
    if item.write.operation == .create {
      session.report.created.append(ref)
    } else {
      let fields = ref.kind.schema.fields.filter { item.write.body[$0.wireKey] != nil }
      session.report.updated.append((ref: ref, fields: fields.map(\.key)))
    }
    if let old = item.step.formerName { session.report.renamed.append((from: old, to: ref)) }
  }

  /// Adds a write that was rejected because the server's version has changed. It is merged, and
  /// what is left is sent again. A create that is refused was done by an earlier attempt.
  mutating func addRefused(_ item: Outgoing, current: RemoteRecord) {
    let isNew = item.write.operation == .create
    var made: Sidecar?
    if isNew {
      session.references.add(item.step.ref, id: current.id)
      session.report.created.append(item.step.ref)
      made = Sidecar(current, references: session.references)
      made?.base = item.sent
    }
    guard var sidecar = made ?? (try? source.sidecar(at: item.step.place)) else { return }
    let isDeleted = isNew && !FileSystem.exists(session.library.path(item.step.ref.path))
    if item.write.operation != .delete, !isDeleted {
      entries.append(
        .init(item: item, task: .merge(sent: sidecar.base, answer: current, isRefused: true)))
      return
    }
    // A delete met a newer version, which is not deleted unseen unless the policy says so.
    let isSeen = item.step.isStated || current.updatedAt == item.write.revision
    var item = item
    switch isSeen ? .local : session.decider.deletedLocally(item.step.ref.kind) {
    case .local:
      item.step.overridden = SyncReport.Overridden.delete(
        of: item.step.ref, from: item.sent, to: current.fields)
      sidecar.rebase(on: current)
    case .undecided:
      sidecar.setDeletedLocally(current)
      session.report.conflicts.append(.init(ref: item.step.ref, fields: []))
    case .remote:
      entries.append(.init(item: item, task: .bringBack(current)))
      return
    }
    entries.append(.init(item: item, task: .sidecar(sidecar)))
  }

  /// Adds a write whose record is gone on the server: a delete is done, an edit becomes a conflict.
  mutating func addGone(_ item: Outgoing) {
    let ref = item.step.ref
    if item.write.operation == .delete {
      entries.append(.init(item: item, task: .sidecar(nil)))
      return
    }
    guard var sidecar = try? source.sidecar(at: item.step.place) else {
      session.report.failed.append(.init(ref: ref, reason: .server(.notFound)))
      return
    }
    sidecar.conflict = .deletedOnServer
    entries.append(.init(item: item, task: .sidecar(sidecar)))
    session.report.conflicts.append(.init(ref: ref, fields: []))
  }

  // MARK: Writing

  func commit() throws -> Outcome {
    var outcome = Outcome()
    var open = entries
    for round in 0...Self.rounds where !open.isEmpty {
      let isLast = round == Self.rounds
      let merger = AnswerMerger(
        source: source, decider: session.decider, references: session.references, isLast: isLast)
      var pairs: [(entry: Entry, write: Write)] = []
      for (entry, write) in zip(open, Parallel.map(open, threads: 2, merger.write)) {
        guard var write else { continue }
        session.run.save(&write.versions)
        pairs.append((entry, write))
      }
      try session.run.flush()
      var batch = WriteBatch(root: session.library.root)
      for (entry, write) in pairs {
        batch.add(
          entry.ref, in: session.library, record: write.record,
          sidecar: .sidecar(write.sidecar), at: entry.item.step.newPlace)
      }
      open = []
      for ((entry, write), result) in zip(pairs, batch.commit()) {
        switch result {
        case .done: if !isLast { note(entry, write, &outcome) }
        case .changedMeanwhile:
          // A file that exists again is merged by the next plan, which sees the server's change.
          if case .bringBack = entry.task { continue }
          open.append(entry)
        case .failed(let error):
          outcome.unwritten.insert(entry.item.number)
          session.report.failed.append(.init(ref: entry.ref, reason: .file(error)))
        }
      }
    }
    return outcome
  }

  private func note(_ entry: Entry, _ write: Write, _ outcome: inout Outcome) {
    switch entry.task {
    // An edit of a record that is gone on the server stays as it is.
    case .sidecar where entry.item.write.operation != .delete: break
    default: session.run.note(entry.ref, after: write.digest)
    }
    switch entry.task {
    case .sidecar(let sidecar):
      // A delete that met a newer version is sent again against that version.
      guard let sidecar, entry.item.write.operation == .delete, sidecar.conflict == nil else {
        return
      }
      outcome.again.append(Self.stepAfterMerge(entry.item.step))
    case .bringBack: session.report.receivedNew.append(entry.ref)
    case .merge(let sent, let answer, let isRefused):
      guard let merged = write.merged else { return }
      if isRefused {
        session.report.note(merged, of: entry.ref)
      } else {
        noteWhatWasNotTaken(entry, sent, answer, merged)
        session.report.noteDecisions(merged, of: entry.ref)
      }
      if isRefused || entry.item.leavesRest, !merged.outcome.pending.isEmpty {
        outcome.again.append(Self.stepAfterMerge(entry.item.step))
      }
    }
  }

  /// Reports the fields for which the server kept its own value instead of the sent one.
  private func noteWhatWasNotTaken(
    _ entry: Entry, _ sent: FieldValues, _ answer: RemoteRecord, _ merged: MergedRecord
  ) {
    for field in entry.ref.kind.schema.fields where entry.item.write.body[field.wireKey] != nil {
      guard field.merge != .counter, merged.outcome.taken.contains(field),
        sent.effective(field) != answer.fields.effective(field)
      else { continue }
      session.report.overridden.append(
        .init(
          entry.ref, field, kept: "server", answer.fields.effective(field),
          lost: sent.effective(field)))
    }
  }

  /// Returns the step to retry after a merge, which has moved the sidecar to the record's name.
  private static func stepAfterMerge(_ step: Plan.Step) -> Plan.Step {
    var next = step
    next.sidecarHasFollowed()
    if next.action == .create { next.action = .update }
    next.updatedAt = nil
    next.location = nil
    return next
  }
}
