/// What git says of a record that is missing while its sidecar is there.
public enum GitTrace: Sendable, Hashable {
  /// `HEAD` or the index has the record.
  case tracked
  /// Git may have removed the record: only commits that do not lead to `HEAD` have it, such as those of
  /// another branch or a stash; or the pair is not merged yet. Or git does not answer.
  case mayBeTaken
}

/// Records that are not as their sidecars say, although nobody removed or edited them.
///
/// Git, and programs that copy files, write the sidecar of a pair before its record, and git removes a
/// record before it writes it. What stops them in between must look neither like a delete nor like an
/// edit. So a sidecar counts only if this machine saw its revision beside the record or wrote it itself, or
/// if git's index describes its file: git writes the index when it is done.
extension Scanner {
  /// Marks the sidecars whose records were not evidently removed.
  ///
  /// A record was removed if its sidecar counts, git did not take the record, and either this machine saw
  /// it or git has it.
  func markMissing(_ entries: inout [ScanEntry], _ seen: SeenRecords, isComplete: Bool) {
    let gone = entries.indices.filter {
      entries[$0].state == .pendingDelete && !entries[$0].isDeleteStated
    }
    guard !gone.isEmpty else { return }
    let removed = isComplete ? recordsRemoved(gone.map { entries[$0] }, seen) : []
    // In an incomplete scan, a record that seems to be missing may exist.
    for place in gone where !removed.contains(entries[place].ref) {
      entries[place].state = .missing
      entries[place].problems.append(
        Problem(
          .missingRecord(entries[place].ref, isComplete: isComplete), severity: .warning,
          file: entries[place].sidecarPath))
    }
  }

  private func recordsRemoved(_ gone: [ScanEntry], _ seen: SeenRecords) -> Set<RecordRef> {
    let records = seen.records(of: gone)
    func isKnownToBeMissing(_ entry: ScanEntry) -> Bool {
      entry.id.flatMap { records[$0] }?.isMissing ?? false
    }
    // A pair that git took says nothing about a sidecar that appeared later.
    func seenRecord(_ entry: ScanEntry) -> SeenRecords.Record? {
      entry.id.flatMap { records[$0] }.flatMap { $0.pair.isTakenByGit ? nil : $0 }
    }
    let gone = gone.filter { !isKnownToBeMissing($0) }
    let traces = gone.isEmpty ? [:] : gitTraces(gone.map(\.ref))
    let removed = gone.filter { entry in
      switch traces[entry.ref] {
      case .tracked: true
      case .mayBeTaken: false
      case nil: seenRecord(entry) != nil
      }
    }
    let open = removed.filter { entry in
      seenRecord(entry)?.revision != entry.updatedAt && !ownSidecars.contains(entry.place)
    }.map(\.ref)
    let stray = open.isEmpty ? [] : Set(open).subtracting(sidecarsInIndex(open))
    return Set(removed.map(\.ref)).subtracting(stray)
  }

  /// Returns those records without files that git has taken, or may have. Another file is not one of
  /// these under a new name unless it has the same content.
  func recordsTaken(_ gone: [ScanEntry], _ seen: SeenRecords) -> Set<RecordRef> {
    let records = seen.records(of: gone)
    let known = gone.filter { entry in entry.id.map { records[$0] != nil } ?? false }
    let taken = known.filter { entry in
      entry.id.flatMap { records[$0] }?.pair.isTakenByGit ?? false
    }
    let traces = known.isEmpty ? [:] : gitTraces(known.map(\.ref))
    return Set(taken.map(\.ref)).union(traces.filter { $0.value == .mayBeTaken }.keys)
  }

  /// Marks the records that are as they were last synced, beside sidecars that do not count.
  func markOutdated(_ entries: inout [ScanEntry], _ seen: SeenRecords) {
    let edited = entries.indices.filter {
      entries[$0].state == .pendingUpdate && entries[$0].renamedFrom == nil
        && !ownSidecars.contains(entries[$0].ref)
    }
    guard !edited.isEmpty else { return }
    let records = seen.records(of: edited.map { entries[$0] })
    let old = edited.filter { place in
      guard let record = entries[place].id.flatMap({ records[$0] }) else { return false }
      return record.synced == entries[place].digest && record.revision != entries[place].updatedAt
    }
    guard !old.isEmpty else { return }
    let whole = sidecarsInIndex(old.map { entries[$0].ref })
    for place in old {
      let isKnown = entries[place].id.flatMap { records[$0] }?.isMissing ?? false
      guard isKnown || !whole.contains(entries[place].ref) else { continue }
      entries[place].state = .synced
      entries[place].isOutdated = true
      entries[place].changes = FieldSet()
      entries[place].problems = [
        Problem(
          .outdatedRecord(entries[place].sidecarPath), severity: .warning,
          file: entries[place].ref.path)
      ]
    }
  }
}
