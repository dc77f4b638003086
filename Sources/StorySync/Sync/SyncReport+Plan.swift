import StoryLibrary
import StoryMerge

extension SyncReport {
  /// Notes what a plan knows before anything is done: what cannot take part, what already waits.
  mutating func note(_ plan: Plan) {
    failed += plan.failures.map {
      .init(
        ref: $0.ref, message: $0.problem.message, hint: $0.problem.hint, problem: $0.problem)
    }
    conflicts += plan.openConflicts.map { .init(ref: $0.ref, fields: $0.fields) }
  }

  /// Fills the report with what a plan would do.
  ///
  /// - Parameter all: whether the steps count too, not only what waits or fails.
  mutating func predict(_ plan: Plan, all: Bool) {
    note(plan)
    guard all else { return }
    for step in plan.steps {
      let ref = step.ref
      if let old = step.renamedFrom, old != ref { renamed.append((from: old, to: ref)) }
      let fields = step.fields.fields(of: ref.kind).map(\.key)
      switch step.action {
      case .takeNew, .bringBack: receivedNew.append(ref)
      case .merge, .rebase:
        if !fields.isEmpty {
          receivedChanges.append((ref: ref, fields: fields))
          if step.isMerged { merged.append(ref) }
        }
        let waiting = step.conflicts.fields(of: ref.kind).map(\.key)
        if !waiting.isEmpty { conflicts.append(.init(ref: ref, fields: waiting)) }
        overridden += step.overridden.map {
          .init(ref: ref, field: $0.field, kept: $0.keptRemote ? "server" : "local")
        }
      case .removeHere: receivedDeletes.append(ref)
      case .adopt: adopted.append(ref)
      case .recordConflict: conflicts.append(.init(ref: ref, fields: []))
      case .create: created.append(ref)
      case .update: updated.append((ref: ref, fields: fields))
      case .delete: deleted.append(ref)
      case .forget, .moveSidecar: break
      }
    }
  }
}
