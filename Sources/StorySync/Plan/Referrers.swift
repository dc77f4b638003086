import JSONText
public import StoryLibrary

/// Finds the records that reference others, such as the stories of a hero or of an event.
///
/// A server deletes a hero's stories together with the hero, and clears an event from its stories.
/// So neither may be deleted while records reference it, even ones in conflict or not yet pulled.
struct Referrers {
  struct Referrer {
    var ref: RecordRef
    /// Whether the record has changes that the server does not have.
    var isPending: Bool
  }

  let scan: Scan
  let remote: RemoteState
  let source: any RecordSource
  private(set) var localReferrers: [ScanEntry.Key: [Referrer]]?

  // MARK: Local records

  /// Returns the local referrers of the record of `entry`. Files are read once, at the first call.
  mutating func local(_ entry: ScanEntry) -> [Referrer] {
    guard let key = entry.key, ReferenceTable.kinds.contains(key.kind) else { return [] }
    if localReferrers == nil { localReferrers = findLocal() }
    return localReferrers?[key] ?? []
  }

  private func findLocal() -> [ScanEntry.Key: [Referrer]] {
    var result: [ScanEntry.Key: [Referrer]] = [:]
    for entry in scan.entries where entry.hasRecord {
      let fields = entry.ref.kind.schema.references
      guard !fields.isEmpty, let file = try? source.file(entry.ref) else { continue }
      let sidecar = try? source.sidecar(of: entry)
      let values = file.reading(references: scan.references, sidecar: sidecar).values
      for field in fields {
        guard let kind = field.referencedKind, let id = values[field]?.string else { continue }
        result[ScanEntry.Key(kind: kind, id: id), default: []].append(
          Referrer(ref: entry.ref, isPending: entry.state != .synced))
      }
    }
    return result
  }

  // MARK: On the server

  /// Checks the plan's deletes on the server. A delete of a record that would still be referenced
  /// is replaced with a stop; the others wait for the steps that remove the references.
  mutating func checkDeletes(in plan: inout Plan) throws {
    let deletes = plan.steps.filter {
      $0.action == .delete && ReferenceTable.kinds.contains($0.ref.kind)
    }
    guard !deletes.isEmpty else { return }
    let remoteReferrers = try findRemote(plan)
    let going = Set(plan.steps.lazy.filter { $0.action == .deleteLocally }.map(\.ref))
    for delete in deletes {
      guard let entry = scan.entry(delete.ref), let id = delete.id else { continue }
      let named =
        remoteReferrers[ScanEntry.Key(kind: delete.ref.kind, id: id)] ?? (staying: [], leaving: [])
      // Records deleted on the server are removed locally too, so they do not count.
      let staying = Set(local(entry).map(\.ref)).subtracting(going).union(named.staying).sorted()
      if staying.isEmpty {
        for index in plan.steps.indices where plan.steps[index].ref == delete.ref {
          plan.steps[index].after = named.leaving
        }
      } else {
        plan.steps.removeAll { $0.ref == delete.ref && $0.action == .delete }
        plan.stops.append(.stillNamed(delete.ref, by: staying))
      }
    }
  }

  private typealias Named = (staying: [RecordRef], leaving: [RecordRef])

  /// Returns the referrers on the server: those that remain, and those that the plan removes.
  private func findRemote(_ plan: Plan) throws -> [ScanEntry.Key: Named] {
    var result: [ScanEntry.Key: Named] = [:]
    let deleted = Set(plan.steps.lazy.filter { $0.action == .delete }.map(\.ref))
    var updated: [RecordRef: FieldSet] = [:]
    for step in plan.steps where step.action == .update { updated[step.ref] = step.fields }
    for entry in scan.entries {
      let fields = entry.ref.kind.schema.references
      guard !fields.isEmpty, let id = entry.id, let found = remote.kinds[entry.ref.kind],
        !found.deleted.contains(id),
        let sidecar = try? source.sidecar(of: entry)
      else { continue }
      let values = try found.changed[id].map { try source.record(entry.ref.kind, $0).fields }
      let sent = updated[entry.ref]?.fields(of: entry.ref.kind) ?? []
      for field in fields {
        guard let kind = field.referencedKind,
          let target = (values ?? sidecar.base)[field]?.string
        else { continue }
        if deleted.contains(entry.ref) || sent.contains(field) {
          result[ScanEntry.Key(kind: kind, id: target), default: ([], [])].leaving.append(entry.ref)
        } else {
          result[ScanEntry.Key(kind: kind, id: target), default: ([], [])].staying.append(entry.ref)
        }
      }
    }
    try addUnseen(to: &result, plan)
    return result
  }

  /// Adds records that only the server has and that the plan may be about to pull.
  private func addUnseen(to result: inout [ScanEntry.Key: Named], _ plan: Plan) throws {
    let known = Set(scan.entries.compactMap(\.id))
    // Only the server's record says which record a sidecar with several ids belongs to.
    var taken: [String: RecordRef] = [:]
    for step in plan.steps where step.action == .takeNew || step.action == .adopt {
      if let id = step.id { taken[id] = step.ref }
    }
    for (kind, found) in remote.kinds {
      let fields = kind.schema.references
      guard !fields.isEmpty else { continue }
      for change in found.changed.values where !known.contains(change.id) {
        let values = try source.record(kind, change).fields
        let name = Slug.make(values.title ?? "", fallback: kind.schema.noun)
        for field in fields {
          guard let target = values[field]?.string, let named = field.referencedKind else {
            continue
          }
          result[ScanEntry.Key(kind: named, id: target), default: ([], [])].staying.append(
            taken[change.id] ?? scan.referrer(of: change.id, of: kind)?.ref
              ?? RecordRef(kind: kind, name: name))
        }
      }
    }
  }
}

extension Scan {
  /// Returns a problem for each record that was deleted locally while local records still reference
  /// it. A push stops instead of deleting it on the server.
  ///
  /// Files are read only if there is such a delete.
  /// - Parameter library: the library that was scanned.
  public func refusedDeletes(in library: Library) -> [Problem] {
    let rewriter = ReferenceRewriter(library: library)
    let deleted = refs(.pendingDelete).filter { ReferenceTable.kinds.contains($0.kind) }
    if deleted.isEmpty { return [] }
    let named = rewriter.referrers(of: Set(deleted), self)
    return deleted.compactMap { ref in
      named[ref].map { Problem(.stillNamed(ref, by: $0), file: ref.path) }
    }
  }
}
