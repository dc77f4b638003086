import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

/// Carries out the steps of a plan that change the server.
///
/// In waves, so that what is named exists before what names it; each wave in groups. A group's writes
/// stand in the journal with their exact bodies and keys before they are sent, and each answer is
/// merged into file and sidecar before the group counts as done.
struct RemoteApplier {
  let library: Library
  let client: APIClient
  let info: ServerInfo
  let source: DiskSource
  let decider: Decider
  let journal: Journal
  let run: RunRecorder
  /// The server's clock at this run's listing; `nil` before it, and where it did not tell.
  var listedAt: ServerDate?
  /// This machine's clocks.
  var time: TimeSource
  /// Makes idempotency keys.
  var makeKey: @Sendable () -> String

  /// How often one record is merged again because the server's moved on in between.
  static let rounds = 3
  /// A write that is on its way.
  struct Outgoing {
    var step: Plan.Step
    var write: RemoteWrite
    var sent: FieldValues
    /// What the server has if nobody changed it; `nil` where there is nothing or nobody knows.
    var base: FieldValues?
    var round = 1
    /// Whether some of a new record can only be sent as a change to it.
    var leavesRest = false

    /// Where the record's sidecar lies.
    var place: RecordRef { step.renamedFrom ?? step.ref }
  }

  /// How many records are written, sent and flushed together.
  private var groupSize: Int { info.features.contains(.batch) ? 1_000 : WriteSender.width * 40 }

  /// A group whose writes are under way.
  private struct Flight {
    var outgoing: [Outgoing]
    var numbers: [Int]
    var action: Plan.Action
    var kind: EntityKind
    /// How many steps are done once it has landed.
    var end: Int
  }

  private typealias Answers = Result<[WriteSender.Answer], any Error>

  /// Applies steps in their order.
  ///
  /// While a group is under way the next one is read, and while the next one is under way the answers
  /// of the first are taken in. A group of another kind or action waits until that is done, for it may
  /// name what the one before makes.
  /// - Throws: `APIError` for what concerns all records: no network, no session, cancelled. Writes
  ///   whose answer is not known then stay in the journal.
  func apply(
    _ steps: [Plan.Step], references: inout ReferenceTable, report: inout SyncReport,
    progress: (Int) -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Answers.self) { tasks in
      var flight: Flight?
      var done = 0
      var rest = steps[...]
      while let first = rest.first, !Task.isCancelled {
        if let under = flight, under.action != first.action || under.kind != first.ref.kind {
          flight = nil
          try await land(under, try await tasks.next()?.get(), &references, &report)
          progress(under.end)
          if Task.isCancelled { break }
        }
        let group = rest.prefix(groupSize).prefix {
          $0.action == first.action && $0.ref.kind == first.ref.kind
        }
        rest = rest.dropFirst(group.count)
        done += group.count
        let outgoing = group.compactMap { prepared($0, references, &report) }
        let before = flight
        flight = nil
        let answers = try await tasks.next()?.get()
        // Nothing more is sent once an answer was lost.
        let goesOn = !Task.isCancelled && !(answers ?? []).contains { $0.isLost }
        if goesOn, !outgoing.isEmpty {
          try run.flush()
          flight = Flight(
            outgoing: outgoing, numbers: try begin(outgoing), action: first.action,
            kind: first.ref.kind, end: done)
          let sender = WriteSender(client: client, info: info, time: time)
          let items = outgoing.map { WriteSender.Item(write: $0.write, base: $0.base) }
          tasks.addTask {
            do { return .success(try await sender.send(items)) } catch { return .failure(error) }
          }
        }
        if let before {
          try await land(before, answers, &references, &report)
          progress(before.end)
        }
      }
      if let under = flight {
        try await land(under, try await tasks.next()?.get(), &references, &report)
        progress(under.end)
      }
    }
    if Task.isCancelled { throw APIError.cancelled }
  }

  private func land(
    _ flight: Flight, _ answers: [WriteSender.Answer]?, _ references: inout ReferenceTable,
    _ report: inout SyncReport
  ) async throws {
    try await settle(flight.outgoing, flight.numbers, answers: answers, &references, &report)
  }

  private func begin(_ outgoing: [Outgoing]) throws -> [Int] {
    try journal.begin(
      outgoing.map {
        .write(
          LostWrite(
            ref: $0.step.ref, place: $0.place, write: $0.write, listedAt: listedAt,
            sentAt: time.now()))
      })
  }

  /// Sends writes that stand in the journal and takes in their answers, until none is left.
  ///
  /// - Parameter firstAnswers: the answers to the first ones, where they have been sent already.
  func settle(
    _ first: [Outgoing], _ firstNumbers: [Int], answers firstAnswers: [WriteSender.Answer]? = nil,
    _ references: inout ReferenceTable, _ report: inout SyncReport
  ) async throws {
    var (outgoing, numbers, known) = (first, firstNumbers, firstAnswers)
    while !outgoing.isEmpty {
      let answers: [WriteSender.Answer]
      if let known {
        answers = known
      } else {
        answers = try await WriteSender(client: client, info: info, time: time).send(
          outgoing.map { .init(write: $0.write, base: $0.base) })
      }
      known = nil
      outgoing = try await takeIn(outgoing, answers, numbers, &references, &report)
      try run.flush()
      numbers = try begin(outgoing)
    }
  }

  // MARK: Preparing

  /// The write of a step; `nil` where nothing is left to send, or where the record has a problem,
  /// which is noted.
  private func prepared(
    _ step: Plan.Step, _ references: ReferenceTable, _ report: inout SyncReport
  ) -> Outgoing? {
    do {
      return try prepare(step, references)
    } catch let waiting as Waiting {
      report.failed.append(.init(ref: step.ref, message: waiting.message, hint: waiting.hint))
      return nil
    } catch {
      let problem =
        error as? Problem ?? Problem(.unreadable, file: step.ref.path, message: "\(error)")
      report.failed.append(
        .init(ref: step.ref, message: problem.message, hint: problem.hint, problem: problem))
      return nil
    }
  }

  private func prepare(_ step: Plan.Step, _ references: ReferenceTable) throws -> Outgoing? {
    switch step.action {
    case .create: return try prepareCreate(step, references)
    case .update: return try prepareUpdate(step, references)
    case .delete: return try prepareDelete(step)
    default: return nil
    }
  }

  private func prepareCreate(
    _ step: Plan.Step, _ references: ReferenceTable
  ) throws -> Outgoing? {
    let file = try source.file(step.ref)
    let problems = file.problems(references: references)
    if let error = problems.first(where: { $0.severity == .error }) { throw error }
    let reading = file.reading(references: references, sidecar: nil)
    try checkResolved(reading)
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
      operation: .create, kind: step.ref.kind, idempotencyKey: makeKey(), body: body)
    return Outgoing(
      step: step, write: write, sent: sent, leavesRest: sent != reading.values)
  }

  private func prepareUpdate(
    _ step: Plan.Step, _ references: ReferenceTable
  ) throws -> Outgoing? {
    let file = try source.file(step.ref)
    let sidecar = try source.sidecar(of: step.ref, at: step.renamedFrom ?? step.ref)
    let problems = file.problems(references: references, sidecar: sidecar)
    if let error = problems.first(where: { $0.severity == .error }) { throw error }
    let reading = file.reading(references: references, sidecar: sidecar)
    try checkResolved(reading)
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
    run.save(step.ref, .server, text: JSONValue.object(sidecar.base.wire).compactBytes)
    let write = RemoteWrite(
      operation: .update, kind: step.ref.kind, id: sidecar.id, revision: sidecar.updatedAt,
      idempotencyKey: makeKey(), body: body)
    return Outgoing(step: step, write: write, sent: sent, base: sidecar.base)
  }

  private func prepareDelete(_ step: Plan.Step) throws -> Outgoing? {
    let place = step.renamedFrom ?? step.ref
    let sidecar = try source.sidecar(of: step.ref, at: place)
    // The record came back since the plan was made: nothing is deleted any more.
    guard !FileSystem.exists(library.path(step.ref.path)) else { return nil }
    try checkReleased(step, sidecar)
    var lost = sidecar.base
    if let location = step.location {
      lost = try source.spool.record(step.ref.kind, at: location).fields
    }
    run.save(
      step.ref, .server, text: JSONValue.object(lost.wire).compactBytes,
      sidecar: sidecar.fileBytes)
    let write = RemoteWrite(
      operation: .delete, kind: step.ref.kind, id: sidecar.id,
      revision: step.updatedAt ?? sidecar.updatedAt, idempotencyKey: makeKey())
    return Outgoing(step: step, write: write, sent: lost, base: lost)
  }

  /// A write that cannot be sent before another one is: no file of the record says so.
  private struct Waiting: Error {
    var message: String
    var hint: String

    init(for ref: RecordRef, because reason: String) {
      message = "waits for \(ref), \(reason)"
      hint = "see what `stories status` says of \(ref)"
    }
  }

  /// A record that names one without an id waits; that one failed, or it would have an id by now.
  private func checkResolved(_ reading: RecordFile.Reading) throws(Waiting) {
    if let missing = reading.pending.first {
      throw Waiting(for: missing, because: "which is not on the server")
    }
  }

  /// What names the record that goes would go with it, so it must have let go by now.
  private func checkReleased(_ step: Plan.Step, _ sidecar: Sidecar) throws(Waiting) {
    for ref in step.after {
      guard let namer = try? source.sidecar(of: ref, at: ref) else { continue }
      let fields = ref.kind.schema.fields.filter { $0.referencedKind == step.ref.kind }
      guard fields.contains(where: { namer.base[$0]?.string == sidecar.id }) else { continue }
      throw Waiting(for: ref, because: "which names it on the server as long as that failed")
    }
  }

  // MARK: Answers

  /// Takes in the answers of a group; returns what has to be sent again after a merge.
  private func takeIn(
    _ outgoing: [Outgoing], _ answers: [Result<RemoteRecord?, APIError>], _ numbers: [Int],
    _ references: inout ReferenceTable, _ report: inout SyncReport
  ) async throws -> [Outgoing] {
    var settler = AnswerSettler(
      library: library, source: source, decider: decider, run: run)
    var finished: Set<Int> = []
    var lost: APIError?
    for ((item, answer), number) in zip(zip(outgoing, answers), numbers) {
      switch answer {
      case .success(let record):
        settler.add(item, answer: record, &references, &report)
        finished.insert(number)
      case .failure(.preconditionFailed(let current)):
        finished.insert(number)
        if let current = try await self.current(item, current) {
          if item.round < Self.rounds {
            settler.addRefused(item, current: current, &report)
          } else {
            report.failed.append(
              .init(
                ref: item.step.ref, message: "the server's version keeps changing",
                hint: "run `stories sync` again"))
          }
        } else {
          settler.addGone(item, &report)
        }
      case .failure(.notFound):
        finished.insert(number)
        settler.addGone(item, &report)
      case .failure(let error) where answer.isLost:
        lost = lost ?? error
      case .failure(let error):
        finished.insert(number)
        report.failed.append(
          .init(ref: item.step.ref, message: error.message, hint: error.suggestion))
      }
    }
    let outcome = try settler.commit(references, &report)
    try journal.finish(
      zip(outgoing, numbers).compactMap { item, number in
        finished.contains(number) && !outcome.failed.contains(item.step.ref) ? number : nil
      })
    if let lost { throw lost }
    return outcome.again.compactMap { item in
      var next = prepared(AnswerSettler.stepAfterMerge(item.step), references, &report)
      next?.round = item.round + 1
      return next
    }
  }

  /// The server's version after a failed precondition; `nil` where the record is gone.
  private func current(
    _ item: Outgoing, _ answered: RemoteRecord?
  ) async throws -> RemoteRecord? {
    if let answered { return answered }
    guard let id = item.write.id else { return nil }
    return try await client.recordIfPresent(item.step.ref.kind, id: id)
  }
}
