import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

/// Mends sidecars that cannot be read, so that their records go on syncing.
///
/// One in which git left conflict markers becomes the newer of its two sides where both name one id.
/// Any other is rebuilt from the server: by the id that can still be found in its text, else by equal
/// content, else by the only record of the same name or title. What differs from the server is then a
/// conflict, for nobody knows any more which side changed it. What was there is kept in the run.
struct SidecarMender {
  let library: Library
  let run: RunRecorder

  private var files: LibraryFiles { LibraryFiles(library: library) }

  /// The records whose sidecar, and only that, cannot be read.
  static func broken(_ scan: Scan) -> [ScanEntry] {
    scan.entries.filter { entry in
      entry.state == .unreadable
        && entry.problems.contains {
          $0.file == entry.sidecarPath && ($0.code == .sidecar || $0.code == .conflictMarkers)
        }
    }
  }

  /// Mends those that git's markers broke, without asking the server.
  ///
  /// - Returns: whether any sidecar changed.
  func mendMarkers(_ scan: Scan) throws -> Bool {
    var batch = WriteBatch(root: library.root)
    for entry in Self.broken(scan) {
      let bytes = try files.read(entry.sidecarPath)
      guard let merged = SidecarSides(bytes, ref: entry.ref)?.merged else { continue }
      run.save(entry.ref, .server, text: [], sidecar: bytes)
      batch.add(
        record: nil,
        sidecar: (
          library.path(entry.sidecarPath), .write(merged.fileBytes, .content(ContentDigest(bytes)))
        ))
    }
    return try commit(batch)
  }

  /// Rebuilds those that are beyond reading from what the server lists.
  ///
  /// One that names several ids stays: only a person knows which it is. So do all of a kind of which
  /// the server listed a record that cannot be understood, for it may be any of theirs.
  /// - Returns: whether any sidecar changed.
  func rebuild(_ scan: Scan, _ remote: RemoteState, _ source: DiskSource) throws -> Bool {
    let broken = Self.broken(scan)
    if broken.isEmpty { return false }
    var batch = WriteBatch(root: library.root)
    let mended = Set(broken.filter { $0.possibleIDs.isEmpty }.map(\.ref))
    // What a broken sidecar seems to name is what it is rebuilt from; what one with several ids may
    // mean is nobody else's.
    var taken = Set(
      scan.entries.filter { !mended.contains($0.ref) }.flatMap { entry in
        entry.namedIDs.map { "\(entry.ref.kind)/\($0)" }
      })
    for entry in broken {
      let bytes = try files.read(entry.sidecarPath)
      // What the sidecar speaks of may be what could not be understood.
      if remote.kinds[entry.ref.kind]?.malformed.isEmpty == false { continue }
      if SidecarSides(bytes, ref: entry.ref) != nil || !entry.possibleIDs.isEmpty { continue }
      let place = library.path(entry.sidecarPath)
      run.save(entry.ref, .server, text: [], sidecar: bytes)
      guard let file = try? files.file(entry.ref),
        let record = try find(entry.ref, file, bytes, scan, remote, source, taken)
      else {
        batch.add(record: nil, sidecar: (place, .remove(ContentDigest(bytes))))
        continue
      }
      taken.insert("\(entry.ref.kind)/\(record.id)")
      let sidecar = rebuilt(file, record, scan.references)
      batch.add(
        record: nil,
        sidecar: (place, .write(sidecar.fileBytes, .content(ContentDigest(bytes)))))
    }
    return try commit(batch)
  }

  private func commit(_ batch: consuming WriteBatch) throws -> Bool {
    guard batch.count > 0 else { return false }
    try run.flush()
    for result in batch.commit() {
      if case .failed(let error) = result { throw error }
    }
    return true
  }

  private func find(
    _ ref: RecordRef, _ file: RecordFile, _ bytes: [UInt8], _ scan: Scan, _ remote: RemoteState,
    _ source: DiskSource, _ taken: Set<String>
  ) throws -> RemoteRecord? {
    let values = file.reading(references: scan.references, sidecar: nil).values
    let text = String(decoding: bytes, as: UTF8.self)
    var equal: RemoteRecord?
    var namesakes: [RemoteRecord] = []
    let news = remote.kinds[ref.kind]?.changed ?? RemoteNews()
    for place in news.places(by: .id, where: { !taken.contains("\(ref.kind)/\($0)") }) {
      let entry = news.entry(at: Int(place))
      let record = try source.record(ref.kind, entry)
      if text.contains("\"\(entry.id)\"") { return record }
      if equal == nil, record.fields == values { equal = record }
      if let title = values.title, record.fields.title == title { namesakes.append(record) }
    }
    return equal ?? (namesakes.count == 1 ? namesakes[0] : nil)
  }

  private func rebuilt(
    _ file: RecordFile, _ record: RemoteRecord, _ references: ReferenceTable
  ) -> Sidecar {
    var sidecar = Sidecar(
      record, refs: RecordFile.refs(of: record.fields, references: references))
    let local = file.reading(references: references, sidecar: sidecar).values
      .completed(from: record.fields)
    let differing = local.changes(from: record.fields).map { field in
      Sidecar.FieldConflict(
        wireKey: field.wireKey, base: .null, server: record.fields.effective(field))
    }
    if !differing.isEmpty { sidecar.conflict = .fields(updatedAt: record.updatedAt, differing) }
    return sidecar
  }
}
