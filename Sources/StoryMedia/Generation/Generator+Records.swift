import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// Saving the server's versions of records that it made something for.
extension Generator {
  private var library: Library { repositories.library }

  /// Writes a story from the server with its sidecar.
  ///
  /// The record is written first: if this is interrupted in between, it is a new record that equals
  /// the server's, and the next sync adopts it.
  /// - Returns: Its name, which already exists if a sync has written it in the meantime.
  /// - Throws: `LibraryError`, `FileError`.
  func takeNew(_ record: RemoteRecord, folder: String) async throws -> RecordRef {
    let ref = try await locked {
      let scan = try repositories.scan()
      if let entry = scan.entry(id: record.id, of: record.kind) { return entry.ref }
      var taken = scan.takenNames(of: record.kind)
      let slug = Slug.make(record.fields.title ?? "", fallback: record.kind.schema.noun)
      let name = Slug.free(slug, in: folder, id: record.id, &taken)
      let ref = RecordRef(kind: record.kind, name: name)
      let text = RecordFile.newFile(record.fields, references: scan.references)
      let sidecar = Sidecar(record, references: scan.references)
      var batch = WriteBatch(root: library.root)
      batch.add(
        ref, in: library, record: .write(text, .absent),
        sidecar: .write(sidecar.fileBytes, .absent))
      guard try batch.commit()[0].isDone() else { throw EditError.changedMeanwhile(ref) }
      return ref
    }
    try await repositories.sidecarsChanged()
    return ref
  }

  /// Updates the server's members in a sidecar. If the user's fields differ from the base, someone
  /// changed them; that is left to a pull, which merges.
  ///
  /// - Throws: `LibraryError`, `FileError`.
  func refresh(_ ref: RecordRef, with record: RemoteRecord) async throws {
    let isChanged = try await locked {
      let scan = try repositories.scan()
      guard let entry = scan.entry(ref), entry.id == record.id else { return false }
      var sidecar = try library.sidecar(of: entry)
      guard sidecar.base == record.fields, sidecar.conflict == nil else { return false }
      let before = sidecar.fileBytes
      sidecar.rebase(on: record)
      guard sidecar.fileBytes != before else { return false }
      return try AtomicFile.write(
        sidecar.fileBytes, to: library.path(entry.sidecarPath),
        expecting: .content(ContentDigest(before))) == .done
    }
    if isChanged { try await repositories.sidecarsChanged() }
  }

  /// Replaces the title and the text of a story, wherever its file is now. Its other fields stay,
  /// and a run keeps the old version.
  ///
  /// - Parameter sidecar: The story's sidecar, whose base has the title and the text to replace.
  /// - Returns: The story, or `nil` if its title or text is another one by now.
  /// - Throws: `LibraryError`, `FileError`, `Problem`.
  func replaceText(of sidecar: Sidecar, with record: RemoteRecord) async throws -> RecordRef? {
    let keys = ["title", "content"]
    return try await repositories.time.waitingForLock {
      let entry = try repositories.scan().entry(id: sidecar.id, of: .stories)
      guard let ref = entry?.ref else { return nil }
      let run = EditRun(library, time: repositories.time)
      do {
        try LibraryEditor(library, time: repositories.time).update(ref, keptIn: run) { members in
          let file = try RecordFile(ref: ref, bytes: JSONValue.object(members).fileBytes())
          let values = file.reading(references: ReferenceTable(), sidecar: nil).values
          guard !values.changes(from: sidecar.base).contains(where: { keys.contains($0.key) })
          else { throw EditError.changedMeanwhile(ref) }
          var text = JSONObject()
          for key in keys { text[key] = record.fields.wire[key] ?? .null }
          ref.kind.schema.apply(text, to: &members)
        }
      } catch is EditError {
        return nil
      }
      try run.finish(command: "generate story --regenerate \(ref)")
      return ref
    }
  }

  /// Runs `work` under the library's lock, waiting for a running sync. The position of pulls is
  /// kept, because nothing that they would fetch is skipped.
  private func locked<Value>(_ work: () throws -> Value) async throws -> Value {
    try library.checkWritable()
    return try await repositories.time.waitingForLock {
      let lock = try LibraryLock(library)
      defer { withExtendedLifetime(lock) {} }
      var state = PullState(library)
      let holds = state.map { state in
        (try? repositories.scan().pulledDigest) == state.sidecarDigest
      }
      let value = try work()
      if holds == true {
        state?.sidecarDigest = try repositories.scan().pulledDigest
        try state?.save(library)
      }
      return value
    }
  }
}
