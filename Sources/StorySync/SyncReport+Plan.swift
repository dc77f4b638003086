import StoryLibrary
import StoryMerge

extension SyncReport {
  /// Returns the report of a sync that did not begin.
  static func stopped(by stop: SafetyStop, _ options: SyncOptions) -> SyncReport {
    var report = SyncReport()
    report.isDryRun = options.isDryRun
    report.stops = [stop]
    return report
  }

  /// Adds what a plan knows before anything is done: failures and open conflicts.
  mutating func note(_ plan: Plan) {
    failed += plan.failures
    // The answer to a write that was sent again may have been one.
    let known = Set(conflicts.map(\.ref))
    conflicts += plan.openConflicts.filter { !known.contains($0.ref) }
  }

  /// Records which records are on the server but missing locally after a sync; those of `pairs` are
  /// missing together with their sidecars.
  mutating func noteLeft(_ pairs: [Scan.SeenPair], _ scan: Scan) {
    let gone = pairs.filter { !$0.isTakenByGit && !scan.isNamed($0.id, of: $0.ref.kind) }.map(\.ref)
    left = (gone + scan.refs(.missing)).sorted()
  }

  /// Fills the report with the expected results of a plan; without its steps if it has to stop.
  mutating func predict(_ plan: Plan) {
    note(plan)
    guard plan.stops.isEmpty else { return }
    for step in plan.steps {
      note(step)
      let ref = step.ref
      let fields = step.fields.fields(of: ref.kind).map(\.key)
      switch step.action {
      case .merge, .rebase:
        if !fields.isEmpty {
          receivedChanges.append((ref: ref, fields: fields))
          if step.isMerged { merged.append(ref) }
        }
        let waiting = step.conflicts.fields(of: ref.kind).map(\.key)
        if !waiting.isEmpty { conflicts.append(.init(ref: ref, fields: waiting)) }
        overridden += step.overridden
      case .create: created.append(ref)
      case .update: updated.append((ref: ref, fields: fields))
      case .delete:
        deleted.append(ref)
        overridden += step.overridden
      default: break
      }
    }
  }

  /// Adds what a step does to a local record, apart from a merge's fields.
  mutating func note(_ step: Plan.Step) {
    if let old = step.formerName { renamed.append((from: old, to: step.ref)) }
    switch step.action {
    case .takeNew, .bringBack: receivedNew.append(step.ref)
    case .deleteLocally: receivedDeletes.append(step.ref)
    case .adopt: adopted.append(step.ref)
    case .recordConflict: conflicts.append(.init(ref: step.ref, fields: []))
    case .rebuildSidecar: if step.id != nil { rebuilt.append(step.ref) }
    case .merge, .rebase, .forget, .moveSidecar, .create, .update, .delete: break
    }
  }

  /// Adds the server's unreadable records as failures, under their local names or their ids.
  mutating func noteMalformed(_ remote: RemoteState, _ scan: Scan) {
    for kind in EntityKind.writable {
      failed += (remote.kinds[kind]?.malformed ?? []).map { id, error in
        let entry = id.flatMap { scan.entry(id: $0, of: kind) }
        let name = id.flatMap { !$0.contains("/") && RecordRef.isWellFormed($0) ? $0 : nil }
        return Failure(
          ref: entry?.ref ?? RecordRef(kind: kind, name: name ?? "unnamed"),
          reason: .malformed(error))
      }
    }
  }

  /// Counts what a sync in one direction leaves for the other.
  mutating func noteRemaining(
    _ remote: RemoteState, _ scan: Scan, _ plan: Plan, _ options: SyncOptions
  ) {
    let planned = Set(plan.steps.map(\.ref))
    func isLeft(_ entry: ScanEntry) -> Bool {
      options.selects(entry.ref) && !planned.contains(entry.ref)
    }
    if !options.pushes {
      let pending: Set<RecordState> = [.pendingCreate, .pendingUpdate, .pendingDelete]
      remaining = scan.entries.count { pending.contains($0.state) && isLeft($0) }
    } else if !options.pulls {
      let adopted = Set(plan.steps.lazy.filter { $0.action == .adopt }.compactMap(\.id))
      for (kind, found) in remote.kinds {
        remaining += found.deleted.count { scan.entry(id: $0, of: kind).map(isLeft) ?? false }
        remaining += found.changed.values.count { change in
          if let entry = scan.entry(id: change.id, of: kind) {
            return isLeft(entry) && entry.state == .synced && change.updatedAt != entry.updatedAt
          }
          // It may be where nothing can be read.
          return options.only == nil && !scan.incompleteKinds.contains(kind)
            && !scan.isNamed(change.id, of: kind) && !adopted.contains(change.id)
        }
      }
    }
  }

  /// Records the server's differences from the sidecars; the plan names the new records.
  mutating func noteRemoteChanges(_ remote: RemoteState, _ scan: Scan, _ plan: Plan) {
    for (kind, found) in remote.kinds {
      for id in found.deleted {
        if let entry = scan.entry(id: id, of: kind) { remoteChanges[entry.ref] = .deleted }
      }
      for change in found.changed.values {
        guard let entry = scan.entry(id: change.id, of: kind) else { continue }
        if change.keepsVersion || change.updatedAt != entry.updatedAt {
          remoteChanges[entry.ref] = .changed
        }
      }
    }
    for step in plan.steps where step.action == .takeNew || step.action == .adopt {
      remoteChanges[step.ref] = .created
    }
  }
}
