import JSONText
import StoryAPI
import StoryLibrary

/// Finishes changes of files that an interrupted run left in the journal.
///
/// The sidecar of a record that did get its new content is written; for one that did not, the next
/// plan does it all again. A record that was edited since tells neither by its digest: what is known
/// of it is kept all the same, so that it is neither made a second time nor counted twice. The old
/// sidecar of a renamed record is left to ``RenameFinisher``.
struct JournalRecovery {
  let library: Library

  private var files: LibraryFiles { LibraryFiles(library: library) }

  /// Finishes them.
  ///
  /// - Returns: whether anything was left.
  func finishFiles(_ journal: Journal) throws -> Bool {
    var numbers: [Int] = []
    var batch = WriteBatch(root: library.root)
    for (number, entry) in journal.leftovers {
      guard case .files(let change) = entry else { continue }
      numbers.append(number)
      let present = (try? files.read(change.ref.path)).map { ContentDigest($0) }
      // A record that was moved away since has no sidecar to get here.
      let isOnlyOfSidecar = change.before == change.after && present != nil
      if present == change.after || isOnlyOfSidecar {
        finish(change, &batch)
      } else if present != change.before, let sidecar = afterEdit(change) {
        batch.add(
          record: nil,
          sidecar: (library.path(sidecar.path), .write(sidecar.bytes, .anything)))
      }
    }
    guard !numbers.isEmpty else { return false }
    for result in batch.commit() {
      if case .failed(let error) = result { throw error }
    }
    try journal.finish(numbers)
    journal.take(numbers)
    return true
  }

  private func finish(_ change: Journal.FileChange, _ batch: inout WriteBatch) {
    batch.add(
      record: nil,
      sidecar: (
        library.path(change.ref.sidecarPath),
        change.sidecar.map { .write($0, .anything) } ?? .removeAnything
      ))
  }

  /// The sidecar of a record that was edited since, before or after it got its new content; `nil`
  /// where there is nothing to note.
  private func afterEdit(_ change: Journal.FileChange) -> (path: String, bytes: [UInt8])? {
    guard let bytes = change.sidecar, let file = try? files.file(change.ref),
      let next = try? Sidecar(bytes: bytes, ref: change.ref)
    else { return nil }
    let local = file.reading(references: ReferenceTable(), sidecar: next).values
    let place = change.old ?? change.ref
    guard FileSystem.exists(library.path(place.sidecarPath)) else {
      // A new record here: without a sidecar the edited one would be made anew on the server.
      let isSame = local.title == next.base.title
      return isSame ? (change.ref.sidecarPath, bytes) : nil
    }
    guard var sidecar = try? files.sidecar(of: change.ref, at: place) else { return nil }
    // Merging once more from the old base is harmless but for what is added up.
    var isChanged = false
    for field in change.ref.kind.schema.fields where field.merge == .counter {
      guard let here = local.completed(from: sidecar.base).effective(field).integer,
        let there = next.base.effective(field).integer,
        sidecar.base.effective(field).integer != there
      else { continue }
      sidecar.base[field] = .number(JSONNumber(min(here, there)))
      isChanged = true
    }
    return isChanged ? (place.sidecarPath, sidecar.fileBytes) : nil
  }
}

extension RemoteApplier {
  /// Finishes writes that were sent without an answer: they are sent again, unchanged and with the
  /// same keys, and their answers are taken in like any other.
  ///
  /// One whose answer was taken in before the run died is only crossed out: sent again to a server
  /// that has forgotten the key, as the embedded one has after it was loaded anew, it would be carried
  /// out twice.
  /// - Throws: as ``apply(_:references:report:progress:)``.
  func finish(
    _ writes: [(number: Int, lost: LostWrite)], _ locator: LostWriteLocator,
    _ references: inout ReferenceTable, _ report: inout SyncReport
  ) async throws {
    // Few entries have another name than their sidecar, but there may be very many of both.
    let renamed = Set(
      locator.scan.entries.lazy.filter { !$0.isPlain && $0.id != nil }.compactMap(\.renamedFrom))
    let takenIn = Set(
      try writes.filter { try isTakenIn($0.lost, locator, renamed) }.map(\.number))
    try journal.finish(takenIn.sorted())
    var rest = writes.filter { !takenIn.contains($0.number) }[...]
    while !rest.isEmpty {
      let group = Array(rest.prefix(info.batchLimit))
      rest = rest.dropFirst(group.count)
      try await settle(
        group.map { try outgoing($0.lost, locator) }, group.map(\.number), &references, &report)
    }
  }

  /// Whether the sidecar says already what the write brought about: it is written after the answer.
  ///
  /// - Parameter renamed: the names that records with an id had.
  private func isTakenIn(
    _ lost: LostWrite, _ locator: LostWriteLocator, _ renamed: Set<RecordRef>
  ) throws -> Bool {
    switch lost.write.operation {
    case .create:
      return locator.scan.entry(lost.ref)?.id != nil || renamed.contains(lost.ref)
    case .update:
      return try locator.entry(lost)?.updatedAt.map { $0 != lost.write.revision } ?? false
    case .delete:
      return try locator.entry(lost) == nil
    }
  }

  /// The write as it was, for the record as it is called now.
  private func outgoing(_ lost: LostWrite, _ locator: LostWriteLocator) throws -> Outgoing {
    let entry = try locator.entry(lost)
    let ref = entry?.ref ?? lost.ref
    let place = entry.map { $0.renamedFrom ?? $0.ref } ?? lost.place
    var step = Plan.Step(ref: ref, action: lost.write.action, id: lost.write.id ?? "")
    step.renamedFrom = place == ref ? nil : place
    var sent = (try? source.sidecar(of: ref, at: place))?.base ?? FieldValues(kind: ref.kind)
    for field in ref.kind.schema.fields {
      if let value = lost.write.body[field.wireKey] { sent[field] = value }
    }
    return Outgoing(step: step, write: lost.write, sent: sent)
  }
}

extension RemoteWrite {
  fileprivate var action: Plan.Action {
    switch operation {
    case .create: .create
    case .update: .update
    case .delete: .delete
    }
  }
}
