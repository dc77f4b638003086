/// What git says of a record that is missing while its sidecar is there.
public enum GitTrace: Sendable, Hashable {
  /// `HEAD` or the index has the record.
  case tracked
  /// A commit that leads to `HEAD` has the record, and git tracks the sidecar alone: someone removed or
  /// renamed it.
  case removed
  /// Git may have removed the record: only commits that do not lead to `HEAD` have it, such as those of
  /// another branch or a stash; or the sidecar is not merged yet.
  case mayBeTaken
  /// Git does not answer, or the record itself is not merged yet.
  case unknown
}

/// A sidecar as git's index has it.
public struct IndexedSidecar: Sendable {
  /// Whether the index describes the file in the working tree, by time and size: git writes its index
  /// after all files, so it did not stop before the record. Or whether the sidecar is not merged, so that
  /// a person decides.
  public var counts: Bool
  /// The content, or none if it ``counts``.
  public var bytes: [UInt8]

  /// Creates a sidecar of the index.
  public init(counts: Bool, bytes: [UInt8] = []) {
    self.counts = counts
    self.bytes = bytes
  }
}

/// What is known of a record without a file.
enum Removal {
  case removed
  /// Not removed, whatever git says later.
  case missing
}

/// Records that are not as their sidecars say, although nobody removed or edited them.
///
/// Git, and programs that copy files, write the sidecar of a pair before its record, and git removes a
/// record before it writes it. What stops them in between must look neither like a delete nor like an
/// edit. So a sidecar counts only if this machine saw its revision beside the record or wrote it itself, or
/// if git's index describes its file.
extension Scanner {
  /// Marks the sidecars whose records were not evidently removed.
  ///
  /// A record was removed if its sidecar counts, git did not take the record, and either this machine saw
  /// it or git has it.
  func markMissing(_ entries: inout [ScanEntry], _ seen: SeenRecords, isComplete: Bool) {
    let gone = entries.indices.filter { entries[$0].isGone && !entries[$0].isDeleteStated }
    guard !gone.isEmpty else { return }
    let found = isComplete ? removals(of: gone.map { entries[$0] }, seen) : [:]
    // In an incomplete scan, a record that seems to be missing may exist.
    for place in gone {
      let removal = found[entries[place].ref]
      entries[place].removal = removal
      // Nothing is deleted for a conflict, which says what happened.
      if removal == .removed || removal == nil && entries[place].state == .conflict { continue }
      entries[place].state = .missing
      entries[place].conflict = nil
      entries[place].problems.append(
        Problem(
          .missingRecord(entries[place].ref, isComplete: isComplete), severity: .warning,
          file: entries[place].sidecarPath))
    }
  }

  /// The sidecars that the running sync, or a killed one, has written: they do not come from elsewhere.
  private var sidecarsOfSyncs: Set<RecordRef> { ownSidecars.union(library.unseenSidecars) }

  private func removals(of gone: [ScanEntry], _ seen: SeenRecords) -> [RecordRef: Removal] {
    let records = seen.records(of: gone)
    var found: [RecordRef: Removal] = [:]
    let open = gone.filter { entry in
      guard records[entry]?.isMissing == true else { return true }
      found[entry.ref] = .missing
      return false
    }
    // A pair that git took says nothing about a sidecar that appeared later.
    func seenRecord(_ entry: ScanEntry) -> SeenRecords.Record? {
      records[entry].flatMap { $0.pair.isTakenByGit ? nil : $0 }
    }
    let traces = open.isEmpty ? [:] : gitTraces(open.map(\.ref))
    for entry in open {
      switch traces[entry.ref] {
      case .tracked: found[entry.ref] = .removed
      case .mayBeTaken: found[entry.ref] = .missing
      case .unknown: break
      case .removed, nil: if seenRecord(entry) != nil { found[entry.ref] = .removed }
      }
    }
    let own = sidecarsOfSyncs
    let stray = open.filter { entry in
      found[entry.ref] == .removed && seenRecord(entry)?.revision != entry.updatedAt
        && !own.contains(entry.place)
    }.map(\.ref)
    if stray.isEmpty { return found }
    let indexed = indexedSidecars(stray)
    for ref in stray where indexed?[ref]?.counts != true {
      found[ref] = indexed == nil ? nil : .missing
    }
    return found
  }

  /// Returns those records without files that were never here, as far as is known, and those that git
  /// has taken, or may have. Another file is not one of these under a new name unless it has the same
  /// content.
  func recordsTaken(_ gone: [ScanEntry], _ seen: SeenRecords) -> Set<RecordRef> {
    let records = seen.records(of: gone)
    let taken = gone.filter { records[$0]?.isMissing == true }.map(\.ref)
    let open = gone.filter { records[$0]?.isMissing == false }.map(\.ref)
    // A killed sync may have written a pair; its folder may have been moved since.
    let own = Set(sidecarsOfSyncs.map { Path.name($0.name) })
    let unknown = gone.filter { records[$0] == nil && !own.contains(Path.name($0.ref.name)) }
      .map(\.ref)
    let traces = unknown.isEmpty ? [:] : gitTraces(unknown)
    return Set(taken + unknown.filter { ![.tracked, .removed].contains(traces[$0]) })
      .union(open.isEmpty ? [] : recordsElsewhere(open))
  }

  /// Marks the records that nobody edited, beside sidecars that do not count.
  ///
  /// Such a record is as it was last synced, or equals the base of the sidecar in git's index. A
  /// conflict of the sidecar stays: the text that it is about comes with the record.
  func markOutdated(_ entries: inout [ScanEntry], _ references: ReferenceTable, _ seen: SeenRecords)
  {
    let edited = entries.indices.filter { place in
      entries[place].state == .pendingUpdate || entries[place].conflict == .fields
    }
    guard !edited.isEmpty else { return }
    let records = seen.records(of: edited.map { entries[$0] })
    let stray = edited.filter { place in
      records[entries[place]].map { $0.revision != entries[place].updatedAt } ?? false
    }
    guard !stray.isEmpty else { return }
    let own = sidecarsOfSyncs
    let indexed = indexedSidecars(stray.map { entries[$0].place })
    for place in stray where !own.contains(entries[place].place) {
      let entry = entries[place]
      let sidecar = indexed?[entry.place]
      guard sidecar?.counts != true,
        records[entry]?.synced == entry.digest
          || sidecar.map({ equals($0, entry, references) }) ?? false
      else { continue }
      if entry.conflict == nil { entries[place].state = .synced }
      entries[place].isOutdated = true
      entries[place].changes = FieldSet()
      entries[place].problems = [
        Problem(.outdatedRecord(entry.sidecarPath), severity: .warning, file: entry.ref.path)
      ]
    }
  }

  /// Returns whether a record equals the base of its sidecar in git's index.
  private func equals(
    _ indexed: IndexedSidecar, _ entry: ScanEntry, _ references: ReferenceTable
  ) -> Bool {
    guard let sidecar = try? Sidecar(bytes: indexed.bytes, ref: entry.place),
      sidecar.id == entry.id, let file = try? library.file(entry.ref)
    else { return false }
    return file.reading(references: references, sidecar: sidecar).state(sidecar) == .synced
  }
}

extension Library {
  private static let unseenFile = "unseen"

  /// The sidecars whose revisions `.stories/seen` may not have, because a sync that wrote them was killed:
  /// until the next sync, they do not come from elsewhere.
  var unseenSidecars: Set<RecordRef> {
    guard let bytes = try? FileSystem.read(statePath(Self.unseenFile), limit: 1 << 28) else {
      return []
    }
    return Set(
      bytes.split(separator: 0).compactMap { RecordRef(String(decoding: $0, as: UTF8.self)) })
  }

  /// Notes that these sidecars are about to be written. Errors are ignored.
  package func noteUnseenSidecars(_ refs: Set<RecordRef>) {
    let bytes: [UInt8] = refs.flatMap { Array($0.path.utf8) + [UInt8(0)] }
    _ = try? AtomicFile.writePrivate(bytes, to: statePath(Self.unseenFile), isFlushed: false)
  }

  /// Notes that a scan has seen all sidecars since.
  package func noteSeenSidecars() { try? FileSystem.remove(statePath(Self.unseenFile)) }
}
