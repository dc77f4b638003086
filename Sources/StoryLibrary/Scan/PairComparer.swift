import JSONText

/// Derives the state of one record from its file and its sidecar.
struct PairComparer: Sendable {
  let library: Library
  let references: ReferenceTable
  /// Whether records that equal their base are checked as well.
  var checksEverything = false

  /// What came of reading a pair.
  struct Outcome: Sendable {
    var entry: ScanEntry
    /// The keys that the files had before they were read; absent where one was not.
    var record = FileKey.absent
    var sidecar = FileKey.absent
    /// The records that the record names, in the order of its members.
    var targets: [RecordRef] = []
  }

  func entry(for pair: FolderWalk.Pair) -> ScanEntry { outcome(for: pair).entry }

  func outcome(for pair: FolderWalk.Pair) -> Outcome {
    var outcome = Outcome(entry: ScanEntry(ref: pair.ref, state: .unreadable))
    read(pair, into: &outcome)
    return outcome
  }

  private func read(_ pair: FolderWalk.Pair, into outcome: inout Outcome) {
    var texts = Texts()
    if readPlainly(pair, &texts, &outcome) { return }
    var entry = outcome.entry
    entry.obstacle = pair.record
    if let sidecarRef = pair.sidecar,
      sidecarRef.path.utf8.elementsEqual(pair.ref.path.utf8) == false
    {
      entry.renamedFrom = sidecarRef
    }
    do throws(Problem) {
      let sidecar = try pair.sidecar.map { ref throws(Problem) in
        try readSidecar(ref, texts.sidecar, into: &entry, &outcome.sidecar)
      }
      if let problem = pair.problem { throw problem }
      if pair.record == nil {
        if let sidecar { describe(sidecar, &entry) }
      } else {
        try compare(sidecar, texts.record, &entry, &outcome)
      }
    } catch {
      entry.problems.append(error)
    }
    outcome.entry = entry
  }

  /// The files of a pair that have been read already.
  private struct Texts {
    var record: Text?
    var sidecar: Text?
  }

  private struct Text {
    var bytes: [UInt8]
    var key: FileKey
    /// `nil` where it is not known whether they can be parsed.
    var document: JSONDocument?
  }

  /// Reads a pair of which most are in sync, and finds that it is; see ``PlainComparison``.
  ///
  /// - Returns: whether the outcome is complete; if not, nothing is said.
  private func readPlainly(
    _ pair: FolderWalk.Pair, _ texts: inout Texts, _ outcome: inout Outcome
  ) -> Bool {
    guard !checksEverything, pair.record == .regular, pair.hasPlainSidecar else { return false }
    guard let sidecar = text(pair.ref.sidecarPath) else { return false }
    texts.sidecar = sidecar
    guard let sidecarDocument = sidecar.document, let record = text(pair.ref.path) else {
      return false
    }
    texts.record = record
    let comparison = PlainComparison(pair.ref.kind, references: references)
    guard let document = record.document,
      let match = comparison.match(record: document, sidecar: sidecarDocument)
    else { return false }
    outcome.record = record.key
    outcome.sidecar = sidecar.key
    outcome.targets = match.targets
    outcome.entry.obstacle = pair.record
    outcome.entry.state = .synced
    outcome.entry.digest = ContentDigest(record.bytes)
    outcome.entry.sidecarDigest = ContentDigest(sidecar.bytes)
    outcome.entry.identity = RecordIdentity(match.identity, idLength: match.idLength)
    return true
  }

  /// A file's text; `nil` where it cannot be read.
  private func text(_ path: String) -> Text? {
    guard let (bytes, key) = try? FileSystem.readWithKey(library.path(path), limit: 64 << 20)
    else { return nil }
    return Text(bytes: bytes, key: key, document: try? JSONDocument(parsing: bytes))
  }

  private func readSidecar(
    _ place: RecordRef, _ text: Text?, into entry: inout ScanEntry, _ key: inout FileKey
  ) throws(Problem) -> Sidecar {
    let bytes = try bytes(of: text, place.sidecarPath, &key)
    do throws(Problem) {
      let sidecar = try Sidecar(bytes: bytes, document: text?.document, ref: place)
      entry.sidecarDigest = ContentDigest(bytes)
      entry.id = sidecar.id
      entry.updatedAt = sidecar.updatedAt
      return sidecar
    } catch {
      // Who the record is on the server must not be forgotten, or it would come a second time.
      let ids = Sidecar.recoveredIDs(from: bytes)
      if ids.count > 1 { entry.possibleIDs = ids } else { entry.id = ids.first }
      throw error
    }
  }

  /// The bytes of a file that may have been read already.
  private func bytes(
    of text: Text?, _ path: String, _ key: inout FileKey
  ) throws(Problem) -> [UInt8] {
    if let text {
      key = text.key
      return text.bytes
    }
    do throws(FileError) {
      let (bytes, found) = try FileSystem.readWithKey(library.path(path), limit: 64 << 20)
      key = found
      return bytes
    } catch {
      throw Problem(error, file: path)
    }
  }

  /// The state of a sidecar without a record.
  private func describe(_ sidecar: Sidecar, _ entry: inout ScanEntry) {
    entry.state = .pendingDelete
    entry.isDeleteStated = sidecar.isDeleteStated
    if sidecar.isDeleteStated { return }
    switch sidecar.conflict {
    // The server had changed it as well, so this is a delete of something newer.
    case .deletedHere, .fields:
      entry.state = .conflict
      entry.conflict = .deletedHere
    // What was edited here and deleted there is gone on both sides now.
    case .deletedOnServer, nil: break
    }
  }

  /// The state of a record, with or without a sidecar.
  private func compare(
    _ sidecar: Sidecar?, _ text: Text?, _ entry: inout ScanEntry, _ outcome: inout Outcome
  ) throws(Problem) {
    let kind = entry.ref.kind
    let bytes = try bytes(of: text, entry.ref.path, &outcome.record)
    let file = try RecordFile(ref: entry.ref, bytes: bytes, document: text?.document)
    entry.digest = ContentDigest(bytes)
    let reading = file.reading(references: references, sidecar: sidecar)
    outcome.targets = reading.targets
    entry.waitsFor = reading.pending
    entry.outdatedReferences = FieldSet(reading.outdated, of: kind)
    guard let sidecar else {
      entry.state = .pendingCreate
      entry.changes = FieldSet(
        kind.schema.fields.filter { reading.values[$0] != nil } + reading.unresolved
          + reading.malformed, of: kind)
      entry.problems = file.problems(references: references)
      return
    }
    let changed = reading.changes(from: sidecar.base)
    entry.changes = FieldSet(
      changed.filter { !sidecar.conflictingKeys.contains($0.wireKey) }, of: kind)
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
    if !changed.isEmpty || checksEverything {
      entry.problems = file.problems(references: references, sidecar: sidecar)
    }
  }
}
