import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

/// Writes the answers of a group of writes into files and sidecars, in one batch.
///
/// The answer to a push is itself merged: base is the old base plus what was sent, remote is the
/// answer, local is the current file. So what a server normalizes is written back, and an edit made
/// meanwhile stays an edit. If the file is saved during the write, the answer is merged again.
struct AnswerSettler {
  let session: SyncSession
  let source: DiskSource

  /// The number of times an answer is merged into a file that keeps changing.
  static let rounds = 3

  struct Outcome {
    /// Rejected writes that were merged and have something left to send.
    var again: [Outgoing] = []
    /// Records whose files could not be written, so that their journal entries stay open.
    var failed: Set<RecordRef> = []
  }

  enum Task {
    /// `sent` is what the server is known to have from this side; `answer` is its version now.
    case merge(sent: FieldValues, answer: RemoteRecord, isRefused: Bool)
    /// The new sidecar, or `nil` to remove it.
    case sidecar(Sidecar?)
    /// The record's file is written again.
    case bringBack(RemoteRecord)
  }

  struct Entry {
    var item: Outgoing
    var task: Task

    var ref: RecordRef { item.step.ref }
  }

  private struct Write {
    var record: WriteBatch.Change?
    /// The new sidecar, or `nil` to remove it.
    var sidecar: Sidecar?
    /// The digest of the record after the write, or `nil` if there is no record.
    var digest: ContentDigest?
    var merged: MergedRecord?
  }

  private(set) var entries: [Entry] = []

  // MARK: Answers

  mutating func add(_ item: Outgoing, answer: RemoteRecord?) {
    let ref = item.step.ref
    guard let answer else {
      entries.append(Entry(item: item, task: .sidecar(nil)))
      session.references.remove(ref)
      session.report.deleted.append(ref)
      session.report.overridden += item.step.overridden
      return
    }
    session.references.add(ref, id: answer.id)
    entries.append(
      Entry(item: item, task: .merge(sent: item.sent, answer: answer, isRefused: false)))
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
        Entry(item: item, task: .merge(sent: sidecar.base, answer: current, isRefused: true)))
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
      entries.append(Entry(item: item, task: .bringBack(current)))
      return
    }
    entries.append(Entry(item: item, task: .sidecar(sidecar)))
  }

  /// Adds a write whose record is gone on the server: a delete is done, an edit becomes a conflict.
  mutating func addGone(_ item: Outgoing) {
    let ref = item.step.ref
    if item.write.operation == .delete {
      entries.append(Entry(item: item, task: .sidecar(nil)))
      return
    }
    guard var sidecar = try? source.sidecar(at: item.step.place) else {
      session.report.failed.append(.init(ref: ref, reason: .server(.notFound)))
      return
    }
    sidecar.conflict = .deletedOnServer
    entries.append(Entry(item: item, task: .sidecar(sidecar)))
    session.report.conflicts.append(.init(ref: ref, fields: []))
  }

  // MARK: Merging

  /// Returns what an answer writes, or `nil` for nothing.
  ///
  /// - Parameter isLast: whether the file keeps changing and is not read any more.
  private func write(for entry: Entry, isLast: Bool) -> Write? {
    switch entry.task {
    case .sidecar(let sidecar): return Write(sidecar: sidecar)
    case .bringBack(let current):
      let text = RecordFile.newFile(current.fields, references: session.references)
      return Write(
        record: .write(text, .absent), sidecar: Sidecar(current, references: session.references),
        digest: ContentDigest(text))
    case .merge(let sent, let answer, let isRefused):
      guard var sidecar = sidecar(for: entry, answer) else { return nil }
      // The server repeats what it was sent, so the file needs no merge, whatever it contains now.
      if !isRefused, sidecar.conflict == nil, let file = entry.item.file, answer.fields == sent {
        sidecar.rebase(on: answer)
        sidecar.refs = file.refs
        sidecar.isDeleteStated = false
        return Write(sidecar: sidecar, digest: file.digest)
      }
      sidecar.base = sent
      guard !isLast, let file = try? source.file(entry.ref) else {
        return knownOnly(entry, sidecar, answer)
      }
      let bytes = file.document.bytes
      let echoed = isRefused ? [] : Set(entry.item.write.body.members.map(\.key))
      let merged = source.merge(
        file, sidecar, with: answer, by: session.decider, session.references, echoed: echoed)
      if merged.text != nil { session.run.pending.save(entry.ref, .local, text: bytes) }
      if !merged.outcome.overridden.isEmpty {
        session.run.pending.save(
          entry.ref, .server, text: JSONValue.object(answer.fields.wire).compactBytes)
      }
      return Write(
        record: merged.text.map { .write($0, .content(ContentDigest(bytes))) },
        sidecar: merged.sidecar, digest: ContentDigest(merged.text ?? bytes),
        merged: merged)
    }
  }

  /// Returns the sidecar that an answer is merged into, or `nil` if it no longer exists.
  private func sidecar(for entry: Entry, _ answer: RemoteRecord) -> Sidecar? {
    if let sidecar = try? source.sidecar(at: entry.item.step.place) {
      // The sidecar is another record's now, or newer: a repeated answer is as old as its write.
      guard sidecar.id == answer.id else { return nil }
      if let has = ServerDate(sidecar.updatedAt), let comes = ServerDate(answer.updatedAt),
        comes < has
      {
        return nil
      }
      return sidecar
    }
    // Both files of a record that was only updated are gone, so nothing is written.
    let isNew = entry.item.write.operation == .create
    guard isNew || FileSystem.exists(session.library.path(entry.ref.path)) else { return nil }
    return Sidecar(answer, references: session.references)
  }

  /// Returns a write of the known facts about a record whose file is gone, unreadable or changing.
  ///
  /// Changes made by others cannot be merged into it now. So the sidecar keeps its revision, and
  /// the next listing brings these changes again.
  private func knownOnly(_ entry: Entry, _ sidecar: Sidecar, _ answer: RemoteRecord) -> Write {
    var next = sidecar
    if case .merge(_, _, isRefused: false) = entry.task {
      // The server's rendition of the sent values is not an edit.
      for field in entry.ref.kind.schema.fields
      where field.merge != .counter && entry.item.write.body[field.wireKey] != nil {
        next.base[field] = answer.fields[field]
      }
    }
    if answer.fields == next.base { next.rebase(on: answer) }
    // A new sidecar has no older revision: if the file comes back, it is compared with the changes.
    if case .merge(_, _, isRefused: true) = entry.task, entry.item.write.operation == .create {
      next.setDeletedLocally(answer)
    }
    return Write(sidecar: next)
  }

  // MARK: Writing

  func commit() throws -> Outcome {
    var outcome = Outcome()
    var open = entries
    for round in 0...Self.rounds where !open.isEmpty {
      let isLast = round == Self.rounds
      let pairs = open.compactMap { entry in
        write(for: entry, isLast: isLast).map { (entry, $0) }
      }
      try session.run.flush()
      open = []
      for ((entry, write), result) in zip(pairs, commit(pairs)) {
        switch result {
        case .done: if !isLast { note(entry, write, &outcome) }
        case .changedMeanwhile:
          // A file that exists again is merged by the next plan, which sees the server's change.
          if case .bringBack = entry.task { continue }
          open.append(entry)
        case .failed(let error):
          outcome.failed.insert(entry.ref)
          session.report.failed.append(.init(ref: entry.ref, reason: .file(error)))
        }
      }
    }
    return outcome
  }

  private func note(_ entry: Entry, _ write: Write, _ outcome: inout Outcome) {
    session.run.note(entry.ref, after: write.digest)
    switch entry.task {
    case .sidecar(let sidecar):
      // A delete that met a newer version is sent again against that version.
      guard let sidecar, entry.item.write.operation == .delete, sidecar.conflict == nil else {
        return
      }
      outcome.again.append(entry.item)
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
        outcome.again.append(entry.item)
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

  private func commit(_ pairs: [(entry: Entry, write: Write)]) -> [WriteBatch.Result] {
    var batch = WriteBatch(root: session.library.root)
    for (entry, write) in pairs {
      batch.add(
        entry.ref, in: session.library, record: write.record,
        sidecar: .sidecar(write.sidecar?.fileBytes), at: entry.item.step.newPlace)
    }
    return batch.commit()
  }

  /// Returns the step to retry after a merge, which has moved the sidecar to the record's name.
  static func stepAfterMerge(_ step: Plan.Step) -> Plan.Step {
    var next = step
    next.sidecarHasFollowed()
    if next.action == .create { next.action = .update }
    next.updatedAt = nil
    next.location = nil
    return next
  }
}
