import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// Saves the server's versions of records that it made something for.
struct GeneratedRecordTaker: Sendable {
  let core: RepositoryCore

  private var library: Library { core.library }

  /// Writes a story from the server with its sidecar.
  ///
  /// The record is written first: if this is interrupted in between, it is a new record that equals
  /// the server's, and the next sync adopts it.
  /// - Returns: Its name, which already exists if a sync has written it in the meantime.
  /// - Throws: `LibraryError`, `FileError`.
  func takeNew(_ record: RemoteRecord, folder: String) async throws -> RecordRef {
    let ref = try await locked {
      let scan = try core.scan()
      if let entry = scan.entries.first(where: {
        $0.ref.kind == record.kind && $0.id == record.id
      }) {
        return entry.ref
      }
      let ref = name(for: record, folder, scan)
      let text = RecordFile.newFile(record.fields, references: scan.references)
      let sidecar = Sidecar(
        record, refs: RecordFile.refs(of: record.fields, references: scan.references))
      var batch = WriteBatch(root: library.root)
      batch.add(
        record: (library.path(ref.path), .write(text, .absent)),
        sidecar: (library.path(ref.sidecarPath), .write(sidecar.fileBytes, .absent)))
      switch batch.commit()[0] {
      case .done: return ref
      case .changedMeanwhile: throw EditError.changedMeanwhile(ref)
      case .failed(let error): throw error
      }
    }
    try await core.sidecarsChanged()
    return ref
  }

  private func name(for record: RemoteRecord, _ folder: String, _ scan: Scan) -> RecordRef {
    let kind = record.kind
    let taken = scan.takenNames(of: kind)
    let slug = Slug.make(record.fields.title ?? "", fallback: kind.schema.noun)
    var name = Path.join(folder, slug)
    var attempt = 0
    while taken.contains(Slug.collisionKey(name)) {
      name = Path.join(folder, Slug.distinguished(slug, id: record.id, attempt: attempt))
      attempt += 1
    }
    return RecordRef(kind: kind, name: name)
  }

  /// Updates the server's members in a sidecar. If the user's fields differ from the base, someone
  /// changed them; that is left to a pull, which merges.
  ///
  /// - Throws: `LibraryError`, `FileError`.
  func refresh(_ ref: RecordRef, with record: RemoteRecord) async throws {
    let isChanged = try await locked {
      let scan = try core.scan()
      guard let entry = scan.entry(ref), entry.id == record.id else { return false }
      let place = entry.renamedFrom ?? entry.ref
      var sidecar = try LibraryFiles(library: library).sidecar(of: ref, at: place)
      guard sidecar.base == record.fields, sidecar.conflict == nil else { return false }
      let before = sidecar.fileBytes
      sidecar.rebase(on: record)
      guard sidecar.fileBytes != before else { return false }
      return try AtomicFile.write(
        sidecar.fileBytes, to: library.path(place.sidecarPath),
        expecting: .content(ContentDigest(before))) == .done
    }
    if isChanged { try await core.sidecarsChanged() }
  }

  /// Runs `work` under the library's lock, waiting for a running sync. The position of pulls is
  /// kept, because nothing that they would fetch is skipped.
  private func locked<Value>(_ work: () throws -> Value) async throws -> Value {
    try library.checkWritable()
    for attempt in 0... {
      do {
        let lock = try LibraryLock(library)
        defer { withExtendedLifetime(lock) {} }
        var state = PullState(library)
        let holds = state.map { state in
          (try? core.scan().pulledDigest) == state.sidecarDigest
        }
        let value = try work()
        if holds == true {
          state?.sidecarDigest = try core.scan().pulledDigest
          try state?.save(library)
        }
        return value
      } catch LibraryError.locked(let holder) {
        // Half a minute is longer than a sync takes.
        guard attempt < 150 else { throw LibraryError.locked(holder: holder) }
        try await core.time.sleep(.milliseconds(200))
      }
    }
    throw LibraryError.locked(holder: "another process")
  }
}
