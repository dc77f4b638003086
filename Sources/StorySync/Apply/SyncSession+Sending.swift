import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

extension SyncSession {
  /// The number of records that are written, sent and flushed together.
  private var groupSize: Int { info.features.contains(.batch) ? 1_000 : 960 }

  /// Writes of one kind and action that are sent together.
  private struct Group {
    var outgoing: [Outgoing] = []
    var failed: [SyncReport.Failure] = []
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
      try begin(&group.outgoing)
      // The number of steps that are done once the whole group is answered.
      let end = rest.startIndex
      let (sender, items) = (sender, group.outgoing)
      async let answers = sender.send(items) { answered in
        // Records that were not sent count as done with the last one.
        progress(.sending(done: end - items.count + answered, total: count))
      }
      // A group of another kind or action may reference records that this one creates.
      // Of a delete, others may come to reference the record meanwhile.
      if let step = steps[..<end].last, let next = rest.first, step.isLike(next),
        next.action != .delete
      {
        ready = nextGroup(of: &rest)
      }
      try await settle(items, answers: await answers)
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
    let steps = rest.prefix(groupSize).prefix { first.isLike($0) }
    rest = rest.dropFirst(steps.count)
    return group(of: Array(steps))
  }

  private func group(of steps: [Plan.Step]) -> Group {
    let maker = WriteMaker(
      info: info, source: source.keepingFoldersOpen(), references: references,
      namedMeanwhile: namedMeanwhile)
    var group = Group()
    let writes = Parallel.map(steps, threads: 2) { step in
      Result { () throws(SyncReport.Reason) in try maker.write(for: step) }
    }
    for (step, write) in zip(steps, writes) {
      switch write {
      case .success(let outgoing): if let outgoing { group.outgoing.append(outgoing) }
      case .failure(let reason): group.failed.append(.init(ref: step.ref, reason: reason))
      }
    }
    // Each batch is named by the key of its first write.
    let batches = (info.batches(of: group.outgoing.map(\.write)) ?? []).flatMap { batch in
      batch.map { _ in batch[0].idempotencyKey }
    }
    for (place, batch) in batches.enumerated() { group.outgoing[place].batch = batch }
    return group
  }

  /// Puts the versions that writes replace on disk, and the writes in the journal.
  private func begin(_ outgoing: inout [Outgoing]) throws {
    for place in outgoing.indices {
      run.save(&outgoing[place].versions)
      for warning in outgoing[place].warnings where !report.warnings.contains(warning) {
        report.warnings.append(warning)
      }
    }
    try run.flush()
    let numbers = try journal.begin(
      outgoing.map {
        UnconfirmedWrite(
          ref: $0.step.ref, place: $0.step.place, write: $0.write, listedAt: remote.date,
          sentAt: time.now(), batch: $0.batch)
      })
    for (place, number) in numbers.enumerated() { outgoing[place].number = number }
  }

  /// Processes the answers to journalled writes, and sends what is left after merging them.
  func settle(_ first: [Outgoing], answers firstAnswers: [WriteSender.Answer]) async throws {
    var (outgoing, answers) = (first, firstAnswers)
    for round in 1... {
      outgoing = try await takeIn(outgoing, answers, isLast: round >= Self.rounds)
      guard !outgoing.isEmpty, report.stops.isEmpty else { return }
      try begin(&outgoing)
      answers = await sender.send(outgoing)
    }
  }

  // MARK: Answers

  /// Processes the answers of a group; returns the writes to send again after a merge.
  private func takeIn(
    _ outgoing: [Outgoing], _ answers: [WriteSender.Answer], isLast: Bool
  ) async throws -> [Outgoing] {
    var settler = AnswerSettler(session: self, source: source.keepingFoldersOpen())
    var finished: Set<Int> = []
    var lost: APIError?
    var outage = WriteSender.Outage()
    let isOutage = outage.isSeen(in: answers)
    for (item, answer) in zip(outgoing, answers) {
      switch answer {
      case .success(let record):
        settler.add(item, answer: record)
        finished.insert(item.number)
      case .failure(.preconditionFailed(let current)):
        finished.insert(item.number)
        try await takeIn(refused: item, current, &settler, isLast: isLast)
      case .failure(.notFound):
        finished.insert(item.number)
        try await takeIn(refused: item, nil, &settler, isLast: isLast)
      case .failure(let error) where answer.isLost && isOutage:
        lost = lost ?? error
      case .failure(let error):
        var isDecided = true
        if answer.isInternalError { isDecided = (try? await isMissing(item)) ?? false }
        if isDecided { finished.insert(item.number) }
        report.failed.append(.init(ref: item.step.ref, reason: .server(error)))
      }
    }
    let outcome = try settler.commit()
    try journal.finish(
      outgoing.map(\.number).filter(finished.subtracting(outcome.unwritten).contains))
    if let lost { throw lost }
    let again = group(of: outcome.again)
    report.failed += again.failed
    return again.outgoing
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
    refused item: Outgoing, _ current: RemoteRecord?, _ settler: inout AnswerSettler, isLast: Bool
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
    } else if !isLast {
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
