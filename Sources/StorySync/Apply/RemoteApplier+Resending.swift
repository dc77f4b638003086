import JSONText
import StoryAPI
import StoryLibrary

extension RemoteApplier {
  /// Finishes writes that were sent without an answer: they are sent again, unchanged, in the batches
  /// that they were sent in and with the same keys, and their answers are taken in like any other.
  ///
  /// One whose answer was taken in before the run died is only crossed out: sent again to a server
  /// that has forgotten the key, as the embedded one has after it was loaded anew, it would be carried
  /// out twice.
  /// - Returns: the writes that the server refused, so that it is not known what became of them; they
  ///   are still in the journal.
  /// - Throws: as ``apply(_:references:report:progress:)``.
  func resend(
    _ writes: [UnconfirmedWrite], _ locator: UnconfirmedWriteLocator,
    _ references: inout ReferenceTable, _ report: inout SyncReport
  ) async throws -> [UnconfirmedWrite] {
    // Few entries have another name than their sidecar, but there may be very many of both.
    let renamed = Set(
      locator.scan.entries.lazy.filter { $0.id != nil }.compactMap(\.renamedFrom))
    let takenIn = Set(try writes.filter { try isTakenIn($0, locator, renamed) }.map(\.number))
    try journal.finish(takenIn.sorted())
    var rest = writes.filter { !takenIn.contains($0.number) }[...]
    var refused: [UnconfirmedWrite] = []
    while !rest.isEmpty, report.stops.isEmpty {
      // A batch is never taken apart.
      var end = min(rest.startIndex + info.batchLimit, rest.endIndex)
      while end < rest.endIndex, let batch = rest[end].batch, batch == rest[end - 1].batch {
        end += 1
      }
      let group = rest[..<end]
      rest = rest[end...]
      let outgoing = try group.map { try self.outgoing($0, locator) }
      var sender = WriteSender(client: client, info: info, time: time)
      sender.isResent = true
      let answers = await sender.send(outgoing.map(\.item))
      refused += zip(group, answers).filter(\.1.isRefusal).map(\.0)
      let known = zip(zip(outgoing, group), answers).filter { !$0.1.isRefusal }
      try await settle(
        known.map(\.0.0), known.map(\.0.1.number), answers: known.map(\.1), &references, &report)
    }
    return refused
  }

  /// Whether the sidecar says already what the write brought about: it is written after the answer.
  ///
  /// - Parameter renamed: the names that records with an id had.
  private func isTakenIn(
    _ lost: UnconfirmedWrite, _ locator: UnconfirmedWriteLocator, _ renamed: Set<RecordRef>
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
  private func outgoing(_ lost: UnconfirmedWrite, _ locator: UnconfirmedWriteLocator) throws
    -> Outgoing
  {
    let entry = try locator.entry(lost)
    let ref = entry?.ref ?? lost.ref
    let place = entry.map { $0.renamedFrom ?? $0.ref } ?? lost.place
    var step = Plan.Step(ref: ref, action: lost.write.action, id: lost.write.id ?? "")
    step.renamedFrom = place == ref ? nil : place
    var sent = (try? source.sidecar(of: ref, at: place))?.base ?? FieldValues(kind: ref.kind)
    for field in ref.kind.schema.fields {
      if let value = lost.write.body[field.wireKey] { sent[field] = value }
    }
    return Outgoing(step: step, write: lost.write, sent: sent, batch: lost.batch)
  }
}

extension WriteSender.Answer {
  /// Whether the server took neither the write nor its key, for a reason that says nothing of the record.
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
