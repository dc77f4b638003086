import JSONText

/// Derives the state of one record from its file and its sidecar.
struct PairComparer: Sendable {
  let library: Library
  let references: ReferenceTable
  /// Whether records that equal their base are checked as well.
  var checksEverything = false

  /// What came of reading a pair.
  struct Outcome: Sendable, Hashable {
    var entry: ScanEntry
    /// The keys that the files had before they were read; absent where one was not.
    var record = FileKey.absent
    var sidecar = FileKey.absent
    /// The records that the record names, in the order of its members.
    var targets: [RecordRef] = []
  }

  func entry(for pair: FolderWalk.Pair) -> ScanEntry { fullOutcome(for: pair).entry }

  /// A reader for the pairs that one thread asks about.
  func reader() -> PlainPairReader {
    PlainPairReader(root: library.root, references: references)
  }

  func outcome(for pair: FolderWalk.Pair, _ reader: inout PlainPairReader) -> Outcome {
    if checksEverything { return fullOutcome(for: pair) }
    switch reader.read(pair) {
    case .plain(let outcome): return outcome
    case .texts(let record, let sidecar):
      return fullOutcome(for: pair, record: record, sidecar: sidecar)
    case .none: return fullOutcome(for: pair)
    }
  }

  /// Finds out about a pair, whatever there is to say of it.
  ///
  /// - Parameters:
  ///   - record: the record's text, where it has been read already.
  ///   - sidecar: the sidecar's.
  func fullOutcome(
    for pair: FolderWalk.Pair, record: PlainPairReader.Text? = nil,
    sidecar: PlainPairReader.Text? = nil
  ) -> Outcome {
    var outcome = Outcome(entry: ScanEntry(ref: pair.ref, state: .unreadable))
    var entry = outcome.entry
    entry.obstacle = pair.record
    if let sidecarRef = pair.sidecar,
      sidecarRef.path.utf8.elementsEqual(pair.ref.path.utf8) == false
    {
      entry.renamedFrom = sidecarRef
    }
    do throws(Problem) {
      let sidecar = try pair.sidecar.map { ref throws(Problem) in
        try readSidecar(ref, sidecar, into: &entry, &outcome.sidecar)
      }
      if let problem = pair.problem { throw problem }
      if pair.record == nil {
        if let sidecar { describe(sidecar, &entry) }
      } else {
        try compare(sidecar, record, &entry, &outcome)
      }
    } catch {
      entry.problems.append(error)
    }
    outcome.entry = entry
    return outcome
  }

  private func readSidecar(
    _ place: RecordRef, _ text: PlainPairReader.Text?, into entry: inout ScanEntry,
    _ key: inout FileKey
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
    of text: PlainPairReader.Text?, _ path: String, _ key: inout FileKey
  ) throws(Problem) -> [UInt8] {
    if let text {
      key = text.key
      return text.document.bytes
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
    _ sidecar: Sidecar?, _ text: PlainPairReader.Text?, _ entry: inout ScanEntry,
    _ outcome: inout Outcome
  ) throws(Problem) {
    let kind = entry.ref.kind
    let bytes = try bytes(of: text, entry.ref.path, &outcome.record)
    let file = try RecordFile(ref: entry.ref, bytes: bytes, document: text?.document)
    entry.digest = ContentDigest(bytes)
    let reading = file.reading(references: references, sidecar: sidecar)
    outcome.targets = reading.targets
    entry.isWaiting = !reading.pending.isEmpty
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
