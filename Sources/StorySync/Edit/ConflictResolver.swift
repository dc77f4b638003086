public import JSONText
public import StoryAPI
public import StoryLibrary
public import StoryMerge

/// Lists and resolves conflicts: `conflicts` and `resolve`.
///
/// A resolved conflict does not come back: the sidecar's base is already the server's version, so
/// the choice is either that version or an edit that the next push sends. If the server's version
/// has changed since, the next sync merges again.
public struct ConflictResolver {
  /// The way to resolve a conflict.
  public enum Choice: Sendable, Hashable {
    /// Keeps the local version and sends it.
    case local
    /// Takes the server's version.
    case server
    /// Applies the field's merge rule.
    case merge
    /// Takes these values, in wire form by wire key.
    case values([String: JSONValue])

    /// Returns this choice for the fields with these keys, or for all.
    fileprivate func ifAmong(_ keys: [String]?) -> (String) -> Choice? {
      { keys?.contains($0) ?? true ? self : nil }
    }
  }

  /// A record in conflict.
  public struct Conflict: Sendable {
    /// The record.
    public var ref: RecordRef
    /// The sidecar's name: the record's own, or its name before a rename.
    public var place: RecordRef
    /// The kind of conflict.
    public var kind: ConflictKind
    /// The fields that both sides changed, empty if the record as a whole is in conflict.
    public var fields: [FieldVersions]
  }

  /// The library.
  public let library: Library
  let time: TimeSource

  /// Creates a resolver for a library.
  public init(_ library: Library, time: TimeSource = .system) {
    self.library = library
    self.time = time
  }

  /// Returns all conflicts, in the order of the scan.
  ///
  /// - Throws: as `Scanner.scan()`.
  public func conflicts() throws -> [Conflict] {
    conflicts(in: try Scanner(askingGit: library).scan())
  }

  /// Returns all conflicts of a scan, in its order.
  public func conflicts(in scan: Scan) -> [Conflict] {
    scan.entries.compactMap { conflict($0, scan.references) }
  }

  private func conflict(_ entry: ScanEntry, _ references: ReferenceTable) -> Conflict? {
    guard let kind = entry.conflict, let sidecar = try? library.sidecar(of: entry)
    else { return nil }
    var conflict = Conflict(ref: entry.ref, place: entry.place, kind: kind, fields: [])
    // A record that was deleted on one side since is decided as a whole.
    guard kind == .fields, case .fields(_, let fields)? = sidecar.conflict else { return conflict }
    let local = (try? library.file(entry.ref))?.reading(references: references, sidecar: sidecar)
      .values.completed(from: sidecar.base)
    for item in fields {
      guard let field = entry.ref.kind.schema.field(wireKey: item.wireKey) else { continue }
      conflict.fields.append(
        FieldVersions(
          field: field, base: item.base, local: local?.effective(field) ?? .null,
          server: item.server))
    }
    return conflict
  }

  /// Returns the digest of a record's file and its sidecar, which identifies the versions that a decision
  /// is based on.
  public func digest(of entry: ScanEntry) -> ContentDigest {
    let digests = [entry.ref.path, entry.sidecarPath].map { path in
      (try? library.read(path)).map { ContentDigest($0).description } ?? "-"
    }
    return ContentDigest(digests.joined(separator: " ").utf8)
  }

  /// Resolves a record's conflict, or some of its fields.
  ///
  /// Record and sidecar are written together; a replaced version is kept in a run. Nothing is sent.
  /// - Parameters:
  ///   - ref: the record.
  ///   - choice: who wins.
  ///   - keys: the fields to resolve, by their keys in the record, or `nil` for all.
  ///   - digest: the ``digest(of:)`` that the choice is based on, or `nil` for the current one.
  ///   - isDryRun: whether to change nothing.
  /// - Returns: the keys of the fields that are still in conflict.
  /// - Throws: `EditError` (`noSuchRecord`, `noConflict`, `cannotMerge`, `twoIDs`, `otherRecord`,
  ///   `changedMeanwhile`, `isOpen`), `LibraryError` (`locked`, `newerVersion`), `FileError`,
  ///   `Problem`.
  @discardableResult
  public func resolve(
    _ ref: RecordRef, _ choice: Choice, fields keys: [String]? = nil,
    from digest: ContentDigest? = nil, isDryRun: Bool = false
  ) throws -> [String] {
    try resolve(
      ref, Decision(whole: choice, field: choice.ifAmong(keys), digest: digest), isDryRun: isDryRun)
  }

  /// Resolves fields of a record's conflict, each in its own way.
  ///
  /// - Parameters:
  ///   - ref: the record.
  ///   - choices: who wins, by the fields' keys in the record; other fields stay in conflict.
  ///   - seen: the versions that the choices are based on.
  ///   - digest: the ``digest(of:)`` that the choices are based on, or `nil` for the current one.
  /// - Returns: the keys of the fields that are still in conflict.
  /// - Throws: `EditError`, including `changedMeanwhile` if a version differs from the one seen;
  ///   `LibraryError.locked`, `FileError`, `Problem`.
  @discardableResult
  public func resolve(
    _ ref: RecordRef, choices: [String: Choice], seen: [FieldVersions],
    from digest: ContentDigest? = nil
  ) throws -> [String] {
    try resolve(
      ref, Decision(field: { choices[$0] }, seen: seen, digest: digest), isDryRun: false)
  }

  /// Resolves a record's conflict with a new text for its file.
  ///
  /// - Parameters:
  ///   - ref: the record.
  ///   - text: the file's new bytes.
  ///   - replaced: the digest of the bytes that the text was made from.
  ///   - keys: the fields that the text resolves, by their keys in the record, or `nil` for all.
  ///   - digest: the ``digest(of:)`` that the text is based on, or `nil` for the current one.
  /// - Returns: the keys of the fields that are still in conflict.
  /// - Throws: `EditError`, including `changedMeanwhile` if the file differs from `replaced`;
  ///   `Problem` if the text is not a record; `LibraryError.locked`, `FileError`.
  @discardableResult
  public func resolve(
    _ ref: RecordRef, text: [UInt8], replacing replaced: ContentDigest,
    fields keys: [String]? = nil, from digest: ContentDigest? = nil
  ) throws -> [String] {
    _ = try RecordFile(ref: ref, bytes: text)
    let decision = Decision(
      whole: .local, field: Choice.local.ifAmong(keys), digest: digest, text: (text, replaced))
    return try resolve(ref, decision, isDryRun: false)
  }

  struct Decision {
    /// The choice for the record as a whole, or `nil` if single fields are decided.
    var whole: Choice?
    /// Returns who wins a field, or `nil` if it stays in conflict.
    var field: (String) -> Choice?
    /// The versions that the decision is based on, or `nil` for the current ones.
    var seen: [FieldVersions]?
    /// The digest of the files that the decision is based on, or `nil` for the current ones.
    var digest: ContentDigest?
    /// The record's new bytes, and the digest of those they replace.
    var text: (bytes: [UInt8], replaced: ContentDigest)?
  }

  private func resolve(
    _ ref: RecordRef, _ decision: Decision, isDryRun: Bool
  ) throws -> [String] {
    let lock = try Recovery.lock(library, isDryRun: isDryRun).lock
    defer { withExtendedLifetime(lock) {} }
    let scan = try Scanner(askingGit: library).scan()
    let entry = try scan.existing(ref)
    try entry.checkNameIsUnique()
    if let problem = entry.outdatedProblem { throw problem }
    let open = OpenRecords(library)
    defer { withExtendedLifetime(open) {} }
    try open.check([ref])
    if let digest = decision.digest, digest != self.digest(of: entry) {
      throw EditError.changedMeanwhile(ref)
    }
    let run = RunRecorder(library, time)
    if let left = try settleMarked(entry, decision, in: scan, run, isDryRun: isDryRun) {
      if left.isEmpty, let choice = decision.whole, choice == .local || choice == .server {
        _ = try settleSidecar(entry, choice, scan.references, run, isDryRun)
      }
      return left
    }
    if let choice = decision.whole,
      try settleSidecar(entry, choice, scan.references, run, isDryRun)
    {
      return []
    }
    guard let kind = entry.conflict else { throw Self.refusal(of: entry) }
    let sidecar = try library.sidecar(of: entry)
    var change = Change(sidecar: sidecar)
    switch (kind, decision.whole) {
    case (.fields, _):
      try settleFields(entry, decision, scan.references, &change)
    case (.deletedOnServer, .local):
      let local = try library.file(ref).reading(references: scan.references, sidecar: nil)
      // A story without text becomes a draft.
      if !local.lacksText {
        change.madeAgain = UnconfirmedWrite(
          makingAgain: ref, change.sidecar, body: local.values.bodyOfCreate, now: time.now())
      }
      change.dropsSidecar = true
    case (.deletedOnServer, .server):
      change.record = .remove(ContentDigest(try library.read(ref.path)))
      change.dropsSidecar = true
    case (.deletedLocally, .local):
      change.sidecar.conflict = nil
      change.sidecar.isDeleteStated = true
    case (.deletedLocally, .server):
      change.sidecar.conflict = nil
      change.record = .write(
        RecordFile.newFile(change.sidecar.base, references: scan.references), .absent)
    case (_, .merge), (_, .values), (_, nil):
      throw EditError.cannotMerge(ref)
    }
    // If nothing was decided, a run would only hide the one before it from `undo`.
    let isChanged =
      change.record != nil || change.dropsSidecar
      || change.sidecar.fileBytes != sidecar.fileBytes
    if isChanged, !isDryRun { try carryOut(change, entry, run) }
    return change.dropsSidecar ? [] : change.sidecar.conflictingFields.map(\.key)
  }

  /// Returns why a record without a conflict cannot be resolved: an `EditError.noConflict`, or the
  /// `Problem` of a sidecar with several ids whose versions cannot be separated.
  package static func refusal(of entry: ScanEntry) -> any Error {
    if entry.possibleIDs.isEmpty { return EditError.noConflict(entry.ref) }
    return Problem(.severalIDs(entry.possibleIDs), file: entry.sidecarPath)
  }

  /// Resolves a sidecar with git's two versions and two ids: ours is `local`, theirs `server`.
  private func settleSidecar(
    _ entry: ScanEntry, _ choice: Choice, _ references: ReferenceTable, _ run: RunRecorder,
    _ isDryRun: Bool
  ) throws -> Bool {
    guard entry.state == .unreadable, let bytes = try? library.read(entry.sidecarPath),
      let sides = SidecarSides(bytes, ref: entry.ref)
    else { return false }
    let chosen: Sidecar
    switch choice {
    case .local: chosen = sides.merged ?? sides.ours
    case .server: chosen = sides.merged ?? sides.theirs
    case .merge, .values:
      guard let merged = sides.merged else { throw EditError.twoIDs(entry.ref) }
      chosen = merged
    }
    guard !isDryRun else { return true }
    if let record = chosenRecord(entry.ref, sides, isOurs: choice == .local, references) {
      try carryOut(Change(sidecar: chosen, record: record), entry, run)
      return true
    }
    if !run.isStarted {
      let text = try? library.read(entry.ref.path)
      run.pending.save(entry.ref, local: text, sidecar: bytes)
      run.note(entry.ref, after: text.map { ContentDigest($0) })
    }
    try run.flush()
    let outcome = try AtomicFile.write(
      chosen.fileBytes, to: library.path(entry.sidecarPath), expecting: .content(.init(bytes)))
    guard outcome == .done else { throw EditError.changedMeanwhile(entry.ref) }
    try run.finish(command: "resolve \(entry.ref)")
    return true
  }

  /// Returns the change to the chosen record of two if the file has the other one's text, which git
  /// takes without a conflict if only that side changed the file; otherwise `nil`.
  private func chosenRecord(
    _ ref: RecordRef, _ sides: SidecarSides, isOurs: Bool, _ references: ReferenceTable
  ) -> WriteBatch.Change? {
    guard sides.merged == nil, let bytes = try? library.read(ref.path),
      let file = try? RecordFile(ref: ref, bytes: bytes)
    else { return nil }
    let repository = GitRepository(library)
    // Git asked about the file too, so the text is a person's choice.
    if repository?.versionsInMerge(of: [ref.path])[ref.path] != nil { return nil }
    func isText(of sidecar: Sidecar) -> Bool {
      file.reading(references: references, sidecar: sidecar).changes(from: sidecar.base).isEmpty
    }
    let texts = repository?.mergedTexts(of: ref.path)
    let (ours, theirs) = ((sides.ours, texts?.ours), (sides.theirs, texts?.theirs))
    let (chosen, other) = isOurs ? (ours, theirs) : (theirs, ours)
    guard !isText(of: chosen.0), bytes == other.1 || isText(of: other.0) else { return nil }
    let text = chosen.1 ?? RecordFile.newFile(chosen.0.base, references: references)
    return text == bytes ? nil : .write(text, .content(ContentDigest(bytes)))
  }

  private struct Change {
    var sidecar: Sidecar
    var record: WriteBatch.Change?
    var dropsSidecar = false
    /// The create of a record to be created again on the server.
    var madeAgain: UnconfirmedWrite?
  }

  private func settleFields(
    _ entry: ScanEntry, _ decision: Decision, _ references: ReferenceTable,
    _ change: inout Change
  ) throws {
    guard case .fields(let updatedAt, let open)? = change.sidecar.conflict else { return }
    let bytes = try library.read(entry.ref.path)
    if let text = decision.text, text.replaced != ContentDigest(bytes) {
      throw EditError.changedMeanwhile(entry.ref)
    }
    let file = try RecordFile(ref: entry.ref, bytes: bytes)
    var values = file.reading(references: references, sidecar: change.sidecar).values
      .completed(from: change.sidecar.base)
    var left: [Sidecar.FieldConflict] = []
    for item in open {
      guard let field = entry.ref.kind.schema.field(wireKey: item.wireKey) else { continue }
      guard let choice = decision.field(field.key) else {
        left.append(item)
        continue
      }
      if let seen = decision.seen?.first(where: { $0.field == field }),
        seen.local != values.effective(field) || seen.server != item.server
      {
        throw EditError.changedMeanwhile(entry.ref)
      }
      switch choice {
      case .local: break
      case .server: values[field] = item.server
      case .values(let chosen):
        if let value = chosen[field.wireKey] { values[field] = value } else { left.append(item) }
      case .merge:
        if let merged = Merge.settled(
          field, base: item.base, local: values.effective(field), remote: item.server)
        {
          values[field] = merged
        } else {
          left.append(item)
        }
      }
    }
    change.sidecar.conflict = left.isEmpty ? nil : .fields(updatedAt: updatedAt, left)
    let text =
      try decision.text?.bytes
      ?? file.updated(to: values, references: references, sidecar: change.sidecar).bytes
    guard text != bytes else { return }
    change.record = .write(text, .content(ContentDigest(bytes)))
  }

  /// Writes a change after saving what it replaces, including the sidecar with its conflict.
  private func carryOut(_ change: Change, _ entry: ScanEntry, _ run: RunRecorder) throws {
    let (ref, place) = (entry.ref, entry.place)
    let status = try FileSystem.status(library.path(ref.path))
    let bytes = status == nil ? nil : try library.read(ref.path)
    run.pending.save(
      ref, local: bytes, sidecar: try library.read(place.sidecarPath), at: place,
      mode: status?.mode)
    switch change.record {
    case .write(let text, _): run.note(ref, after: ContentDigest(text))
    case .remove, .removeAnything: run.note(ref, after: nil)
    case nil: run.note(ref, after: bytes.map { ContentDigest($0) })
    }
    try run.flush()
    if let write = change.madeAgain {
      let journal = try Journal(library)
      // A choice that was undone may have left the same create.
      let earlier = journal.unconfirmedWrites.filter {
        $0.write.idempotencyKey == write.write.idempotencyKey
      }
      _ = try journal.begin([write])
      try journal.finish(earlier.map(\.number))
    }
    var batch = WriteBatch(root: library.root)
    batch.add(
      ref, in: library, record: change.record,
      sidecar: .sidecar(change.dropsSidecar ? nil : change.sidecar.fileBytes), at: place)
    guard try batch.commit()[0].isDone() else { throw EditError.changedMeanwhile(ref) }
    if change.dropsSidecar { library.forgetSeen(change.sidecar.id, of: ref.kind) }
    try run.finish(command: "resolve \(ref)")
  }
}
