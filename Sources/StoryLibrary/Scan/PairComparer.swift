/// Derives the state of one record from its file and its sidecar.
struct PairComparer: Sendable {
  let library: Library
  let references: ReferenceTable

  func entry(for pair: FolderWalk.Pair) -> ScanEntry {
    var entry = ScanEntry(ref: pair.ref, state: .unreadable)
    if let sidecarRef = pair.sidecar,
      sidecarRef.path.utf8.elementsEqual(pair.ref.path.utf8) == false
    {
      entry.renamedFrom = sidecarRef
    }
    do throws(Problem) {
      let sidecar = try pair.sidecar.map { ref throws(Problem) in
        try readSidecar(ref, into: &entry)
      }
      guard pair.record != nil else {
        entry.state = .pendingDelete
        if let sidecar { describe(sidecar, &entry) }
        return entry
      }
      try compare(sidecar, &entry)
    } catch {
      entry.problems.append(error)
    }
    return entry
  }

  private func readSidecar(_ ref: RecordRef, into entry: inout ScanEntry) throws(Problem) -> Sidecar
  {
    let bytes = try read(ref.sidecarPath)
    let sidecar = try Sidecar(bytes: bytes, ref: ref)
    entry.sidecarDigest = ContentDigest(bytes)
    entry.id = sidecar.id
    entry.updatedAt = sidecar.updatedAt
    entry.isDeleteStated = sidecar.isDeleteStated
    return sidecar
  }

  private func read(_ path: String) throws(Problem) -> [UInt8] {
    do throws(FileError) {
      return try FileSystem.read(library.path(path), limit: 64 << 20)
    } catch {
      throw Problem(error, file: path)
    }
  }

  /// The state of a sidecar without a record.
  private func describe(_ sidecar: Sidecar, _ entry: inout ScanEntry) {
    // What was edited here and deleted there is gone on both sides now; only the opposite waits.
    guard sidecar.conflict == .deletedHere, !sidecar.isDeleteStated else { return }
    entry.state = .conflict
    entry.conflict = .deletedHere
  }

  /// The state of a record, with or without a sidecar.
  private func compare(_ sidecar: Sidecar?, _ entry: inout ScanEntry) throws(Problem) {
    let bytes = try read(entry.ref.path)
    let file = try RecordFile(ref: entry.ref, bytes: bytes)
    entry.digest = ContentDigest(bytes)
    let reading = file.reading(references: references, sidecar: sidecar)
    entry.waitsFor = reading.pending
    guard let sidecar else {
      entry.state = .pendingCreate
      entry.changes = FieldSet(
        entry.ref.kind.schema.fields.filter { reading.values[$0] != nil }, of: entry.ref.kind)
      entry.problems = file.problems(references: references)
      return
    }
    let changed = reading.values.changes(from: sidecar.base) + reading.malformed
    entry.changes = FieldSet(
      changed.filter { !sidecar.conflictingKeys.contains($0.wireKey) }, of: entry.ref.kind)
    switch sidecar.conflict {
    case .fields: entry.conflict = .fields
    case .deletedOnServer: entry.conflict = .deletedOnServer
    // The record is back, so nothing is left to decide.
    case .deletedHere, nil: break
    }
    if entry.conflict != nil {
      entry.state = .conflict
    } else {
      entry.state = entry.changes.isEmpty ? .synced : .pendingUpdate
    }
    if !changed.isEmpty {
      entry.problems = file.problems(references: references, sidecar: sidecar)
    }
  }
}
