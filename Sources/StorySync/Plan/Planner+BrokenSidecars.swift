import JSONText
import StoryLibrary
import StoryMerge

extension Scan {
  /// The records for which the sidecar alone cannot be read.
  var brokenSidecars: [ScanEntry] {
    let entries = entries
    return entries.indices.filter { entries[$0].state == .unreadable }.map { entries[$0] }.filter {
      entry in
      entry.problems.contains {
        $0.file == entry.sidecarPath && ($0.code == .sidecar || $0.code == .conflictMarkers)
      }
    }
  }
}

extension Planner {
  /// Plans the repair of sidecars that cannot be read, so that their records continue to sync.
  ///
  /// A sidecar with git's conflict markers becomes the newer of its two sides if both have the same
  /// id. Any other is rebuilt from the server's record: by the id in its text, else by the id that
  /// this machine last saw the record with, else by equal content, else by the only record of the
  /// same name or title. A sidecar without a match is removed. Fields that differ from the server
  /// become conflicts, because it is unknown which side changed them.
  ///
  /// A missing sidecar is rebuilt too, if this machine saw the record with one and the server still has
  /// that record: a missing sidecar is not a request to create the record again. If git took both away, a
  /// new file of that name is another record.
  ///
  /// A sidecar with several ids stays, because only a person knows which is right. So do all
  /// sidecars of a kind if the server listed an unreadable record of it, which may belong to any of
  /// them.
  func planBrokenSidecars() throws -> [Plan.Step] {
    let broken = scan.brokenSidecars.filter { !except.contains($0.ref) }
    // If a create is unconfirmed, its answer decides which record it is.
    let open = except.union(unconfirmed.map(\.ref))
    let lost = scan.refs(.pendingCreate).filter { seenIDs[$0] != nil && !open.contains($0) }
      .compactMap(scan.entry)
    if broken.isEmpty, lost.isEmpty { return [] }
    let rebuilt = Set(broken.filter { $0.possibleIDs.isEmpty }.map(\.ref))
    // A broken sidecar is rebuilt from the record it seems to reference. A record that a sidecar
    // with several ids may reference is never used for another one.
    var taken = Set(
      scan.entries.filter { !rebuilt.contains($0.ref) }.flatMap { entry in
        entry.namedIDs.map { ScanEntry.Key(kind: entry.ref.kind, id: $0) }
      })
    var steps: [Plan.Step] = try broken.compactMap { entry in
      let bytes = try source.read(entry.sidecarPath)
      if let sides = SidecarSides(bytes, ref: entry.ref) {
        guard let merged = sides.merged else { return nil }
        var step = Plan.Step(entry, .rebuildSidecar)
        step.id = merged.id
        return step
      }
      // The sidecar may belong to one of the records that could not be read.
      let hasMalformed = remote.kinds[entry.ref.kind]?.malformed.isEmpty == false
      if hasMalformed || !entry.possibleIDs.isEmpty { return nil }
      let change = try (try? source.file(entry.ref)).flatMap { try find($0, bytes, taken) }
      if let change { taken.insert(ScanEntry.Key(kind: entry.ref.kind, id: change.id)) }
      return Plan.Step(entry, .rebuildSidecar, change)
    }
    for entry in lost {
      guard let id = seenIDs[entry.ref],
        taken.insert(ScanEntry.Key(kind: entry.ref.kind, id: id)).inserted,
        let change = remote.kinds[entry.ref.kind]?.changed[id]
      else { continue }
      steps.append(Plan.Step(entry, .rebuildSidecar, change))
    }
    return steps
  }

  /// Returns the server's record that `file` copies, or `nil` if none or several match.
  private func find(
    _ file: RecordFile, _ sidecar: [UInt8], _ taken: Set<ScanEntry.Key>
  ) throws -> RemoteChange? {
    let kind = file.ref.kind
    let values = file.reading(references: scan.references, sidecar: nil).values
    let text = String(decoding: sidecar, as: UTF8.self)
    var seen: RemoteChange?
    var equal: RemoteChange?
    var namesakes: [RemoteChange] = []
    let changes = (remote.kinds[kind]?.changed ?? [:]).values.sorted { $0.id < $1.id }
    for change in changes where !taken.contains(ScanEntry.Key(kind: kind, id: change.id)) {
      if text.contains("\"\(change.id)\"") { return change }
      let fields = try source.record(kind, change).fields
      if change.id == seenIDs[file.ref] { seen = change }
      if equal == nil, fields == values { equal = change }
      if let title = values.title, fields.title == title { namesakes.append(change) }
    }
    return seen ?? equal ?? (namesakes.count == 1 ? namesakes[0] : nil)
  }
}

extension Sidecar {
  /// Rebuilds a lost sidecar; every field that differs from the server's is a conflict.
  init(rebuildingFor file: RecordFile, from record: RemoteRecord, references: ReferenceTable) {
    self.init(record, references: references)
    let local = file.reading(references: references, sidecar: self).values
      .completed(from: record.fields)
    let differing = local.changes(from: record.fields).map { field in
      FieldConflict(wireKey: field.wireKey, base: .null, server: record.fields.effective(field))
    }
    if !differing.isEmpty { conflict = .fields(updatedAt: record.updatedAt, differing) }
  }
}
