import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

/// Decides what a sync does: a function of what the scan found, what the server listed and the
/// strategies, without clock, network or a write.
///
/// One branch table decides for every record, see ``decide(_:)``; the rest of this type finds
/// records that are new on the server and puts the steps in order.
struct Planner {
  /// Which way changes go.
  struct Direction: Sendable, Hashable {
    var pulls: Bool
    var pushes: Bool
  }

  let scan: Scan
  let remote: RemoteState
  let source: any RecordSource
  let decider: Decider
  let direction: Direction

  private var references: ReferenceTable
  private var plan = Plan()
  private var namers: Namers

  init(
    scan: Scan, remote: RemoteState, source: any RecordSource, decider: Decider,
    direction: Direction
  ) {
    self.scan = scan
    self.remote = remote
    self.source = source
    self.decider = decider
    self.direction = direction
    references = scan.references
    namers = Namers(scan: scan, remote: remote, source: source)
  }

  /// Makes the plan.
  static func plan(
    scan: Scan, remote: RemoteState, source: any RecordSource, decider: Decider,
    direction: Direction, maximumDeletes: Int? = nil
  ) throws -> Plan {
    var planner = Planner(
      scan: scan, remote: remote, source: source, decider: decider, direction: direction)
    try planner.run()
    DeleteGuard(maximum: maximumDeletes).check(scan, &planner.plan)
    return planner.plan
  }

  private mutating func run() throws {
    var next = scan.entries[...]
    for kind in EntityKind.writable {
      let count = next.prefix { $0.ref.kind == kind }.count
      let entries = next.prefix(count)
      next = next.dropFirst(count)
      let adopted = try adopt(entries, of: kind)
      if direction.pushes {
        let new = entries.indices.count { entries[$0].state == .pendingCreate }
        plan.steps.reserveCapacity(plan.steps.count + new)
      }
      let hasNews = remote.kinds[kind].map { !$0.changed.isEmpty || !$0.deleted.isEmpty } ?? false
      for place in entries.indices {
        // Most records are as they were on both sides, and need not be looked at more closely.
        if !hasNews, entries[place].state == .synced, entries[place].isPlain { continue }
        if adopted[entries[place].ref] == nil { try decide(entries[place]) }
      }
      if direction.pulls { try takeNew(kind, adopted: Set(adopted.values)) }
    }
    for ref in scan.staleSidecars {
      plan.steps.append(Plan.Step(ScanEntry(ref: ref, state: .pendingDelete), .forget))
    }
    try namers.checkDeletes(in: &plan)
    plan.steps.sort { Self.order($0) < Self.order($1) }
  }

  /// Here before there; what is named before what names it, and the other way round for deletes.
  private static func order(_ step: Plan.Step) -> (Int, Int) {
    let kind = EntityKind.writable.firstIndex(of: step.ref.kind) ?? 0
    switch step.action {
    case .removeHere, .forget: return (1, -kind)
    case .create, .update: return (2, kind)
    case .delete: return (3, -kind)
    default: return (0, kind)
    }
  }

  // MARK: The branch table

  /// How the server stands to a record that has a sidecar.
  private enum There {
    case unchanged
    case changed(RemoteState.Entry)
    case deleted
  }

  private func there(_ entry: ScanEntry) -> There {
    guard let id = entry.id, let kind = remote.kinds[entry.ref.kind] else { return .unchanged }
    if kind.deleted.contains(id) { return .deleted }
    // What an earlier round or the answer to a lost write has brought is no news any more.
    guard let news = kind.changed[id], news.keepsVersion || news.updatedAt != entry.updatedAt else {
      return .unchanged
    }
    return .changed(news)
  }

  private mutating func decide(_ entry: ScanEntry) throws {
    let there = there(entry)
    if case .changed(let news) = there, let had = entry.updatedAt.flatMap({ ServerDate($0) }),
      let has = ServerDate(news.updatedAt), has < had
    {
      plan.stops.append(.serverWentBack(entry.ref, had: had.text, has: has.text))
      return
    }
    switch (entry.state, there) {
    // Nobody can tell what these hold: they are left alone on both sides.
    case (.unreadable, _), (.duplicateId, _):
      fail(entry)
    case (.notCheckedOut, _):
      break

    // Unchanged here: the server's news come, and its deletes.
    case (.synced, .unchanged):
      follow(entry)
    case (.synced, .changed(let news)):
      if direction.pulls { try merge(entry, news) } else { follow(entry) }
    case (.synced, .deleted):
      if direction.pulls { removeHere(entry) }

    // New here: only a push has something to say.
    case (.pendingCreate, _):
      guard direction.pushes else { break }
      if remote.hidesRecord(of: entry.ref.kind, from: scan) {
        waitForHidden(entry)
      } else {
        send(entry, .create)
      }

    // Changed here: sent, merged with what changed there, never dropped.
    case (.pendingUpdate, .unchanged):
      follow(entry)
      if direction.pushes { send(entry, .update) }
    case (.pendingUpdate, .changed(let news)):
      try merge(entry, news)
    case (.pendingUpdate, .deleted):
      record(entry, .deletedOnServer)

    // Gone here: gone there, unless the server has something newer.
    case (.pendingDelete, .unchanged):
      if isKnownToBeGone(entry) {
        plan.steps.append(Plan.Step(entry, .forget))
      } else if direction.pushes {
        plan.steps.append(Plan.Step(entry, .delete))
      }
    case (.pendingDelete, .changed(let news)):
      settleDelete(entry, news)
    case (.pendingDelete, .deleted):
      plan.steps.append(Plan.Step(entry, .forget))

    // Waiting for a person: other fields go on, and news are taken in.
    case (.conflict, _):
      try decideConflict(entry, there)
    }
  }

  /// Whether the sidecar of a record that is gone here says that it was deleted there.
  private func isKnownToBeGone(_ entry: ScanEntry) -> Bool {
    let sidecar = try? source.sidecar(of: entry.ref, at: entry.renamedFrom ?? entry.ref)
    return sidecar?.conflict == .deletedOnServer
  }

  private mutating func decideConflict(_ entry: ScanEntry, _ there: There) throws {
    switch (entry.conflict, there) {
    case (.fields, .unchanged):
      try noteOpenConflict(entry)
      follow(entry)
      if direction.pushes, !entry.changes.isEmpty { send(entry, .update) }
    case (.fields, .changed(let news)):
      try merge(entry, news)
    case (.fields, .deleted):
      record(entry, .deletedOnServer)
    case (.deletedHere, .deleted):
      plan.steps.append(Plan.Step(entry, .forget))
    case (.deletedHere, .changed(let news)):
      record(entry, .deletedHere, news)
    case (.deletedOnServer, .changed(let news)):
      // It is there again, so there is something to merge with.
      try merge(entry, news)
    case (.deletedHere, .unchanged), (.deletedOnServer, _), (nil, _):
      try noteOpenConflict(entry)
      follow(entry)
    }
  }

  // MARK: Steps

  private mutating func fail(_ entry: ScanEntry) {
    for problem in entry.problems where problem.severity == .error {
      plan.failures.append(Plan.Failure(ref: entry.ref, problem: problem))
    }
  }

  /// Nobody can tell whether a new record is the one that the server showed in no form that makes
  /// sense; made now, it might be there twice.
  private mutating func waitForHidden(_ entry: ScanEntry) {
    plan.failures.append(
      Plan.Failure(
        ref: entry.ref,
        problem: Problem(
          .refused, file: entry.ref.path,
          message: "not created: it may be the record on the server that could not be understood",
          hint:
            "new \(entry.ref.kind.rawValue) wait until the server's list can be read; see whether"
            + " server and program fit together: stories doctor")))
  }

  /// The sidecar goes after a renamed record, in whatever direction changes go.
  private mutating func follow(_ entry: ScanEntry) {
    guard let old = entry.renamedFrom, old != entry.ref else { return }
    plan.steps.append(Plan.Step(entry, .moveSidecar))
  }

  private mutating func send(_ entry: ScanEntry, _ action: Plan.Action) {
    guard !entry.hasErrors else { return fail(entry) }
    var step = Plan.Step(entry, action)
    step.fields = entry.changes
    step.sidecarHasFollowed()
    plan.steps.append(step)
  }

  private mutating func record(
    _ entry: ScanEntry, _ conflict: ConflictKind, _ news: RemoteState.Entry? = nil
  ) {
    var step = Plan.Step(entry, .recordConflict(conflict))
    step.location = news?.location
    step.updatedAt = news?.updatedAt ?? entry.updatedAt
    plan.steps.append(step)
  }

  private mutating func noteOpenConflict(_ entry: ScanEntry) throws {
    let keys =
      try? source.sidecar(of: entry.ref, at: entry.renamedFrom ?? entry.ref).conflictingKeys
    let fields = entry.ref.kind.schema.fields.filter { (keys ?? []).contains($0.wireKey) }
    plan.openConflicts.append(Plan.OpenConflict(ref: entry.ref, fields: fields.map(\.key)))
  }

  /// Both sides changed, or only the server: the fields come together, and what is left is sent.
  private mutating func merge(_ entry: ScanEntry, _ news: RemoteState.Entry) throws {
    guard !entry.hasErrors else { return fail(entry) }
    let file: RecordFile
    let sidecar: Sidecar
    do throws(Problem) {
      file = try source.file(entry.ref)
      sidecar = try source.sidecar(of: entry.ref, at: entry.renamedFrom ?? entry.ref)
    } catch {
      plan.failures.append(Plan.Failure(ref: entry.ref, problem: error))
      return
    }
    let record = try source.record(entry.ref.kind, news)
    let merger = RecordMerger(
      decider: decider, references: references, modified: { [source] in source.modified(entry.ref) }
    )
    let merged = merger.merge(file: file, sidecar: sidecar, remote: record)
    let kind = entry.ref.kind
    var step = Plan.Step(
      entry, merged.outcome.taken.isEmpty && merged.outcome.conflicts.isEmpty ? .rebase : .merge)
    step.fields = FieldSet(merged.outcome.taken, of: kind)
    step.conflicts = FieldSet(
      kind.schema.fields.filter { merged.sidecar.conflictingKeys.contains($0.wireKey) }, of: kind)
    step.overridden = merged.outcome.overridden.map {
      Plan.Overridden(field: $0.field.key, keptRemote: $0.keptRemote)
    }
    step.location = news.location
    step.updatedAt = news.updatedAt
    step.isMerged = !merged.outcome.taken.isEmpty && !merged.outcome.pending.isEmpty
    plan.steps.append(step)
    if direction.pushes, !merged.outcome.pending.isEmpty {
      var update = Plan.Step(entry, .update)
      update.fields = FieldSet(merged.outcome.pending, of: kind)
      update.updatedAt = news.updatedAt
      update.sidecarHasFollowed()
      plan.steps.append(update)
    }
  }

  private mutating func removeHere(_ entry: ScanEntry) {
    // A record that an edited story still names does not vanish under it.
    if namers.here(entry).allSatisfy({ !$0.isPending }) {
      plan.steps.append(Plan.Step(entry, .removeHere))
    } else {
      record(entry, .deletedOnServer)
    }
  }

  private mutating func settleDelete(_ entry: ScanEntry, _ news: RemoteState.Entry) {
    switch entry.isDeleteStated ? .local : decider.deletedHere(entry.ref.kind) {
    case .remote:
      var step = Plan.Step(entry, .bringBack)
      step.location = news.location
      step.updatedAt = news.updatedAt
      plan.steps.append(step)
      references.add(entry.ref, id: entry.id)
    case .local:
      guard direction.pushes else { return }
      var step = Plan.Step(entry, .delete)
      step.location = news.location
      step.updatedAt = news.updatedAt
      plan.steps.append(step)
    case .undecided:
      record(entry, .deletedHere, news)
    }
  }

  // MARK: Records that are new on the server

  /// The server's records that no sidecar names, in the order in which they were made: their places
  /// in the news.
  private func unknown(in news: RemoteNews, _ kind: EntityKind) -> [Int32] {
    news.places(by: .creation) { !scan.isNamed($0, of: kind) }
  }

  /// Matches new records here with equal ones on the server, one to one; returns the ids by record.
  private mutating func adopt(
    _ entries: ArraySlice<ScanEntry>, of kind: EntityKind
  ) throws -> [RecordRef: String] {
    guard let news = remote.kinds[kind]?.changed, !news.isEmpty,
      entries.contains(where: { $0.state == .pendingCreate })
    else { return [:] }
    let unknown = unknown(in: news, kind)
    guard !unknown.isEmpty else { return [:] }
    // The first of those whose fields have a sum, and for each of them the next one.
    var first: [Int: Int32] = [:]
    var next = [Int32?](repeating: nil, count: unknown.count)
    for index in unknown.indices.reversed() {
      let values = try source.record(kind, news.entry(at: Int(unknown[index]))).fields
      next[index] = first.updateValue(Int32(index), forKey: values.hashValue)
    }
    var adopted: [RecordRef: String] = [:]
    for entry in entries where entry.state == .pendingCreate {
      guard let file = try? source.file(entry.ref) else { continue }
      let reading = file.reading(references: references, sidecar: nil)
      guard reading.unknown.isEmpty, reading.pending.isEmpty, reading.malformed.isEmpty,
        let index = first[reading.values.hashValue].map({ Int($0) })
      else { continue }
      let equal = news.entry(at: Int(unknown[index]))
      guard try source.record(kind, equal).fields == reading.values else { continue }
      first[reading.values.hashValue] = next[index]
      var step = Plan.Step(entry, .adopt)
      step.id = equal.id
      step.location = equal.location
      step.updatedAt = equal.updatedAt
      plan.steps.append(step)
      adopted[entry.ref] = equal.id
      references.add(entry.ref, id: equal.id)
    }
    return adopted
  }

  /// The names that the titles of records ask for: each is read once, on two threads.
  private func slugs(
    of places: [Int32], in news: RemoteNews, _ kind: EntityKind
  ) throws -> [String] {
    let source = source
    let parts = Parallel.inParts(of: places.count, threads: 2) { range in
      Result {
        try places[range].map { place in
          let title = try source.record(kind, news.entry(at: Int(place))).fields.title ?? ""
          return Slug.make(title, fallback: kind.schema.noun)
        }
      }
    }
    return try parts.flatMap { try $0.get() }
  }

  private mutating func takeNew(_ kind: EntityKind, adopted: Set<String>) throws {
    guard let news = remote.kinds[kind]?.changed else { return }
    let unknown = unknown(in: news, kind)
    guard unknown.count > adopted.count else { return }
    plan.steps.reserveCapacity(plan.steps.count + unknown.count)
    var taken = scan.takenNames(of: kind, adding: unknown.count)
    for (place, slug) in zip(unknown, try slugs(of: unknown, in: news, kind)) {
      let entry = news.entry(at: Int(place))
      if adopted.contains(entry.id) { continue }
      var name = slug
      var attempt = 0
      while !taken.insert(Slug.collisionKey(name)).inserted {
        name = Slug.distinguished(slug, id: entry.id, attempt: attempt)
        attempt += 1
      }
      var step = Plan.Step(
        ref: RecordRef(kind: kind, name: name), action: .takeNew, id: entry.id,
        updatedAt: entry.updatedAt)
      step.location = entry.location
      plan.steps.append(step)
      references.add(step.ref, id: entry.id)
    }
  }
}
