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
    /// The file that this was read from, where all of it is sent: its digest, and the names that its
    /// references have.
    var file: (digest: ContentDigest, refs: JSONObject)?

    /// Where the record's sidecar lies.
    var place: RecordRef { step.renamedFrom ?? step.ref }
  }

  /// How many records are written, sent and flushed together.
  private var groupSize: Int { info.features.contains(.batch) ? 1_000 : WriteSender.width * 160 }

  /// Writes of one kind and action that are sent together.
  private struct Group {
    var outgoing: [Outgoing] = []
    var entries = Journal.Entries()
    /// What the writes replace on the server.
    var versions = RunRecorder.Versions()
    /// Records that are not sent, and why.
    var failed: [SyncReport.Failure] = []
    var action: Plan.Action
    var kind: EntityKind
    /// How many steps were done before the group, and how many are once all of it is answered.
    var start = 0
    var end = 0

    /// Whether a group may name what this one makes, so that it has to wait for the answers.
    func isBefore(_ step: Plan.Step) -> Bool { action != step.action || kind != step.ref.kind }
  }

  private typealias Answers = Result<[WriteSender.Answer], any Error>

  /// Applies steps in their order; those that were read are none of the queue any more.
  ///
  /// While a group is under way the answers of the one before are taken in, and while those are
  /// written the next one is read. A group of another kind or action waits until that is done, for it
  /// may name what the one before makes.
  /// - Parameter progress: called with how many steps the server has answered, from any thread.
  /// - Throws: `APIError` for what concerns all records: no network, no session, cancelled. Writes
  ///   whose answer is not known then stay in the journal.
  func apply(
    _ rest: inout StepQueue, references: inout ReferenceTable, report: inout SyncReport,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Answers.self) { tasks in
      var flight: Group?
      var ready: Group?
      let total = rest.count
      while !Task.isCancelled {
        if let under = flight, let next = rest.first, ready == nil, under.isBefore(next) {
          flight = nil
          try await land(under, try await tasks.next()?.get(), &references, &report)
          continue
        }
        guard var group = ready ?? nextGroup(of: &rest, total, references) else { break }
        ready = nil
        report.failed += group.failed
        let before = flight
        flight = nil
        let result = try await tasks.next()
        // Nothing more is sent once an answer was lost.
        let goesOn = !Task.isCancelled && !Self.isLost(result)
        if goesOn, !group.outgoing.isEmpty {
          run.save(&group.versions)
          try run.flush()
          try journal.begin(&group.entries)
          flight = group
          let sender = WriteSender(client: client, info: info, time: time)
          let items = group.outgoing.map { WriteSender.Item(write: $0.write, base: $0.base) }
          let (start, end) = (group.start, group.end)
          tasks.addTask {
            do {
              // Records that were not sent count as done with the last one.
              return .success(
                try await sender.send(items) { count in
                  progress(count == items.count ? end : start + count)
                })
            } catch {
              return .failure(error)
            }
          }
        }
        let answers = try result?.get()
        guard let before else { continue }
        let (known, current) = (references, group)
        try await land(before, answers, &references, &report) {
          if goesOn, let next = rest.first, !current.isBefore(next) {
            ready = nextGroup(of: &rest, total, known)
          }
        }
      }
      if let under = flight {
        try await land(under, try await tasks.next()?.get(), &references, &report)
      }
    }
    if Task.isCancelled { throw APIError.cancelled }
  }

  /// Whether it is not known what became of one of a group's writes.
  private static func isLost(_ answers: Answers?) -> Bool {
    switch answers {
    case .success(let answers): answers.contains { $0.isLost }
    case .failure: true
    case nil: false
    }
  }

  /// Reads the records of the next group; `nil` where nothing is left.
  private func nextGroup(
    of rest: inout StepQueue, _ total: Int, _ references: ReferenceTable
  ) -> Group? {
    guard let first = rest.first else { return nil }
    var group = Group(action: first.action, kind: first.ref.kind)
    group.start = total - rest.count
    let steps = rest.take(groupSize) { !group.isBefore($0) }
    group.end = total - rest.count
    for step in steps {
      do {
        guard let outgoing = try prepare(step, references, &group.versions) else { continue }
        journal.add(entry(of: outgoing), to: &group.entries)
        group.outgoing.append(outgoing)
      } catch {
        group.failed.append(failure(of: step, error))
      }
    }
    return group
  }

  private func land(
    _ group: Group, _ answers: [WriteSender.Answer]?, _ references: inout ReferenceTable,
    _ report: inout SyncReport, meanwhile: () -> Void = {}
  ) async throws {
    try await settle(
      group.outgoing, group.entries.numbers, answers: answers, &references, &report,
      meanwhile: meanwhile)
  }

  private func entry(of outgoing: Outgoing) -> Journal.Entry {
    .write(
      LostWrite(
        ref: outgoing.step.ref, place: outgoing.place, write: outgoing.write, listedAt: listedAt,
        sentAt: time.now()))
  }

  /// Sends writes that stand in the journal and takes in their answers, until none is left.
  ///
  /// - Parameters:
  ///   - firstAnswers: the answers to the first ones, where they have been sent already.
  ///   - meanwhile: work that is done on another thread while the first answers are written; it must
  ///     not touch the report.
  func settle(
    _ first: [Outgoing], _ firstNumbers: [Int], answers firstAnswers: [WriteSender.Answer]? = nil,
    _ references: inout ReferenceTable, _ report: inout SyncReport, meanwhile: () -> Void = {}
  ) async throws {
    var (outgoing, numbers, known) = (first, firstNumbers, firstAnswers)
    var isFirst = true
    while !outgoing.isEmpty {
      let answers: [WriteSender.Answer]
      if let known {
        answers = known
      } else {
        answers = try await WriteSender(client: client, info: info, time: time).send(
          outgoing.map { .init(write: $0.write, base: $0.base) })
      }
      known = nil
      outgoing = try await takeIn(outgoing, answers, numbers, &references, &report) {
        if isFirst { meanwhile() }
      }
      isFirst = false
      try run.flush()
      numbers = try journal.begin(outgoing.map(entry))
    }
  }

  // MARK: Preparing

  /// Why a record is not sent.
  private func failure(of step: Plan.Step, _ error: any Error) -> SyncReport.Failure {
    if let waiting = error as? Waiting {
      return .init(ref: step.ref, message: waiting.message, hint: waiting.hint)
    }
    let problem =
      error as? Problem ?? Problem(.unreadable, file: step.ref.path, message: "\(error)")
    return .init(ref: step.ref, message: problem.message, hint: problem.hint, problem: problem)
  }

  /// The write of a step; `nil` where nothing is left to send.
  private func prepare(
    _ step: Plan.Step, _ references: ReferenceTable, _ versions: inout RunRecorder.Versions
  ) throws -> Outgoing? {
    switch step.action {
    case .create: return try prepareCreate(step, references)
    case .update: return try prepareUpdate(step, references, &versions)
    case .delete: return try prepareDelete(step, &versions)
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
    let leavesRest = sent != reading.values
    return Outgoing(
      step: step, write: write, sent: sent, leavesRest: leavesRest,
      file: leavesRest ? nil : Self.whole(file, reading))
  }

  private func prepareUpdate(
    _ step: Plan.Step, _ references: ReferenceTable, _ versions: inout RunRecorder.Versions
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
    versions.save(step.ref, .server, text: JSONValue.object(sidecar.base.wire).compactBytes)
    let write = RemoteWrite(
      operation: .update, kind: step.ref.kind, id: sidecar.id, revision: sidecar.updatedAt,
      idempotencyKey: makeKey(), body: body)
    return Outgoing(
      step: step, write: write, sent: sent, base: sidecar.base, file: Self.whole(file, reading))
  }

  /// What an answer that repeats what was sent needs to know of the file; `nil` where something in
  /// the file has no meaning yet.
  private static func whole(
    _ file: RecordFile, _ reading: RecordFile.Reading
  ) -> (digest: ContentDigest, refs: JSONObject)? {
    guard reading.unresolved.isEmpty, reading.malformed.isEmpty else { return nil }
    return (ContentDigest(file.document.bytes), reading.refs)
  }

  private func prepareDelete(
    _ step: Plan.Step, _ versions: inout RunRecorder.Versions
  ) throws -> Outgoing? {
    let place = step.renamedFrom ?? step.ref
    let sidecar = try source.sidecar(of: step.ref, at: place)
    // The record came back since the plan was made: nothing is deleted any more.
    guard !FileSystem.exists(library.path(step.ref.path)) else { return nil }
    try checkReleased(step, sidecar)
    var lost = sidecar.base
    if let location = step.location {
      lost = try source.spool.record(step.ref.kind, at: location).fields
    }
    versions.save(
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
    _ references: inout ReferenceTable, _ report: inout SyncReport, meanwhile: () -> Void
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
    var outcome = AnswerSettler.Outcome()
    var problem: (any Error)?
    Parallel.both {
      do { outcome = try settler.commit(references, &report) } catch { problem = error }
    } and: {
      meanwhile()
    }
    if let problem { throw problem }
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
        guard var next = try prepare(step, references, &versions) else { continue }
        next.round = item.round + 1
        again.append(next)
      } catch {
        report.failed.append(failure(of: step, error))
      }
    }
    run.save(&versions)
    return again
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
