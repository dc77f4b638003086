import JSONText
import StoryAPI
package import StoryLibrary
import StoryMerge

/// Decides what a sync does from scan, listing and strategies, without clock, network or writes.
///
/// One branch table decides for every record: ``decide(_:)``. The rest of this type finds records
/// that are new on the server and orders the steps.
struct Planner {
  let scan: Scan
  let remote: RemoteState
  let source: any RecordSource
  let decider: Decider
  /// The checks that can stop a sync cover all records, even if only some are to be synced.
  var options: SyncOptions
  /// Records to leave out because they failed already.
  var except: Set<RecordRef> = []
  var unconfirmed: [UnconfirmedWrite] = []
  /// The ids that this machine last saw for records whose sidecars are broken or missing, unless git
  /// took the records away.
  var seenIDs: [RecordRef: String] = [:]
  /// Whether broken sidecars and unconfirmed writes are settled first.
  var settles = false

  private var references: ReferenceTable
  private var plan = Plan()
  private var settled = UnconfirmedWritePlanner.Outcome()
  /// Records that the server deleted and that are in conflict, so that they may come back.
  private var gone: Set<RecordRef> = []
  private var referrers: Referrers

  init(
    scan: Scan, remote: RemoteState, source: any RecordSource, decider: Decider,
    options: SyncOptions
  ) {
    self.scan = scan
    self.remote = remote
    self.source = source
    self.decider = decider
    self.options = options
    references = scan.references
    referrers = Referrers(scan: scan, remote: remote, source: source)
  }

  /// Makes the plan.
  ///
  /// Broken sidecars come first, then unconfirmed writes. The other steps depend on their outcomes,
  /// so such a plan contains nothing else and another plan follows it.
  mutating func makePlan() throws -> Plan {
    if settles, let preliminary = try planPreliminary() { return preliminary }
    try run()
    plan.guardDeletes(scan, allowed: options.maximumDeletes)
    if options.only == nil, except.isEmpty { return plan }
    if let only = options.only { options.only = only.union(awaitedBySelected()) }
    var selected = plan
    let needed = try neededIDs()
    selected.steps.removeAll { step in
      !isSelected(step.ref)
        && !(step.action == .takeNew && step.id.map(needed.contains) == true)
    }
    selected.failures.removeAll { !isSelected($0.ref) }
    return selected
  }

  /// Returns the records that selected ones wait for: new records that they reference, and for
  /// deletes, the records whose references have to be removed first.
  private func awaitedBySelected() -> Set<RecordRef> {
    var steps: [RecordRef: [Plan.Step]] = [:]
    for step in plan.steps { steps[step.ref, default: []].append(step) }
    var awaited: Set<RecordRef> = []
    var open = plan.steps.map(\.ref).filter(isSelected)
    for failure in plan.failures where isSelected(failure.ref) {
      switch failure.reason {
      case .waits(let ref) where !gone.contains(ref), .waitsForRelease(let ref):
        if awaited.insert(ref).inserted { open.append(ref) }
      default: break
      }
    }
    while let ref = open.popLast() {
      let needed =
        (steps[ref] ?? []).flatMap(\.after) + (scan.entry(ref)?.waitsFor ?? [])
      open += needed.filter { awaited.insert($0).inserted }
    }
    return awaited
  }

  /// Returns the next plan that only settles something, or `nil` if nothing is left to settle.
  ///
  /// Broken sidecars come first. Writes are sent again only after all others are settled, and not if
  /// the server went back in time. Last, sidecars with another server's ids are removed: their records
  /// are new to this server, to be adopted or created. References follow a renamed record first, while
  /// its id is known.
  private mutating func planPreliminary() throws -> Plan? {
    let rebuilt = try planBrokenSidecars()
    if !rebuilt.isEmpty { return Plan(steps: rebuilt, isPreliminary: true) }
    settled = try UnconfirmedWritePlanner(
      source: source, scan: scan, remote: remote, sends: options.pushes
    ).plan(unconfirmed)
    let written = settled.settlements.filter { !$0.isSentAgain }
    if !written.isEmpty { return Plan(settlements: written, isPreliminary: true) }
    let foreign = foreign.filter { !except.contains($0.ref) }
    if settled.settlements.isEmpty, foreign.isEmpty { return nil }
    var main = self
    try main.run()
    let stops = main.plan.stops.filter { if case .serverWentBack = $0 { true } else { false } }
    if !stops.isEmpty { return Plan(stops: stops) }
    if !settled.settlements.isEmpty {
      return Plan(settlements: settled.settlements, isPreliminary: true)
    }
    let steps = foreign.map { entry in
      var step = Plan.Step(entry, entry.formerName == nil ? .rebuildSidecar : .moveSidecar)
      step.id = nil
      return step
    }
    return Plan(steps: steps, isPreliminary: true)
  }

  /// The records with ids that the server does not know, other than those that cannot be synced.
  private var foreign: [ScanEntry] {
    guard remote.kinds.values.contains(where: { !$0.unknown.isEmpty }) else { return [] }
    let states: Set<RecordState> = [.synced, .pendingUpdate, .conflict]
    return scan.entries.filter { entry in
      states.contains(entry.state)
        && entry.id.map { remote.kinds[entry.ref.kind]?.unknown.contains($0) ?? false } ?? false
    }
  }

  private func isSelected(_ ref: RecordRef) -> Bool {
    options.selects(ref) && !except.contains(ref)
  }

  /// Returns the ids that selected records of the server reference: what is new there comes along,
  /// so that no reference is left without its record.
  private func neededIDs() throws -> Set<String> {
    guard options.only != nil, options.pulls else { return [] }
    var ids: Set<String> = []
    for step in plan.steps where isSelected(step.ref) && !step.action.isRemote {
      let fields = step.ref.kind.schema.references
      guard !fields.isEmpty, let id = step.id,
        let change = remote.kinds[step.ref.kind]?.changed[id]
      else { continue }
      let record = try source.record(step.ref.kind, change)
      ids.formUnion(fields.compactMap { record.fields.wire[$0.wireKey]?.string })
    }
    return ids
  }

  private mutating func run() throws {
    for kind in EntityKind.writable {
      let hasChanges =
        remote.kinds[kind].map { !$0.changed.isEmpty || !$0.deleted.isEmpty } ?? false
      // Without changes on the server, only records with local changes need a decision.
      let entries = scan.entries
      let places = entries.indices.filter { place in
        entries[place].ref.kind == kind
          && (hasChanges || entries[place].state != .synced || entries[place].renamedFrom != nil
            || entries[place].isOutdated)
      }
      let unknown = unknown(kind)
      let adopted = try adopt(places, unknown, kind)
      if let ref = remote.kinds[kind]?.vanished, let had = scan.entry(ref)?.updatedAt {
        plan.stops.append(.serverWentBack(ref, had: had, has: nil))
      }
      plan.guardForeignIDs(foreign.filter { $0.ref.kind == kind }, scan)
      for place in places where adopted[entries[place].ref] == nil { try decide(entries[place]) }
      if options.pulls {
        // A record that an unconfirmed create may have made is pulled once the create is settled.
        let ids = settled.awaited.union(adopted.values)
        takeNew(unknown.filter { !ids.contains($0.id) }, kind)
      }
    }
    plan.failures += settled.failures
    for ref in scan.staleSidecars {
      plan.steps.append(Plan.Step(ScanEntry(ref: ref, state: .pendingDelete), .forget))
    }
    try referrers.checkDeletes(in: &plan)
    failWaiting()
    plan.steps.sort { Self.order($0) < Self.order($1) }
  }

  /// Replaces steps with failures if they would have to wait for a new record that is not created:
  /// writes that reference it, and deletes of what these writes no longer reference.
  private mutating func failWaiting() {
    let made = Set(
      plan.steps.lazy.filter { $0.action == .create || $0.action == .adopt }.map(\.ref))
    var missing: [RecordRef: [RecordRef]] = [:]
    for entry in scan.entries where !entry.waitsFor.allSatisfy(made.contains) {
      missing[entry.ref] = entry.waitsFor.filter { !made.contains($0) }
    }
    if missing.isEmpty { return }
    var failures: [RecordRef: SyncReport.Reason] = [:]
    for step in plan.steps where step.action == .create || step.action == .update {
      let kinds = Set(step.fields.fields(of: step.ref.kind).compactMap(\.referencedKind))
      guard let target = missing[step.ref]?.first(where: { kinds.contains($0.kind) }) else {
        continue
      }
      failures[step.ref] = .waits(for: target)
    }
    for step in plan.steps where step.action == .delete {
      guard let ref = step.after.first(where: { failures[$0] != nil }) else { continue }
      failures[step.ref] = .waitsForRelease(by: ref)
    }
    plan.steps.removeAll { $0.action.isRemote && failures[$0.ref] != nil }
    plan.failures += failures.sorted { $0.key < $1.key }.map { ref, reason in
      .init(ref: ref, reason: reason)
    }
  }

  /// Orders local steps first, and referenced records before referrers except in deletes.
  private static func order(_ step: Plan.Step) -> (Int, Int) {
    let kind = EntityKind.writable.firstIndex(of: step.ref.kind) ?? 0
    switch step.action {
    case .deleteLocally, .forget: return (1, -kind)
    case .create, .update: return (2, kind)
    case .delete: return (3, -kind)
    default: return (0, kind)
    }
  }

  // MARK: The branch table

  private enum OnServer {
    case unchanged
    case changed(RemoteChange)
    case deleted
  }

  private func onServer(_ entry: ScanEntry) -> OnServer {
    guard let id = entry.id, let kind = remote.kinds[entry.ref.kind] else { return .unchanged }
    if kind.deleted.contains(id) { return .deleted }
    // An earlier round or the answer to an unconfirmed write may already have brought this version.
    guard let change = kind.changed[id], change.keepsVersion || change.updatedAt != entry.updatedAt
    else {
      return .unchanged
    }
    return .changed(change)
  }

  private mutating func decide(_ entry: ScanEntry) throws {
    let onServer = onServer(entry)
    if case .changed(let change) = onServer,
      let stop = SafetyStop.wentBack(entry.ref, had: entry.updatedAt, has: change.updatedAt)
    {
      plan.stops.append(stop)
      return
    }
    // The next push tells first whether the server's count is this record's own.
    if let id = entry.id, settled.awaited.contains(id) { return }
    switch (entry.state, onServer) {
    // It is unknown what these contain, so neither side is changed.
    case (.unreadable, _), (.duplicateId, _):
      fail(entry)
    case (.notCheckedOut, _), (.draft, _):
      break

    // Missing locally, but nobody deleted it: write it again.
    case (.missing, _):
      returnMissing(entry, onServer)

    // Unchanged locally: take the server's changes and deletes.
    case (.synced, .unchanged) where entry.isOutdated:
      if options.pulls { try merge(entry, nil) }
    case (.synced, .unchanged):
      follow(entry)
    case (.synced, .changed(let change)):
      if options.pulls { try merge(entry, change) } else { follow(entry) }
    case (.synced, .deleted):
      deleteLocally(entry)

    // New locally: only a push does something.
    case (.pendingCreate, _):
      guard options.pushes, !settled.doubts.contains(entry.ref) else { break }
      if remote.hidesRecord(of: entry.ref.kind, from: scan) {
        // The record may be one that the server listed unreadably: it could be duplicated.
        plan.failures.append(.init(ref: entry.ref, reason: .mayBeHidden))
      } else {
        send(entry, .create)
      }

    // Changed locally: send it or merge it with the server's changes, never drop it.
    case (.pendingUpdate, .unchanged):
      follow(entry)
      if options.pushes { send(entry, .update) }
    case (.pendingUpdate, .changed(let change)):
      try merge(entry, change)
    case (.pendingUpdate, .deleted):
      record(entry, .deletedOnServer)

    // Deleted locally: delete it on the server unless the server has something newer.
    case (.pendingDelete, .unchanged):
      if isKnownToBeGone(entry) {
        plan.steps.append(Plan.Step(entry, .forget))
      } else if options.pushes {
        plan.steps.append(Plan.Step(entry, .delete))
      }
    case (.pendingDelete, .changed(let change)):
      settleDelete(entry, change)
    case (.pendingDelete, .deleted):
      plan.steps.append(Plan.Step(entry, .forget))

    // In conflict: sync the other fields and merge the server's changes.
    case (.conflict, _):
      try decideConflict(entry, onServer)
    }
  }

  /// Plans what happens to a missing record that nobody deleted, as far as is known.
  private mutating func returnMissing(_ entry: ScanEntry, _ onServer: OnServer) {
    // The record may be in a folder that could not be read.
    guard !scan.incompleteKinds.contains(entry.ref.kind) else { return }
    switch onServer {
    case .changed(let change): if options.pulls { bringBack(entry, change) }
    case .unchanged where !isKnownToBeGone(entry): if options.pulls { bringBack(entry, nil) }
    case .unchanged, .deleted: plan.steps.append(Plan.Step(entry, .forget))
    }
  }

  /// Returns whether the sidecar of a missing record says that it was deleted on the server.
  private func isKnownToBeGone(_ entry: ScanEntry) -> Bool {
    (try? source.sidecar(of: entry))?.conflict == .deletedOnServer
  }

  private mutating func decideConflict(_ entry: ScanEntry, _ onServer: OnServer) throws {
    switch (entry.conflict, onServer) {
    case (.fields, .unchanged) where entry.isOutdated && options.pulls:
      try merge(entry, nil)
    case (.fields, .unchanged) where !entry.isOutdated && isSettledByHand(entry):
      try merge(entry, nil)
    case (.fields, .unchanged):
      noteOpenConflict(entry)
      follow(entry)
      if options.pushes, !entry.changes.isEmpty { send(entry, .update) }
    case (.fields, .changed(let change)):
      try merge(entry, change)
    case (.fields, .deleted):
      record(entry, .deletedOnServer)
    case (.deletedLocally, .deleted):
      plan.steps.append(Plan.Step(entry, .forget))
    case (.deletedLocally, .changed(let change)):
      record(entry, .deletedLocally, change)
    case (.deletedOnServer, .changed(let change)):
      // The server has the record again, so it can be merged.
      try merge(entry, change)
    case (.deletedLocally, .unchanged), (.deletedOnServer, _), (nil, _):
      noteOpenConflict(entry)
      follow(entry)
    }
  }

  /// Returns whether a file says the same as the server by now in a field that is in conflict.
  private func isSettledByHand(_ entry: ScanEntry) -> Bool {
    guard !entry.hasErrors, let file = try? source.file(entry.ref),
      let sidecar = try? source.sidecar(of: entry)
    else { return false }
    let differing = Set(
      file.reading(references: references, sidecar: sidecar).changes(from: sidecar.base)
        .map(\.wireKey))
    return !sidecar.conflictingKeys.allSatisfy(differing.contains)
  }

  // MARK: Steps

  private mutating func fail(_ entry: ScanEntry) {
    for problem in entry.problems where problem.severity == .error {
      plan.failures.append(.init(ref: entry.ref, reason: .problem(problem)))
    }
  }

  private mutating func follow(_ entry: ScanEntry) {
    guard entry.formerName != nil else { return }
    plan.steps.append(Plan.Step(entry, .moveSidecar))
  }

  private mutating func send(_ entry: ScanEntry, _ action: Plan.Action) {
    guard !entry.hasErrors else { return fail(entry) }
    var step = Plan.Step(entry, action)
    step.fields = entry.changes
    addSent(step, of: entry)
  }

  /// Adds a step that sends fields, unless one of them references a record that the server deleted:
  /// its id is not valid there, and it gets a new one if it is created again.
  private mutating func addSent(_ step: Plan.Step, of entry: ScanEntry) {
    let kinds = Set(step.fields.fields(of: entry.ref.kind).compactMap(\.referencedKind))
    if let target = entry.targets.first(where: { kinds.contains($0.kind) && gone.contains($0) }) {
      plan.failures.append(.init(ref: entry.ref, reason: .waits(for: target)))
      return
    }
    var step = step
    step.sidecarHasFollowed()
    plan.steps.append(step)
  }

  private mutating func record(
    _ entry: ScanEntry, _ conflict: ConflictKind, _ change: RemoteChange? = nil
  ) {
    if conflict == .deletedOnServer { gone.insert(entry.ref) }
    plan.steps.append(Plan.Step(entry, .recordConflict(conflict), change))
  }

  private mutating func noteOpenConflict(_ entry: ScanEntry) {
    if entry.conflict == .deletedOnServer { gone.insert(entry.ref) }
    let fields = (try? source.sidecar(of: entry).conflictingFields) ?? []
    plan.openConflicts.append(.init(ref: entry.ref, fields: fields.map(\.key)))
  }

  /// Merges the fields if the server or both sides changed, and sends the remaining local changes.
  ///
  /// - Parameter change: the server's change; `nil` if the sidecar has its current version.
  private mutating func merge(_ entry: ScanEntry, _ change: RemoteChange?) throws {
    guard !entry.hasErrors else { return fail(entry) }
    let file: RecordFile
    let sidecar: Sidecar
    do throws(Problem) {
      file = try source.file(entry.ref)
      sidecar = try source.sidecar(of: entry)
    } catch {
      plan.failures.append(.init(ref: entry.ref, reason: .problem(error)))
      return
    }
    let record =
      try change.map { try source.record(entry.ref.kind, $0) } ?? sidecar.record
    let merged = source.merge(
      file, sidecar, with: record, by: decider, references, isOutdated: entry.isOutdated)
    let kind = entry.ref.kind
    let isSame = merged.outcome.taken.isEmpty && merged.outcome.conflicts.isEmpty
    var step = Plan.Step(entry, isSame ? .rebase : .merge, change)
    step.fields = FieldSet(merged.outcome.taken, of: kind)
    step.conflicts = FieldSet(merged.sidecar.conflictingFields, of: kind)
    step.overridden = merged.outcome.overridden.map { .init(entry.ref, $0) }
    step.updatedAt = record.updatedAt
    step.isMerged = !merged.outcome.taken.isEmpty && !merged.outcome.pending.isEmpty
    plan.steps.append(step)
    if options.pushes, !merged.outcome.pending.isEmpty {
      var update = Plan.Step(entry, .update)
      update.fields = FieldSet(merged.outcome.pending, of: kind)
      update.updatedAt = record.updatedAt
      addSent(update, of: entry)
    }
  }

  private mutating func deleteLocally(_ entry: ScanEntry) {
    // A record that an edited story still references is not removed. A push removes none at all.
    if referrers.local(entry).allSatisfy({ !$0.isPending }) {
      if options.pulls { plan.steps.append(Plan.Step(entry, .deleteLocally)) }
    } else {
      record(entry, .deletedOnServer)
    }
  }

  private mutating func settleDelete(_ entry: ScanEntry, _ change: RemoteChange) {
    switch entry.isDeleteStated ? .local : decider.deletedLocally(entry.ref.kind) {
    case .remote:
      bringBack(entry, change)
    case .local:
      guard options.pushes else { return }
      var step = Plan.Step(entry, .delete, change)
      if let base = (try? source.sidecar(of: entry))?.base,
        let current = try? source.record(entry.ref.kind, change)
      {
        step.overridden = SyncReport.Overridden.delete(
          of: entry.ref, from: base, to: current.fields)
      }
      plan.steps.append(step)
    case .undecided:
      record(entry, .deletedLocally, change)
    }
  }

  /// Writes a missing record again, from the server's change or else from the base.
  private mutating func bringBack(_ entry: ScanEntry, _ change: RemoteChange?) {
    plan.steps.append(Plan.Step(entry, .bringBack, change))
    references.add(entry.ref, id: entry.id)
  }

  // MARK: Records that are new on the server

  /// Returns the server's records of a kind that no sidecar references, in order of creation.
  private func unknown(_ kind: EntityKind) -> [RemoteChange] {
    (remote.kinds[kind]?.changed ?? [:]).values.filter { !scan.isNamed($0.id, of: kind) }
      .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  /// Matches new local records with equal ones on the server, one to one.
  ///
  /// - Returns: the adopted ids by record.
  private mutating func adopt(
    _ places: [Int], _ unknown: [RemoteChange], _ kind: EntityKind
  ) throws -> [RecordRef: String] {
    if unknown.isEmpty { return [:] }
    let new = places.filter { scan.entries[$0].state == .pendingCreate }
    guard !new.isEmpty else { return [:] }
    // The remaining candidates of each hash, oldest last.
    var candidates: [Int: [RemoteChange]] = [:]
    for change in unknown.reversed() {
      let fields = try source.record(kind, change).fields
      candidates[fields.hashValue, default: []].append(change)
    }
    var adopted: [RecordRef: String] = [:]
    for place in new {
      let entry = scan.entries[place]
      guard let file = try? source.file(entry.ref) else { continue }
      let reading = file.reading(references: references, sidecar: nil)
      guard reading.unknown.isEmpty, reading.pending.isEmpty, reading.malformed.isEmpty,
        let equal = candidates[reading.values.hashValue]?.last,
        try source.record(kind, equal).fields == reading.values
      else { continue }
      candidates[reading.values.hashValue]?.removeLast()
      plan.steps.append(Plan.Step(entry, .adopt, equal))
      adopted[entry.ref] = equal.id
      references.add(entry.ref, id: equal.id)
    }
    return adopted
  }

  private mutating func takeNew(_ unknown: [RemoteChange], _ kind: EntityKind) {
    // The sidecar of a record that seems new may be in a folder that could not be read.
    guard !unknown.isEmpty, !scan.incompleteKinds.contains(kind) else { return }
    var taken = scan.takenNames(of: kind, adding: unknown.count)
    let known = takeKnownNames(of: kind, &taken)
    for change in unknown {
      let name = known[change.id] ?? Slug.free(change.slug, id: change.id, &taken)
      let ref = RecordRef(kind: kind, name: name)
      plan.steps.append(Plan.Step(ScanEntry(ref: ref, state: .synced), .takeNew, change))
      references.add(ref, id: change.id)
    }
  }

  /// Returns, by id, the still free names of records whose file and sidecar both disappeared.
  private func takeKnownNames(
    of kind: EntityKind, _ taken: inout Set<String>
  ) -> [String: String] {
    var names: [String: String] = [:]
    for pair in scan.missingPairs
    where pair.ref.kind == kind && remote.kinds[kind]?.changed[pair.id] != nil {
      if taken.insert(Slug.collisionKey(pair.ref.name)).inserted { names[pair.id] = pair.ref.name }
    }
    return names
  }
}

extension Slug {
  /// Returns a name for a new record: its slug, with a suffix if the name is taken.
  ///
  /// - Parameter taken: the collision keys of taken names; gets that of the new one.
  package static func free(
    _ slug: String, in folder: String = "", id: String, _ taken: inout Set<String>
  ) -> String {
    var name = Path.join(folder, slug)
    var attempt = 0
    while !taken.insert(collisionKey(name)).inserted {
      name = Path.join(folder, distinguished(slug, id: id, attempt: attempt))
      attempt += 1
    }
    return name
  }
}
