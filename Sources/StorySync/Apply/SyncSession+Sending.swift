import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

/// A write of a step that changes the server.
struct Outgoing {
  var step: Plan.Step
  var write: RemoteWrite
  var sent: FieldValues
  /// The values that the server is expected to have, or `nil` for a new record or if they are unknown.
  var base: FieldValues?
  var round = 1
  /// The batch that the write is sent in, or `nil` if it is sent alone.
  var batch: String?
  /// Whether some fields of a new record can only be sent in an update after it.
  var leavesRest = false
  /// The digest of the file that was read, and the names of its references, if all of it is sent.
  var file: (digest: ContentDigest, refs: JSONObject)?
}

extension SyncSession {
  /// The number of records that are written, sent and flushed together.
  private var groupSize: Int { info.features.contains(.batch) ? 1_000 : 960 }

  /// Writes of one kind and action that are sent together.
  private struct Group {
    var outgoing: [Outgoing] = []
    var versions = RunRecorder.Versions()
    var failed: [SyncReport.Failure] = []
    /// The number of steps that are done once the whole group is answered.
    var end = 0
  }

  var sender: WriteSender { WriteSender(client: connection.client, info: info, time: time) }

  /// Carries out the steps of a plan that change the server, in order.
  ///
  /// Steps are sent in waves, so that a record exists before its referrers, and each wave in groups.
  /// A group's writes are in the journal with their exact bodies and keys before they are sent, and
  /// each answer is merged into file and sidecar before the group counts as done. Each group is read
  /// while the one before it is sent.
  /// - Throws: `APIError` for what concerns all records: no network, no session, cancelled.
  ///   Unconfirmed writes then stay in the journal.
  func send(_ steps: [Plan.Step]) async throws {
    let (progress, count) = (progress, steps.count)
    var rest = steps[...]
    var ready: Group?
    while report.stops.isEmpty, !Task.isCancelled {
      if ready == nil { try await lookForReferrers(of: rest) }
      guard var group = ready ?? nextGroup(of: &rest) else { return }
      ready = nil
      report.failed += group.failed
      run.save(&group.versions)
      try run.flush()
      let numbers = try journal.begin(group.outgoing.map(entry))
      let (sender, items, end) = (sender, group.outgoing, group.end)
      async let answers = sender.send(items) { answered in
        // Records that were not sent count as done with the last one.
        progress(.sending(done: end - items.count + answered, total: count))
      }
      // A group of another kind or action may reference records that this one creates.
      // Of a delete, others may come to reference the record meanwhile.
      if let step = steps[..<rest.startIndex].last, let next = rest.first, step.isLike(next),
        next.action != .delete
      {
        ready = nextGroup(of: &rest)
      }
      try await settle(group.outgoing, numbers, answers: await answers)
    }
    if Task.isCancelled { throw APIError.cancelled }
  }

  /// Looks once more, before records are deleted, for others that somebody has made reference them since
  /// the server was listed: a server deletes a hero's stories together with the hero.
  private func lookForReferrers(of rest: ArraySlice<Plan.Step>) async throws {
    guard let step = rest.first, step.action == .delete else { return }
    namedMeanwhile = [:]
    for kind in EntityKind.writable {
      let fields = kind.schema.references.filter { $0.referencedKind == step.ref.kind }
      guard !fields.isEmpty else { continue }
      for change in try await lister().changes(kind, since: remote.kinds[kind]?.mark) {
        let values = try source.spool.record(kind, at: change.location).fields
        let ref = scan.referrer(of: change.id, of: kind)?.ref
        for id in fields.compactMap({ values[$0]?.string }) {
          namedMeanwhile[id] = ref ?? RecordRef(kind: kind, name: change.slug)
        }
      }
    }
  }

  private func nextGroup(of rest: inout ArraySlice<Plan.Step>) -> Group? {
    guard let first = rest.first else { return nil }
    let source = source.keepingFoldersOpen()
    var group = Group()
    let steps = rest.prefix(groupSize).prefix { first.isLike($0) }
    rest = rest.dropFirst(steps.count)
    group.end = rest.startIndex
    for step in steps {
      do {
        guard let outgoing = try prepare(step, source, &group.versions) else { continue }
        group.outgoing.append(outgoing)
      } catch {
        group.failed.append(failure(of: step, error))
      }
    }
    formBatches(&group.outgoing)
    return group
  }

  /// Decides which writes share a request; each batch is named by the key of its first write.
  private func formBatches(_ outgoing: inout [Outgoing]) {
    var place = outgoing.startIndex
    for batch in info.batches(of: outgoing.map(\.write)) ?? [] {
      for _ in batch {
        outgoing[place].batch = batch[0].idempotencyKey
        place += 1
      }
    }
  }

  private func entry(of outgoing: Outgoing) -> Journal.Entry {
    .write(
      UnconfirmedWrite(
        ref: outgoing.step.ref, place: outgoing.step.place, write: outgoing.write,
        listedAt: remote.date, sentAt: time.now(), batch: outgoing.batch))
  }

  /// Processes the answers to journalled writes, and sends what is left after merging them.
  func settle(
    _ first: [Outgoing], _ firstNumbers: [Int], answers firstAnswers: [WriteSender.Answer]
  ) async throws {
    var (outgoing, numbers, answers) = (first, firstNumbers, firstAnswers)
    while true {
      outgoing = try await takeIn(outgoing, answers, numbers)
      guard !outgoing.isEmpty, report.stops.isEmpty else { return }
      try run.flush()
      formBatches(&outgoing)
      numbers = try journal.begin(outgoing.map(entry))
      answers = await sender.send(outgoing)
    }
  }

  // MARK: Preparing

  private func failure(of step: Plan.Step, _ error: any Error) -> SyncReport.Failure {
    if let waiting = error as? Waiting { return .init(ref: step.ref, reason: waiting.reason) }
    let problem = error as? Problem ?? Problem(.failed("\(error)"), file: step.ref.path)
    return .init(ref: step.ref, reason: .problem(problem))
  }

  /// Returns the write of a step, or `nil` if nothing is left to send.
  private func prepare(
    _ step: Plan.Step, _ source: DiskSource, _ versions: inout RunRecorder.Versions
  ) throws -> Outgoing? {
    switch step.action {
    case .create: return try prepareCreate(step, source)
    case .update: return try prepareUpdate(step, source, &versions)
    case .delete: return try prepareDelete(step, source, &versions)
    default: return nil
    }
  }

  private func prepareCreate(_ step: Plan.Step, _ source: DiskSource) throws -> Outgoing? {
    let file = try source.file(step.ref)
    let reading = try checkedReading(of: file, nil)
    var body = JSONObject()
    let later = info.dialect.refusedInNew(step.ref.kind)
    for member in reading.values.wire.members where !member.value.isNull {
      if !later.contains(member.key) { body[member.key] = member.value }
    }
    var sent = reading.values
    for field in step.ref.kind.schema.fields where later.contains(field.wireKey) {
      sent[field] = nil
    }
    let write = RemoteWrite(
      operation: .create, kind: step.ref.kind, idempotencyKey: RemoteWrite.makeKey(), body: body)
    let leavesRest = sent != reading.values
    return Outgoing(
      step: step, write: write, sent: sent, leavesRest: leavesRest,
      file: leavesRest ? nil : Self.whole(file, reading))
  }

  private func prepareUpdate(
    _ step: Plan.Step, _ source: DiskSource, _ versions: inout RunRecorder.Versions
  ) throws -> Outgoing? {
    let file = try source.file(step.ref)
    let sidecar = try source.sidecar(at: step.place)
    let reading = try checkedReading(of: file, sidecar)
    let values = reading.values.completed(from: sidecar.base)
    let changed = values.changes(from: sidecar.base).filter {
      !sidecar.conflictingKeys.contains($0.wireKey)
    }
    guard !changed.isEmpty else { return nil }
    var body = JSONObject()
    var sent = sidecar.base
    for field in changed {
      body[field.wireKey] = values.effective(field)
      sent[field] = values.effective(field)
    }
    versions.save(step.ref, .server, text: JSONValue.object(sidecar.base.wire).compactBytes)
    let write = RemoteWrite(
      operation: .update, kind: step.ref.kind, id: sidecar.id, revision: sidecar.updatedAt,
      idempotencyKey: RemoteWrite.makeKey(), body: body)
    return Outgoing(
      step: step, write: write, sent: sent, base: sidecar.base, file: Self.whole(file, reading))
  }

  /// Returns what is needed to process an answer that repeats what was sent, or `nil` if something
  /// in the file could not be resolved or parsed.
  private static func whole(
    _ file: RecordFile, _ reading: RecordFile.Reading
  ) -> (digest: ContentDigest, refs: JSONObject)? {
    guard reading.unresolved.isEmpty, reading.malformed.isEmpty else { return nil }
    return (ContentDigest(file.document.bytes), reading.refs)
  }

  private func prepareDelete(
    _ step: Plan.Step, _ source: DiskSource, _ versions: inout RunRecorder.Versions
  ) throws -> Outgoing? {
    let sidecar = try source.sidecar(at: step.place)
    // The record came back since the plan was made, so it is not deleted.
    guard !FileSystem.exists(library.path(step.ref.path)) else { return nil }
    try checkReleased(step, sidecar, source)
    if let ref = namedMeanwhile[sidecar.id] { throw Waiting(reason: .namedMeanwhile(by: ref)) }
    var lost = sidecar.base
    if let location = step.location {
      lost = try source.spool.record(step.ref.kind, at: location).fields
    }
    versions.save(
      step.ref, .server, text: JSONValue.object(lost.wire).compactBytes,
      sidecar: sidecar.fileBytes)
    let write = RemoteWrite(
      operation: .delete, kind: step.ref.kind, id: sidecar.id,
      revision: step.updatedAt ?? sidecar.updatedAt, idempotencyKey: RemoteWrite.makeKey())
    return Outgoing(step: step, write: write, sent: lost, base: lost)
  }

  /// A write that has to wait for another one, which its file does not show.
  private struct Waiting: Error {
    var reason: SyncReport.Reason
  }

  /// Reads a file that must have no errors. Throws for a reference to a record without an id: it
  /// would have one had its create succeeded.
  private func checkedReading(
    of file: RecordFile, _ sidecar: Sidecar?
  ) throws -> RecordFile.Reading {
    let reading = file.reading(references: references, sidecar: sidecar)
    let problems = file.problems(references: references, sidecar: sidecar, reading: reading)
    if let error = problems.first(where: { $0.severity == .error }) { throw error }
    if let missing = reading.pending.first { throw Waiting(reason: .waits(for: missing)) }
    return reading
  }

  /// Throws if the server would delete a referrer too because its reference was not removed.
  private func checkReleased(
    _ step: Plan.Step, _ sidecar: Sidecar, _ source: DiskSource
  ) throws(Waiting) {
    for ref in step.after {
      guard let referrer = try? source.sidecar(at: ref) else { continue }
      let fields = ref.kind.schema.fields.filter { $0.referencedKind == step.ref.kind }
      guard fields.contains(where: { referrer.base[$0]?.string == sidecar.id }) else { continue }
      throw Waiting(reason: .waitsForRelease(by: ref))
    }
  }

  // MARK: Answers

  /// Processes the answers of a group; returns the writes to send again after a merge.
  private func takeIn(
    _ outgoing: [Outgoing], _ answers: [WriteSender.Answer], _ numbers: [Int]
  ) async throws -> [Outgoing] {
    var settler = AnswerSettler(session: self, source: source.keepingFoldersOpen())
    var finished: Set<Int> = []
    var lost: APIError?
    var outage = WriteSender.Outage()
    let isOutage = outage.isSeen(in: answers)
    for ((item, answer), number) in zip(zip(outgoing, answers), numbers) {
      switch answer {
      case .success(let record):
        settler.add(item, answer: record)
        finished.insert(number)
      case .failure(.preconditionFailed(let current)):
        finished.insert(number)
        try await takeIn(refused: item, current, &settler)
      case .failure(.notFound):
        finished.insert(number)
        try await takeIn(refused: item, nil, &settler)
      case .failure(let error) where answer.isLost && isOutage:
        lost = lost ?? error
      case .failure(let error):
        var isDecided = true
        if answer.isInternalError { isDecided = (try? await isMissing(item)) ?? false }
        if isDecided { finished.insert(number) }
        report.failed.append(.init(ref: item.step.ref, reason: .server(error)))
      }
    }
    let outcome = try settler.commit()
    try journal.finish(
      zip(outgoing, numbers).compactMap { item, number in
        finished.contains(number) && !outcome.failed.contains(item.step.ref) ? number : nil
      })
    if let lost { throw lost }
    var again: [Outgoing] = []
    var versions = RunRecorder.Versions()
    for item in outcome.again {
      let step = AnswerSettler.stepAfterMerge(item.step)
      do {
        guard var next = try prepare(step, source, &versions) else { continue }
        next.round = item.round + 1
        again.append(next)
      } catch {
        report.failed.append(failure(of: step, error))
      }
    }
    run.save(&versions)
    return again
  }

  /// Returns whether a create is known to have made no record. Then the next one need not repeat it,
  /// and sends the record as it is by then.
  private func isMissing(_ item: Outgoing) async throws -> Bool {
    guard let id = info.dialect.newID(item.write) else { return false }
    return try await connection.client.recordIfPresent(item.step.ref.kind, id: id) == nil
  }

  /// Processes a rejected write: the server has another version of the record, `current` if it came
  /// along, or says it has none.
  private func takeIn(
    refused item: Outgoing, _ current: RemoteRecord?, _ settler: inout AnswerSettler
  ) async throws {
    var current = current
    // One 404 may be wrong: the record counts as gone only if a second read says so too.
    if current == nil, let id = item.write.id {
      do throws(APIError) {
        current = try await connection.client.recordIfPresent(item.step.ref.kind, id: id)
      } catch {
        // Another client spoiled this record; the others are not affected.
        guard case .decoding = error else { throw error }
        report.failed.append(.init(ref: item.step.ref, reason: .server(error)))
        return
      }
    }
    guard let current else { return settler.addGone(item) }
    if let stop = SafetyStop.wentBack(
      item.step.ref, had: item.write.revision, has: current.updatedAt)
    {
      report.stops.append(stop)
    } else if item.round < Self.rounds {
      settler.addRefused(item, current: current)
    } else {
      report.failed.append(.init(ref: item.step.ref, reason: .serverKeepsChanging))
    }
  }
}

extension Plan.Step {
  fileprivate func isLike(_ other: Plan.Step) -> Bool {
    action == other.action && ref.kind == other.ref.kind
  }
}

extension SafetyStop {
  /// Returns the stop for a version older than the one the server had, or `nil` if it is not older.
  static func wentBack(_ ref: RecordRef, had: String?, has: String) -> SafetyStop? {
    guard let had = had.flatMap({ ServerDate($0) }), let has = ServerDate(has), has < had
    else { return nil }
    return .serverWentBack(ref, had: had.text, has: has.text)
  }
}
