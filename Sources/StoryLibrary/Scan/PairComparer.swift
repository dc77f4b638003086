import JSONText

/// Derives a record's state from its file and its sidecar.
struct PairComparer: Sendable {
  let library: Library
  let references: ReferenceTable
  /// See ``Scanner/assumedSidecars``.
  var assumedSidecars: [RecordRef: [UInt8]?] = [:]

  /// Reads both files of a pair and compares their meaning.
  func entry(for pair: FolderWalk.Pair) -> ScanEntry {
    var entry = ScanEntry(ref: pair.ref, state: .unreadable)
    entry.obstacle = pair.record
    if let sidecar = pair.sidecar, !sidecar.name.utf8.elementsEqual(pair.ref.name.utf8) {
      entry.renamedFrom = sidecar
    }
    do throws(Problem) {
      let sidecar = try pair.sidecar.map { ref throws(Problem) in
        try readSidecar(ref, into: &entry)
      }
      if let problem = pair.problems.first { throw problem }
      if pair.record != nil {
        try compare(sidecar, into: &entry)
      } else if let sidecar {
        describe(sidecar, in: &entry)
      }
    } catch {
      var problem = error
      if problem.what == .empty(isJSON: true), pair.sidecar == nil {
        problem.what = .empty(isJSON: true, isNew: true)
      }
      entry.problems.append(problem)
    }
    return entry
  }

  private func readSidecar(
    _ ref: RecordRef, into entry: inout ScanEntry
  ) throws(Problem) -> Sidecar {
    let assumed = assumedSidecars[ref] ?? nil
    let bytes = if let assumed { assumed } else { try library.read(ref.sidecarPath) }
    do throws(Problem) {
      let sidecar = try Sidecar(bytes: bytes, ref: ref)
      entry.sidecarDigest = ContentDigest(bytes)
      entry.id = sidecar.id
      entry.updatedAt = sidecar.updatedAt
      return sidecar
    } catch {
      // The server's record must remain known, or it would be pulled a second time.
      let ids = Sidecar.recoveredIDs(from: bytes)
      if ids.count > 1 { entry.possibleIDs = ids } else { entry.id = ids.first }
      throw error
    }
  }

  private func describe(_ sidecar: Sidecar, in entry: inout ScanEntry) {
    entry.state = .pendingDelete
    entry.isDeleteStated = sidecar.isDeleteStated
    if sidecar.isDeleteStated { return }
    switch sidecar.conflict {
    // The server had changed it too, so this would delete something newer.
    case .deletedLocally, .fields:
      entry.state = .conflict
      entry.conflict = .deletedLocally
    // The record was edited locally and deleted on the server; now both sides have deleted it.
    case .deletedOnServer, nil: break
    }
  }

  private func compare(_ sidecar: Sidecar?, into entry: inout ScanEntry) throws(Problem) {
    let kind = entry.ref.kind
    let sidecar = sidecar?.besideRecord
    let bytes = try library.read(entry.ref.path)
    let file = try RecordFile(ref: entry.ref, bytes: bytes)
    entry.digest = ContentDigest(bytes)
    let reading = file.reading(references: references, sidecar: sidecar)
    entry.targets = reading.targets
    entry.waitsFor = reading.pending
    entry.outdatedReferences = FieldSet(reading.outdated, of: kind)
    guard let sidecar else {
      entry.state = reading.state(nil)
      entry.changes = FieldSet(
        kind.schema.fields.filter { reading.values[$0] != nil } + reading.unresolved
          + reading.malformed, of: kind)
      entry.problems = file.problems(
        references: references, mayBeDraft: true, reading: reading)
      return
    }
    entry.hasVoidDelete = sidecar.isDeleteStated
    let changed = reading.changes(from: sidecar.base)
    entry.changes = FieldSet(
      changed.filter { !sidecar.conflictingKeys.contains($0.wireKey) }, of: kind)
    switch sidecar.conflict {
    case .fields: entry.conflict = .fields
    case .deletedOnServer: entry.conflict = .deletedOnServer
    case .deletedLocally, nil: break
    }
    entry.state = reading.state(sidecar, changed: changed)
    if !changed.isEmpty {
      entry.problems = file.problems(
        references: references, sidecar: sidecar, reading: reading)
    }
  }
}
