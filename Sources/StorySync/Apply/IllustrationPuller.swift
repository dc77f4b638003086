import JSONText
package import StoryLibrary

/// Keeps `illustrations/<story>/01.json` equal to the server's records.
///
/// Only the server makes illustrations, so its version always wins. Local changes and deletes are
/// undone, and the edited versions are kept in the run.
package struct IllustrationPuller {
  /// A story whose illustrations are requested, and its id on the server.
  package typealias StoryPlace = (ref: RecordRef, id: String)

  let library: Library
  let run: RunRecorder
  private(set) var report = SyncReport()

  /// Returns whether a story has illustrations, or some are being made.
  static func hasPictures(_ server: JSONObject) -> Bool {
    if (server["illustrationCount"]?.integer ?? 0) > 0 { return true }
    return !["none", nil].contains(server["illustrationStatus"]?.string)
  }

  /// Writes the server's illustrations and undoes local changes to others, under the library's
  /// lock.
  ///
  /// - Parameters:
  ///   - fetched: the complete illustrations of some stories.
  ///   - putsBack: whether to undo local changes to other illustrations.
  ///   - gone: the ids of deleted stories, whose illustrations are removed.
  mutating func apply(
    _ fetched: [(StoryPlace, [RemoteRecord])], _ records: IllustrationRecords,
    putsBack: Bool = true, gone: Set<String> = []
  ) throws {
    let removed = report.receivedDeletes.count
    let scan = records.scan
    let byStory = records.byStory
    var byID: [String: ScanEntry] = [:]
    for entry in scan.entries {
      if let id = entry.id { byID[id] = entry }
    }
    var taken = Set(scan.entries.map { Slug.collisionKey($0.ref.name) })
    var seen: Set<String> = []
    for (story, records) in fetched.sorted(by: { $0.0.ref < $1.0.ref }) {
      let sorted = records.sorted {
        ($0.order, $0.createdAt, $0.id) < ($1.order, $1.createdAt, $1.id)
      }
      let ids = Set(sorted.map(\.id))
      // Illustrations that the server no longer has are removed first, which frees their names.
      for entry in byStory[story.id] ?? [] {
        guard let id = entry.id, !ids.contains(id) else { continue }
        seen.insert(id)
        if try remove(entry) { taken.remove(Slug.collisionKey(entry.ref.name)) }
      }
      for (place, record) in sorted.enumerated() {
        seen.insert(record.id)
        if let entry = byID[record.id] {
          try update(entry, with: record)
          continue
        }
        let number = (place < 9 ? "0" : "") + String(place + 1)
        for name in [number, Slug.distinguished(number, id: record.id)] {
          let ref = RecordRef(kind: .illustrations, name: "\(story.ref.pictureFolder)/\(name)")
          let left = leftWithoutSidecar(ref, record, scan)
          guard left != nil || taken.insert(Slug.collisionKey(ref.name)).inserted else { continue }
          let sidecar = Sidecar(record, refs: JSONObject())
          if try write(ref, left ?? .absent, record.fields, sidecar) {
            report.receivedNew.append(ref)
          }
          break
        }
      }
    }
    for (story, entries) in byStory where gone.contains(story) {
      for entry in entries where entry.id.map({ seen.insert($0).inserted }) ?? false {
        _ = try remove(entry)
      }
    }
    report.receivedDeletes[removed...].sort()
    for entry in scan.entries where putsBack {
      guard let id = entry.id, !seen.contains(id) else { continue }
      try putBack(entry)
    }
  }

  /// Returns the content of a record that a pull wrote without its sidecar, because it was killed in between.
  private func leftWithoutSidecar(
    _ ref: RecordRef, _ record: RemoteRecord, _ scan: Scan
  ) -> AtomicFile.Expectation? {
    guard scan.entry(ref)?.state == .pendingCreate, let bytes = try? library.read(ref.path),
      bytes == RecordFile.newFile(record.fields, references: ReferenceTable())
    else { return nil }
    return .content(ContentDigest(bytes))
  }

  private mutating func update(_ entry: ScanEntry, with record: RemoteRecord) throws {
    guard let old = try? library.sidecar(of: entry) else { return }
    var sidecar = old
    sidecar.rebase(on: record)
    if old.base == record.fields {
      if sidecar.fileBytes != old.fileBytes {
        try AtomicFile.write(sidecar.fileBytes, to: library.path(entry.sidecarPath))
      }
      return try putBack(entry)
    }
    guard try replace(entry, record.fields, sidecar) else { return }
    if isEdited(entry) { notePutBack(entry) }
    report.receivedChanges.append((ref: entry.ref, fields: []))
  }

  private func isEdited(_ entry: ScanEntry) -> Bool {
    entry.state != .synced && entry.state != .notCheckedOut
  }

  /// Restores the last synced version of a record that was changed or removed locally.
  private mutating func putBack(_ entry: ScanEntry) throws {
    guard isEdited(entry), entry.state != .duplicateId,
      let sidecar = try? library.sidecar(of: entry)
    else { return }
    if try replace(entry, sidecar.base, sidecar) { notePutBack(entry) }
  }

  private mutating func notePutBack(_ entry: ScanEntry) {
    report.overridden.append(.init(ref: entry.ref, field: "the whole record", kept: "server"))
  }

  private mutating func replace(
    _ entry: ScanEntry, _ fields: FieldValues, _ sidecar: Sidecar
  ) throws -> Bool {
    var expectation = AtomicFile.Expectation.absent
    if entry.hasRecord {
      guard let bytes = try? library.read(entry.ref.path) else { return false }
      run.pending.save(entry.ref, local: bytes)
      expectation = .content(ContentDigest(bytes))
    }
    return try write(entry.ref, expectation, fields, sidecar)
  }

  private mutating func write(
    _ ref: RecordRef, _ expectation: AtomicFile.Expectation, _ fields: FieldValues,
    _ sidecar: Sidecar
  ) throws -> Bool {
    try run.flush()
    let text = RecordFile.newFile(fields, references: ReferenceTable())
    var batch = WriteBatch(root: library.root)
    batch.add(
      ref, in: library, record: .write(text, expectation), sidecar: .sidecar(sidecar.fileBytes))
    switch batch.commit()[0] {
    case .done:
      if run.isStarted { run.note(ref, after: ContentDigest(text)) }
      return true
    // The file was saved during the write: the next pull sees the new content.
    case .changedMeanwhile: return false
    case .failed(let error):
      report.failed.append(.init(ref: ref, reason: .file(error)))
      return false
    }
  }

  private mutating func remove(_ entry: ScanEntry) throws -> Bool {
    var change: WriteBatch.Change?
    if entry.hasRecord {
      guard let bytes = try? library.read(entry.ref.path) else { return false }
      run.pending.save(
        entry.ref, local: bytes, sidecar: try? FileSystem.read(library.path(entry.sidecarPath)))
      try run.flush()
      change = .remove(ContentDigest(bytes))
    }
    var batch = WriteBatch(root: library.root)
    batch.add(entry.ref, in: library, record: change, sidecar: .removeAnything, at: entry.place)
    guard batch.commit()[0] == .done else { return false }
    library.removeEmptyFolders(of: entry.ref)
    if entry.hasRecord {
      run.note(entry.ref, after: nil)
      report.receivedDeletes.append(entry.ref)
    }
    return true
  }
}

extension RemoteRecord {
  fileprivate var order: Int { fields.wire["displayOrder"]?.integer ?? Int.max }
}
