import JSONText
import StoryAPI
import StoryLibrary

extension SyncSession {
  /// Sends unconfirmed creates and updates again, unchanged, in their old batches and with the same
  /// keys, and processes their answers as usual.
  ///
  /// If the answer was processed before the run died, only the journal entry is finished. A server
  /// that has forgotten the key, as the embedded one has after a restart, would carry the write out
  /// twice.
  /// - Returns: the writes that the server refused, so that their outcome is unknown; they are
  ///   still in the journal.
  /// - Throws: as ``send(_:)``.
  func sendAgain(_ writes: [UnconfirmedWrite]) async throws -> [UnconfirmedWrite] {
    // Few entries are renamed, but there may be very many entries and writes.
    let renamed = Set(scan.entries.lazy.filter { $0.id != nil }.compactMap(\.renamedFrom))
    let takenIn = Set(writes.filter { isTakenIn($0, renamed) }.map(\.number))
    try journal.finish(takenIn.sorted())
    var rest = writes.filter { !takenIn.contains($0.number) }[...]
    var refused: [UnconfirmedWrite] = []
    while !rest.isEmpty, report.stops.isEmpty {
      // A batch is never split.
      var end = min(rest.startIndex + info.batchLimit, rest.endIndex)
      while end < rest.endIndex, let batch = rest[end].batch, batch == rest[end - 1].batch {
        end += 1
      }
      let group = rest[..<end]
      rest = rest[end...]
      let outgoing = group.map(self.outgoing)
      var sender = sender
      sender.isResent = true
      let answers = await sender.send(outgoing)
      refused += zip(group, answers).filter(\.1.isRefusal).map(\.0)
      let known = zip(outgoing, answers).filter { !$0.1.isRefusal }
      try await settle(known.map(\.0), answers: known.map(\.1))
    }
    return refused
  }

  /// Returns whether the sidecar, which is written after the answer, shows the write's effect.
  ///
  /// - Parameter renamed: the old names of renamed records with an id.
  private func isTakenIn(_ lost: UnconfirmedWrite, _ renamed: Set<RecordRef>) -> Bool {
    switch lost.write.operation {
    case .create:
      return scan.entry(lost.ref)?.id != nil || renamed.contains(lost.ref)
    case .update, .delete:
      return scan.entry(of: lost, source)?.updatedAt.map { $0 != lost.write.revision } ?? false
    }
  }

  /// Returns the original write for the record under its current name.
  private func outgoing(_ lost: UnconfirmedWrite) -> Outgoing {
    let entry = scan.entry(of: lost, source)
    let ref = entry?.ref ?? lost.ref
    let place = entry?.place ?? lost.place
    var step = Plan.Step(ScanEntry(ref: ref, state: .synced), lost.write.action)
    step.id = lost.write.id
    step.renamedFrom = place == ref ? nil : place
    var sent = (try? source.sidecar(at: place))?.base ?? FieldValues(kind: ref.kind)
    for field in ref.kind.schema.fields {
      if let value = lost.write.body[field.wireKey] { sent[field] = value }
    }
    return Outgoing(
      step: step, write: lost.write, sent: sent, batch: lost.batch, number: lost.number)
  }
}

extension WriteSender.Answer {
  /// Whether the server took neither the write nor its key, for a reason unrelated to the record.
  fileprivate var isRefusal: Bool {
    switch self {
    case .success, .failure(.preconditionFailed), .failure(.notFound): false
    case .failure: !isLost
    }
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
