import StoryAPI
import StoryLibrary
import StoryMerge

/// The state shared by the steps of a sync, called in order by ``Synchronizer/run(_:progress:)``.
final class SyncSession {
  private let synchronizer: Synchronizer
  let connection: Connection
  let options: SyncOptions
  let run: RunRecorder
  let journal: Journal
  let progress: @Sendable (SyncProgress) -> Void

  var report = SyncReport()
  /// The scan before the sync, until ``finish()``.
  private var first: Scan
  /// The records that were in conflict before the sync.
  private let waiting: Set<RecordRef>
  /// The records that were edited back to an older synced version, which a push reports.
  private let older: Set<RecordRef>
  private(set) var scan: Scan {
    didSet { digest = nil }
  }
  /// The ``Scan/pulledDigest`` of the last scan if it was computed, or `nil`.
  private var digest: String?
  /// The scan that the records were planned with, until ``finish()``.
  private var planned = Scan()
  private(set) var source: DiskSource
  private(set) var remote = RemoteState()
  private var unconfirmed: [UnconfirmedWrite] = []
  private(set) var info = ServerInfo(version: "", dialect: .v0, features: [])
  /// The marks of an earlier pull, if still valid.
  private(set) var earlier: PullState?
  /// Records that are on the server, but whose file and sidecar are both missing.
  private var left: [Scan.SeenPair] = []

  private var plan = Plan()
  private var isPlanned = false
  /// Whether the next ``makePlan()`` has something to plan.
  private var isOpen = true
  private var round = 0
  /// The number of preliminary plans that a dry run has assumed to be carried out.
  private var assumptions = 0
  /// The names and ids of the library, with those of the records that this sync makes.
  var references = ReferenceTable()
  /// The records that others have come to reference since the server was listed, by their ids, each with
  /// one of those.
  var namedMeanwhile: [String: RecordRef] = [:]
  /// The number of the report's renames that are finished.
  private var finishedRenames = 0
  /// The records whose files changed since they were planned.
  private var changedMeanwhile: [RecordRef] = []
  /// The records that were written, locally or on the server.
  private var touched: Set<RecordRef> = []
  /// The names of the sidecars that this sync writes, except those of records that are not there yet: until
  /// they are written, what came from elsewhere still does.
  var own: Set<RecordRef> = []

  /// The number of times records that are saved during the sync are planned, and that a write is sent,
  /// merged again each time the server's version has changed.
  static let rounds = 3

  /// - Parameter unfinished: the failures from finishing an earlier run. Their records are left out:
  ///   a second journal entry of one would replace what the first still has to write.
  init(
    _ synchronizer: Synchronizer, _ connection: Connection, _ options: SyncOptions, scan: Scan,
    unfinished: [SyncReport.Failure], journal: Journal,
    progress: @escaping @Sendable (SyncProgress) -> Void
  ) throws {
    self.synchronizer = synchronizer
    self.connection = connection
    self.options = options
    self.journal = journal
    run = RunRecorder(synchronizer.library, synchronizer.time)
    self.progress = progress
    self.scan = scan
    first = scan
    waiting = Set(scan.refs(.conflict))
    older =
      options.pushes
      ? synchronizer.repository?.olderVersions(in: scan, of: synchronizer.library) ?? [] : []
    source = DiskSource(
      library: synchronizer.library, spool: try Spool(synchronizer.library))
    report.isDryRun = options.isDryRun
    report.failed = unfinished
    report.warnings = synchronizer.library.configuration.problems + scan.problems
  }

  var library: Library { synchronizer.library }
  var time: TimeSource { synchronizer.time }
  private var scanner: Scanner {
    var scanner = synchronizer.scanner
    scanner.ownSidecars = own
    return scanner
  }

  // MARK: List

  /// Lists the server's differences from the sidecars.
  ///
  /// - Throws: `SafetyStop` if the library belongs to another server or account; `APIError`,
  ///   `FileError`.
  func list() async throws {
    if let stop = library.otherOwner(than: connection.identity, scan) { throw stop }
    // A server that refuses to list a bucket that does not exist yet must say what it is.
    info =
      mayBeNew
      ? try await connection.client.serverInfo() : try await connection.client.listingInfo()
    earlier = validState()
    do {
      remote = try await listRemote()
    } catch let error as APIError where !error.isOutage {
      // A list that was read and makes no sense is no sign of another dialect.
      if case .list(_, let problem) = error, problem != .noTotal { throw error }
      // The server may speak another dialect by now.
      let asked = try await connection.client.serverInfo()
      guard asked.dialect != info.dialect else { throw error }
      info = asked
      remote = try await listRemote()
    }
    let now = time.now()
    source.clockDifference = remote.date.map { $0.duration(since: now) }
    unconfirmed = journal.unconfirmedWrites.map { write in
      var write = write
      write.canBeSentAgain = write.isRemembered(by: info, now: now)
      write.newID = info.dialect.newID(write.write)
      return write
    }
  }

  /// Whether no local record is on the server yet, and a push creates what the records need.
  private var mayBeNew: Bool { options.pushes && scan.entries.allSatisfy { !$0.isOnServer } }

  /// Asks the server what it is, which a list does not need to know but a write does.
  ///
  /// - Throws: `APIError.dialectChanged` if the list was made in another dialect.
  private func describeServer() async throws {
    let asked = try await connection.client.serverInfo()
    guard asked.dialect == info.dialect else { throw APIError.dialectChanged }
    info = asked
  }

  private func listRemote() async throws -> RemoteState {
    var lister = lister()
    lister.marks = options.isFull ? [:] : earlier?.marks ?? [:]
    lister.isKnownWell = earlier != nil
    // A server with tombstones says what it deleted. Of any other, all that is known is with which
    // server this machine synced before.
    lister.mayHaveForeignIDs =
      earlier == nil
      && (info.features.contains(.tombstones)
        || PullState(library).map { $0.identity != connection.identity } ?? false)
    lister.mayBeNew = mayBeNew
    lister.unconfirmed = Set(
      journal.unconfirmedWrites.compactMap { info.dialect.newID($0.write) })
    return try await lister.list()
  }

  func lister() -> RemoteLister {
    var lister = RemoteLister(client: connection.client, source: source, info: info, known: scan)
    lister.progress = { [progress] in progress(.listing(kind: $0, seen: $1, total: $2)) }
    return lister
  }

  /// Returns the marks of an earlier run if they are for the same server and the sidecars have not
  /// been changed otherwise since.
  private func validState() -> PullState? {
    guard let state = PullState(library), state.identity == connection.identity,
      state.sidecarDigest == pulledDigest()
    else { return nil }
    return state
  }

  private func pulledDigest() -> String {
    let digest = digest ?? scan.pulledDigest
    self.digest = digest
    return digest
  }

  // MARK: Plan

  /// Makes the next plan: first one that settles broken sidecars and unconfirmed writes, then the
  /// main one, and another if records were saved meanwhile.
  ///
  /// - Returns: whether to carry out the plan: not in a dry run, not if there is a reason to stop,
  ///   and not once everything is done.
  func makePlan() throws -> Bool {
    guard isOpen, report.stops.isEmpty else { return false }
    var planner = planner(remote, options)
    planner.except = Set(report.failed.map(\.ref))
    planner.unconfirmed = unconfirmed
    planner.settles = assumptions < Self.rounds
    let unknown = Set(scan.brokenSidecars.map(\.ref) + scan.refs(.pendingCreate))
    if !unknown.isEmpty { planner.seenIDs = seenIDs(of: unknown) }
    plan = try planner.makePlan()
    if plan.isPreliminary {
      guard options.isDryRun else { return true }
      assumptions += 1
      try assume()
      return try makePlan()
    }
    report.stops = plan.stops
    for step in plan.steps {
      let refs = [step.ref] + (step.renamedFrom.map { [$0] } ?? [])
      touched.formUnion(refs)
      if !step.isOutdated, step.action != .bringBack { own.formUnion(refs) }
    }
    guard isPlanned else { return noteFirstPlan() }
    // Earlier failures were left out of this plan.
    report.failed += plan.failures
    return plan.stops.isEmpty
  }

  /// Returns the ids with which this machine last saw records. If git removed both the record and its
  /// sidecar, a new file of that name is another record.
  private func seenIDs(of refs: Set<RecordRef>) -> [RecordRef: String] {
    let seen = library.seenPairs(where: refs.contains)
    let traces = scanner.gitTraces(seen.map(\.ref))
    let taken = scanner.takenByGit(seen.filter { traces[$0.ref] != .tracked })
    return Dictionary(
      seen.lazy.filter { !taken.contains($0) }.map { ($0.ref, $0.id) },
      uniquingKeysWith: { _, last in last })
  }

  /// Continues a dry run as if a preliminary plan had been carried out; no file changes.
  private func assume() throws {
    var scanner = scanner
    scanner.assumedSidecars = source.assumedSidecars
    let references = plannedReferences
    for step in plan.steps {
      let sidecar = try rebuiltSidecar(step, references)
      scanner.assumedSidecars[step.ref] = .some(sidecar?.fileBytes)
    }
    var open: [UnconfirmedWrite] = []
    for settlement in plan.settlements {
      switch settlement.outcome {
      case .settled(let settled?):
        let bytes: [UInt8]? = if case .write(let bytes, _) = settled.change { bytes } else { nil }
        scanner.assumedSidecars[settled.ref] = .some(bytes)
      case .open: open.append(settlement.write)
      case .sentAgain: report.unsettled.append(settlement.write.ref)
      case .settled(nil): break
      }
    }
    let numbers = Set(plan.settlements.map(\.write.number))
    unconfirmed = unconfirmed.filter { !numbers.contains($0.number) } + open
    source.assumedSidecars = scanner.assumedSidecars
    scan = try scanner.scan()
  }

  private func noteFirstPlan() -> Bool {
    report.noteMalformed(remote, scan)
    report.noteRemaining(remote, scan, plan, options)
    left = first.missingPairs.filter { remote.kinds[$0.ref.kind]?.changed[$0.id] != nil }
    guard !options.isDryRun, plan.stops.isEmpty else {
      report.predict(plan)
      if !options.pulls { report.noteLeft(left, scan) }
      if options.isDryRun {
        report.noteRemoteChanges(remote, scan, plan)
        noteWhatWillNotBeTaken()
        report.unsettled = Set(report.unsettled + journal.unfinishedFiles.map(\.ref)).sorted()
      }
      return false
    }
    report.note(plan)
    planned = scan
    isPlanned = true
    return true
  }

  /// Predicts which changes the server will answer with its own value.
  private func noteWhatWillNotBeTaken() {
    guard !info.dialect.takesEveryChange, plan.stops.isEmpty else { return }
    for step in plan.steps where step.action == .update {
      guard let file = try? source.file(step.ref),
        let sidecar = try? source.sidecar(at: step.place)
      else { continue }
      let values = file.reading(references: scan.references, sidecar: sidecar).values
        .completed(from: sidecar.base)
      for field in step.fields.fields(of: step.ref.kind) {
        let (base, sent) = (sidecar.base.effective(field), values.effective(field))
        guard info.dialect.ignores(field.wireKey, sent, of: step.ref.kind) else { continue }
        report.overridden.append(.init(step.ref, field, kept: "server", base, lost: sent))
      }
    }
  }

  private func planner(_ remote: RemoteState, _ options: SyncOptions) -> Planner {
    Planner(scan: scan, remote: remote, source: source, decider: decider, options: options)
  }

  var decider: Decider {
    Decider(policies: library.configuration.policies, strategy: options.strategy)
  }

  // MARK: Apply locally

  func applyLocal() throws {
    if isPlanned { try library.rememberOwner(connection.identity) }
    noteOwn(plan.settlements.map(\.write.ref))
    try settleUnconfirmed()
    references = plannedReferences
    let steps = plan.steps.filter { !$0.action.isRemote }
    changedMeanwhile = try changeFiles(steps) { progress(.writing(done: $0, total: steps.count)) }
    try finishRenames(scan)
    if changedMeanwhile.isEmpty { return }
    round += 1
    guard round == Self.rounds else { return }
    report.failed += changedMeanwhile.map { .init(ref: $0, reason: .fileKeepsChanging) }
    changedMeanwhile = []
  }

  /// Notes that this sync is about to write sidecars, those of its plan included.
  private func noteOwn(_ refs: [RecordRef]) {
    own.formUnion(refs)
    if !own.isEmpty { library.noteUnseenSidecars(own) }
  }

  /// The names and ids of the library once the plan's sidecars are rebuilt: records that lost them
  /// together reference each other, and what is gone with its sidecar still stands for its id.
  private var plannedReferences: ReferenceTable {
    var references = scan.references
    let rebuilt = plan.steps.filter { $0.action == .rebuildSidecar }
    guard !rebuilt.isEmpty else { return references }
    for pair in scan.missingPairs where !references.contains(pair.ref) {
      references.add(pair.ref, id: pair.id)
    }
    for step in rebuilt { if let id = step.id { references.add(step.ref, id: id) } }
    return references
  }

  /// Updates the references to renamed records, and removes their old sidecars.
  private func finishRenames(_ scan: Scan) throws {
    let renamed = report.renamed.dropFirst(finishedRenames)
    finishedRenames = report.renamed.count
    guard !renamed.isEmpty else { return }
    try ReferenceRewriter(library: library).finishRenames(Array(renamed), scan)
  }

  /// Writes the outcomes of unconfirmed writes into sidecars and the journal.
  private func settleUnconfirmed() throws {
    let settlements = plan.settlements.filter { !$0.isSentAgain }
    var batch = WriteBatch(root: library.root)
    var written: [(number: Int, ref: RecordRef)] = []
    for settlement in settlements {
      guard case .settled(let change?) = settlement.outcome else { continue }
      written.append((settlement.write.number, change.ref))
      batch.add(change.ref, in: library, sidecar: change.change)
    }
    // What cannot be written stays in the journal and its record is left out; the others continue.
    var stuck: Set<Int> = []
    if !written.isEmpty { noteOwn(written.map(\.ref)) }
    for (write, result) in zip(written, batch.commit()) {
      guard case .failed(let error) = result else { continue }
      stuck.insert(write.number)
      let entry = scan.entries.first { $0.place == write.ref }
      report.failed.append(.init(ref: entry?.ref ?? write.ref, reason: .file(error)))
    }
    var open = settlements.compactMap { if case .open = $0.outcome { $0.write } else { nil } }
    for (place, number) in try journal.begin(open).enumerated() {
      open[place].number = number
    }
    let numbers = Set(settlements.map(\.write.number))
    try journal.finish(numbers.subtracting(stuck).sorted())
    unconfirmed = unconfirmed.filter { !numbers.contains($0.number) } + open
  }

  // MARK: Apply on the server

  /// Carries out the steps of the plan that change the server, unless a new plan is needed.
  func applyRemote() async throws {
    if plan.isPreliminary { return try await resend() }
    isOpen = !changedMeanwhile.isEmpty
    guard !isOpen else {
      // Git may have brought other sidecars of what was not sent.
      let local = Set(plan.steps.lazy.filter { !$0.action.isRemote }.map(\.ref))
      own.subtract(plan.steps.map(\.ref).filter { !local.contains($0) })
      scan = try scanner.scan()
      return
    }
    if Task.isCancelled { throw APIError.cancelled }
    let failed = Set(report.failed.map(\.ref))
    // There may be very many, and nothing else needs them from here on.
    var steps: [Plan.Step] = []
    swap(&steps, &plan.steps)
    steps.removeAll { !$0.action.isRemote || failed.contains($0.ref) }
    guard !steps.isEmpty else { return }
    try await describeServer()
    try await send(steps)
  }

  private func resend() async throws {
    let writes = plan.settlements.filter(\.isSentAgain).map(\.write)
    if !writes.isEmpty {
      try await describeServer()
      noteOwn(writes.map { scan.entry(of: $0, source)?.place ?? $0.ref })
      let refused = try await sendAgain(writes)
      let failed = Set(report.failed.map(\.ref))
      let open = writes.filter { failed.contains(scan.entry(of: $0, source)?.ref ?? $0.ref) }
      try finishRenames(scanner.scan())
      let numbers = Set(writes.map(\.number))
      unconfirmed.removeAll { numbers.contains($0.number) }
      for var write in refused {
        write.canBeSentAgain = false
        write.wasRefused = true
        unconfirmed.append(write)
      }
      // What these may have made is not another record.
      let known = Set(refused.map(\.number))
      for var write in open where !known.contains(write.number) {
        write.wasTried = true
        unconfirmed.append(write)
      }
    }
    scan = try scanner.scan()
    for write in writes {
      guard let id = write.write.id ?? write.newID else { continue }
      remote.forgetChange(of: id, write.write.kind, olderThan: scan)
    }
  }

  // MARK: Finish

  /// Records how far the sync came, after a plan was carried out.
  func finish() async throws {
    guard isPlanned else { return }
    plan = Plan()
    if options.pulls { try await takeCleared() }
    let untouched = touched.isEmpty ? "" : planned.pulledDigest(except: touched)
    // The ids that the server listed and no sidecar had.
    let new = Dictionary(
      uniqueKeysWithValues: remote.kinds.map { kind, found in
        (kind, Set(found.changed.keys.filter { planned.version(of: $0, kind) == nil }))
      })
    let deleted = first.storyIDs(report.deleted + report.receivedDeletes)
    // Two scans of a large library take much memory.
    (first, planned) = (Scan(), Scan())
    if !touched.isEmpty {
      scan = Scan()
      scan = try scanner.scan()
    }
    try await pullIllustrations(deleted: deleted)
    if report.stops.isEmpty {
      try savePullState(untouched, new: new, forgetting: options.pulls ? [] : cleared)
    }
    if !touched.isEmpty || !scan.missingPairs.isEmpty { scan.noteSeen(in: library, missing: left) }
    library.noteSeenSidecars()
    report.noteLeft(left, scan)
    try await connection.finish(scan)
  }

  /// Updates local references that the server cleared because of this sync's deletes.
  private func takeCleared() async throws {
    let kinds = cleared
    guard !kinds.isEmpty, report.stops.isEmpty else { return }
    scan = try scanner.scan()
    let lister = lister()
    var state = RemoteState()
    for kind in kinds {
      for other in Set(report.deleted.map(\.kind)) {
        let known = Set(scan.entries.lazy.filter { $0.ref.kind == other }.flatMap(\.namedIDs))
        let ids = source.referrers(kind, of: other, scan) { !known.contains($0) }
        try await lister.readAgain(kind, ids, &state)
      }
    }
    let refs = Set(
      state.kinds.flatMap { kind, found in
        found.changed.keys.compactMap { scan.entry(id: $0, of: kind)?.ref }
      })
    var planner = planner(state, SyncOptions(.pull, only: refs))
    let plan = try planner.makePlan()
    guard plan.stops.isEmpty else { return }
    touched.formUnion(plan.steps.map(\.ref))
    noteOwn(plan.steps.map(\.ref))
    references = scan.references
    _ = try changeFiles(plan.steps)
  }

  /// The kinds in which this sync's deletes made the server clear references silently.
  private var cleared: Set<EntityKind> {
    guard info.dialect.clearsReferences else { return [] }
    let gone = Set(report.deleted.map(\.kind))
    return Set(
      EntityKind.writable.filter { kind in
        kind.schema.fields.contains { field in
          !field.isRequired && field.referencedKind.map(gone.contains) ?? false
        }
      })
  }

  /// Saves the marks. A mark advances only if all listed changes were taken, and nobody else
  /// changed sidecars meanwhile: the lists do not cover those.
  ///
  /// - Parameters:
  ///   - untouched: the digest before the sync of the sidecars that it did not touch.
  ///   - new: the ids that the server listed and no sidecar had.
  private func savePullState(
    _ untouched: String, new: [EntityKind: Set<String>], forgetting cleared: Set<EntityKind>
  ) throws {
    let digest = pulledDigest()
    // Once all sidecars count as this server's, the next sync would believe that it deleted these.
    let hasForeignIDs = remote.kinds.contains { kind, found in
      found.unknown.contains { scan.isNamed($0, of: kind) }
    }
    if hasForeignIDs { return }
    if !touched.isEmpty, scan.pulledDigest(except: touched) != untouched { return }
    var state = PullState(identity: connection.identity, sidecarDigest: digest)
    var isComplete = options.pulls
    for kind in EntityKind.writable {
      guard let found = remote.kinds[kind] else { continue }
      let isTakenIn = found.isTakenIn(by: scan, kind, new: new[kind] ?? [])
      state.marks[kind] =
        cleared.contains(kind) ? nil : isTakenIn ? found.mark : earlier?.marks[kind]
      isComplete = isComplete && isTakenIn
    }
    state.pulledAt = isComplete ? time.now() : PullState(library)?.pulledAt
    try state.save(library)
  }

  /// Completes the report and writes it into the run.
  func close() async throws -> SyncReport {
    let statistics = await connection.client.statistics
    report.requests = statistics.requests
    report.bytesUp = statistics.bytesUp
    report.bytesDown = statistics.bytesDown
    report.older = report.updated.map(\.ref).filter(older.contains)
    if options.isDryRun { return report }
    if report.error == nil, report.stops.isEmpty { try saveFailures() }
    // What was written before the sync ended early has been seen too.
    if report.error != nil || !report.stops.isEmpty, !touched.isEmpty {
      _ = try scanner.scan()
      library.noteSeenSidecars()
    }
    // What is in conflict since this run counts; what waited before does not.
    let isInConflict = report.conflicts.contains { !waiting.contains($0.ref) }
    guard run.isStarted || !report.isQuiet || isInConflict else { return report }
    try run.finish(command: options.command, moved: report.renamed) { name in
      report.run = name
      return synchronizer.wording.report(report)
    }
    try RunHistory(library, time: time).prune(synchronizer.runLimits)
    return report
  }

  private func saveFailures() throws {
    var failures = FailureStore(library)
    let failed = Dictionary(
      // Each scan finds a file's own problems again; that a record was left out is in no file.
      report.failed.filter { if case .problem = $0.reason { false } else { true } }
        .map { ($0.ref, synchronizer.wording.failure($0)) },
      uniquingKeysWith: { first, _ in first })
    for ref in failures.failures.keys where failed[ref] == nil {
      if options.selects(ref) || touched.contains(ref) { failures[ref] = nil }
    }
    for (ref, failure) in failed { failures[ref] = failure }
    try failures.save()
  }
}
