import StoryAPI
import StoryLibrary
import StoryMerge

/// One sync with one server, from the journal's leftovers to the report.
struct SyncSession {
  let library: Library
  let connection: Connection
  let options: SyncOptions
  let journal: Journal
  let run: RunRecorder
  let time: TimeSource
  let scanner: Scanner
  let runLimits: RunHistory.Limits
  let progress: @Sendable (SyncProgress) -> Void

  /// How often records that were saved during the sync are planned again.
  static let rounds = 3

  init(
    library: Library, connection: Connection, options: SyncOptions, journal: Journal,
    time: TimeSource, scanner: Scanner, runLimits: RunHistory.Limits,
    progress: @escaping @Sendable (SyncProgress) -> Void
  ) throws {
    self.library = library
    self.connection = connection
    self.options = options
    self.journal = journal
    self.time = time
    self.scanner = scanner
    self.runLimits = runLimits
    self.progress = progress
    run = RunRecorder(library, startedAt: time.now().wire)
  }

  private var direction: Planner.Direction {
    Planner.Direction(pulls: options.direction != .push, pushes: options.direction != .pull)
  }

  /// Syncs, beginning with what was found here, which may be large and is let go before the report is
  /// written.
  func run(_ firstScan: consuming Scan) async throws -> SyncReport {
    var report = SyncReport()
    report.isDryRun = options.isDryRun
    report.warnings = firstScan.problems
    do {
      try await sync(consume firstScan, &report)
    } catch let error as APIError {
      report.error = error
    } catch let error as RemoteLister.Failure {
      report.error = error.apiError
    }
    let statistics = await connection.client.statistics
    report.requests = statistics.requests
    report.bytesUp = statistics.bytesUp
    report.bytesDown = statistics.bytesDown
    try finish(&report)
    return report
  }

  private func sync(_ firstScan: consuming Scan, _ report: inout SyncReport) async throws {
    if let stop = IdentityCheck(library: library).stop(firstScan, connection.identity) {
      report.stops = [stop]
      return
    }
    let info = try await connection.client.serverInfo()
    let spool = try Spool(library)
    var source = DiskSource(library: library, spool: spool)
    var scan = consume firstScan
    // What was there before something was changed; `nil` where that is still the scan.
    var before: Scan?
    let mender = SidecarMender(library: library, run: run)
    if !options.isDryRun, try mender.mendMarkers(scan) {
      before = scan
      scan = try scanner.scan()
    }
    if try await resendLostWrites(info, source, scan, &report) {
      before = before ?? scan
      try RenameFinisher(library: library).finish(report.renamed, scanner.scan())
      scan = try scanner.scan()
    }
    var remote = RemoteState()
    let earlier = validState(scan)
    let mayLack = earlier == nil ? storiesThatMayLackPictures(scan) : []
    try await list(scan, source, info, marks: options.isFull ? [:] : earlier?.marks ?? [:], &remote)
    source.clockDifference = remote.date.map { $0.duration(since: time.now()) }
    if !options.isDryRun, try mender.rebuild(scan, remote, source) {
      before = before ?? scan
      scan = try scanner.scan()
    }
    let doubtful = try resolveLostWrites(info, source, remote, &scan, &before)
    var plan = try makePlan(scan, remote, source, without: doubtful)
    report.stops = plan.stops
    report.failed += remote.malformedRecords(scan)
    if options.isDryRun || !plan.stops.isEmpty {
      report.predict(plan, all: plan.stops.isEmpty)
      return
    }
    try IdentityCheck(library: library).remember(connection.identity)
    report.sidecars = SidecarChanges(expecting: plan.steps.count)
    try await apply(&plan, scan, remote, source, info, doubtful, &report)
    if direction.pulls { try await takeCleared(source, info, &report) }
    let planned = try moveToEnd(&scan, &report)
    try await pullIllustrations(
      before ?? planned ?? scan, scan, remote, mayLack: mayLack, &report)
    if report.stops.isEmpty {
      try savePullState(
        scan, remote, before: planned ?? scan, earlier,
        forgetting: direction.pulls ? [] : cleared(report, info))
    }
    try await connection.finish(scan)
  }

  /// Finds out what the server has, as far as it is news.
  private func list(
    _ scan: Scan, _ source: DiskSource, _ info: ServerInfo,
    marks: [EntityKind: PullState.Mark], _ remote: inout RemoteState
  ) async throws {
    var lister = RemoteLister(
      client: connection.client, spool: source.spool, info: info, known: scan, marks: marks,
      progress: { [progress] in progress(.listing(kind: $0, seen: $1, total: $2)) })
    lister.namers = { source.namers($0, of: $1, scan, $2) }
    remote.date = try await lister.list(into: &remote)
  }

  /// Makes the scan that the sync was planned with one of how the sidecars stand now.
  ///
  /// - Returns: the scan as it was; `nil` where that says nothing more, for sidecars were written, but no
  ///   record and no sidecar went.
  private func moveToEnd(_ scan: inout Scan, _ report: inout SyncReport) throws -> Scan? {
    // What was written stands in the scan then, and may be much.
    defer { report.sidecars = SidecarChanges() }
    // A sidecar without its record may be one of the files that the sync changed.
    guard report.sidecars.isComplete, report.renamed.isEmpty, scan.staleSidecars.isEmpty else {
      let planned = scan
      scan = try scanner.scan()
      return planned
    }
    if !report.sidecars.written.isEmpty { scan.take(report.sidecars.written) }
    return nil
  }

  // MARK: What an earlier run left

  /// Sends writes without an answer again, where the server does each of them once in all.
  private func resendLostWrites(
    _ info: ServerInfo, _ source: DiskSource, _ scan: Scan, _ report: inout SyncReport
  ) async throws -> Bool {
    guard !options.isDryRun, direction.pushes else { return false }
    let now = time.now()
    let writes = journal.lostWrites.filter { $0.lost.canBeSentAgain(to: info, now: now) }
    guard !writes.isEmpty else { return false }
    journal.take(writes.map(\.number))
    var references = scan.references
    try await remoteApplier(info, source).finish(
      writes, LostWriteLocator(scan: scan, source: source), &references, &report)
    return true
  }

  /// Finds out from the listing what became of writes that are not sent again; returns the records
  /// that must not be created now.
  private func resolveLostWrites(
    _ info: ServerInfo, _ source: DiskSource, _ remote: RemoteState, _ scan: inout Scan,
    _ before: inout Scan?
  ) throws -> [LostWriteResolver.Doubt] {
    guard !journal.lostWrites.isEmpty, !options.isDryRun else { return [] }
    let now = time.now()
    let resolver = LostWriteResolver(
      library: library, source: source, scan: scan, remote: remote,
      canBeSentAgain: { $0.canBeSentAgain(to: info, now: now) })
    let outcome = try resolver.resolve(journal.lostWrites)
    _ = try journal.begin(outcome.kept.map { .write($0) })
    try journal.finish(outcome.finished)
    if outcome.isChanged {
      before = before ?? scan
      scan = try scanner.scan()
    }
    return outcome.doubtful
  }

  // MARK: How far earlier pulls came

  /// What an earlier run noted, as far as it still holds: for the same server, and for sidecars that
  /// nobody else changed since.
  private func validState(_ scan: Scan) -> PullState? {
    guard let state = PullState(library), state.identity == connection.identity,
      state.sidecarDigest == scan.pulledDigest
    else { return nil }
    return state
  }

  /// Brings the references here up to date that the server cleared because of our own deletes.
  private func takeCleared(
    _ source: DiskSource, _ info: ServerInfo, _ report: inout SyncReport
  ) async throws {
    let kinds = cleared(report, info)
    guard !kinds.isEmpty, report.stops.isEmpty else { return }
    let scan = try scanner.scan()
    let lister = RemoteLister(
      client: connection.client, spool: source.spool, info: info, known: scan)
    var state = RemoteState()
    for kind in kinds {
      for other in Set(report.deleted.map(\.kind)) {
        let known = Set(scan.entries.lazy.filter { $0.ref.kind == other }.flatMap(\.namedIDs))
        let ids = source.namers(kind, of: other, scan) { !known.contains($0) }
        try await lister.readAgain(kind, ids, &state)
      }
    }
    let plan = try makePlan(scan, state, source, without: [])
    guard plan.stops.isEmpty else { return }
    let local = LocalApplier(
      library: library, source: source, decider: decider, journal: journal, run: run)
    var references = scan.references
    let steps = plan.steps.filter { step in
      !step.action.isRemote
        && step.id.map { state.kinds[step.ref.kind]?.changed.contains($0) ?? false } ?? false
    }
    _ = try local.apply(steps[...], references: &references, report: &report) { _ in }
  }

  /// The kinds of which a server that does so cleared references without a word, because of our own
  /// deletes.
  private func cleared(_ report: SyncReport, _ info: ServerInfo) -> Set<EntityKind> {
    guard info.dialect.clearsReferences else { return [] }
    let gone = Set(report.deleted.map(\.kind))
    return Set(
      EntityKind.writable.filter { kind in
        kind.schema.fields.contains { field in
          !field.isRequired && field.referencedKind.map(gone.contains) ?? false
        }
      })
  }

  /// A mark advances only where everything that the server told was taken in.
  private func savePullState(
    _ scan: Scan, _ remote: RemoteState, before: Scan, _ earlier: PullState?,
    forgetting cleared: Set<EntityKind>
  ) throws {
    var state = PullState(identity: connection.identity, sidecarDigest: scan.pulledDigest)
    var isComplete = direction.pulls
    for kind in EntityKind.writable {
      guard let found = remote.kinds[kind] else { continue }
      let isTakenIn = found.isTakenIn(by: scan, before: before, kind)
      state.marks[kind] =
        cleared.contains(kind) ? nil : isTakenIn ? found.mark : earlier?.marks[kind]
      isComplete = isComplete && isTakenIn
    }
    state.pulledAt = isComplete ? time.now() : PullState(library)?.pulledAt
    try state.save(library)
  }

  // MARK: Planning

  private var decider: Decider {
    Decider(policies: library.configuration.policies, strategy: options.strategy)
  }

  private func makePlan(
    _ scan: Scan, _ remote: RemoteState, _ source: DiskSource,
    without doubtful: [LostWriteResolver.Doubt]
  ) throws -> Plan {
    var plan = try Planner.plan(
      scan: scan, remote: remote, source: source, decider: decider, direction: direction,
      maximumDeletes: options.maximumDeletes)
    plan.leaveOut(doubtful)
    if let only = options.only {
      plan.steps.removeAll { !only.contains($0.ref) }
      plan.failures.removeAll { !only.contains($0.ref) }
    }
    return plan
  }

  // MARK: Applying

  /// Carries out a plan, of which nothing is left then: it may be large.
  private func apply(
    _ plan: inout Plan, _ firstScan: Scan, _ remote: RemoteState, _ source: DiskSource,
    _ info: ServerInfo, _ doubtful: [LostWriteResolver.Doubt], _ report: inout SyncReport
  ) async throws {
    let local = LocalApplier(
      library: library, source: source, decider: decider, journal: journal, run: run)
    defer { plan = Plan() }
    var references = firstScan.references
    var pending: Set<RecordRef>?
    report.note(plan)
    for round in 1...Self.rounds {
      // The steps here are before those there; see Planner.
      var steps = plan.steps.prefix { !$0.action.isRemote }
      if let pending { steps = steps.filter { pending.contains($0.ref) }[...] }
      let changed = try local.apply(steps, references: &references, report: &report) {
        progress(.writing(done: $0, total: steps.count))
      }
      guard !changed.isEmpty else { break }
      guard round < Self.rounds else {
        report.failed += changed.map {
          .init(
            ref: $0, message: "the file kept changing during the sync",
            hint: "save it once and run `stories sync` again")
        }
        break
      }
      // Somebody saved these in between: what they hold now is planned anew.
      pending = Set(changed)
      let scan = try scanner.scan()
      references = scan.references
      plan = try makePlan(scan, remote, source, without: doubtful)
      guard plan.stops.isEmpty else {
        report.stops = plan.stops
        break
      }
    }
    if !report.renamed.isEmpty {
      try RenameFinisher(library: library).finish(report.renamed, scanner.scan())
    }
    guard report.stops.isEmpty else { return }
    if Task.isCancelled { throw APIError.cancelled }
    var steps = Self.takeRemoteSteps(of: &plan, without: Set(report.failed.map(\.ref)))
    let total = steps.count
    guard total > 0 else { return }
    try await remoteApplier(info, source, listedAt: remote.date).apply(
      &steps, references: &references, report: &report
    ) { [progress] in
      progress(.sending(done: $0, total: total))
    }
  }

  /// Takes the steps there out of a plan, but for those of records that failed here.
  private static func takeRemoteSteps(
    of plan: inout Plan, without failed: Set<RecordRef>
  ) -> StepQueue {
    defer { plan.steps = [] }
    let steps = plan.steps.drop { !$0.action.isRemote }
    return StepQueue(failed.isEmpty ? steps : steps.filter { !failed.contains($0.ref) }[...])
  }

  private func remoteApplier(
    _ info: ServerInfo, _ source: DiskSource, listedAt: ServerDate? = nil
  ) -> RemoteApplier {
    RemoteApplier(
      library: library, client: connection.client, info: info, source: source, decider: decider,
      journal: journal, run: run, listedAt: listedAt, time: time, makeKey: Self.makeKey)
  }

  /// 128 random bits: a key that nobody has used.
  private static func makeKey() -> String {
    let digits = (0..<2).map { _ in
      let text = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return digits.joined()
  }

  // MARK: The end

  private func finish(_ report: inout SyncReport) throws {
    guard !options.isDryRun else { return }
    if report.error == nil, report.stops.isEmpty {
      var failures = FailureStore(library)
      let failed = Dictionary(
        // What a file says of itself is found anew at each look, and is gone once it is mended; that a
        // record was left out, no file says.
        report.failed.filter { $0.problem == nil || $0.problem?.code == .refused }.map {
          ($0.ref, FailureStore.Failure(message: $0.message, hint: $0.hint))
        },
        uniquingKeysWith: { first, _ in first })
      for ref in failures.failures.keys where failed[ref] == nil {
        if options.only?.contains(ref) ?? true { failures[ref] = nil }
      }
      for (ref, failure) in failed { failures[ref] = failure }
      try failures.save()
    }
    guard run.isStarted || !report.isQuiet else { return }
    report.run = try run.finish(report, command: options.command)
    try RunHistory(library, time: time).prune(runLimits)
  }
}

extension RemoteLister.Failure {
  /// The same as an error of the server.
  fileprivate var apiError: APIError {
    switch self {
    case .incomplete(let kind):
      .decoding(
        what: "the pages did not add up to the total the server told, three times in a row",
        where: "the list of \(kind.rawValue)")
    case .endless(let kind):
      .decoding(what: "a page brought nothing new", where: "the list of \(kind.rawValue)")
    }
  }
}
