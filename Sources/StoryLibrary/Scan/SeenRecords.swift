/// The records that were seen on this machine together with their sidecars: `.stories/seen`.
///
/// They distinguish a removed record from one that never existed locally: a sidecar without its
/// record is a delete only if the record is listed here (or in git), and a record that disappeared
/// together with its sidecar is known only from here. The file is separate from the index because
/// it is evidence and not a cache. It may be removed or damaged at any time: then nothing is
/// listed, and a sidecar without its record is ``RecordState/missing``, which deletes nothing.
struct SeenRecords {
  /// A pair as it was last seen.
  struct Record {
    var pair: Scan.SeenPair
    /// The sidecar's revision; empty if it could not be read.
    var revision: String
    /// The digest of the record if it equaled its base.
    var synced: ContentDigest?
    /// Whether the record alone is known to be missing since then.
    var isMissing = false

    init(_ pair: Scan.SeenPair, revision: String, synced: ContentDigest? = nil) {
      self.pair = pair
      self.revision = revision
      self.synced = synced
    }

    init(_ entry: ScanEntry) {
      pair = Scan.SeenPair(ref: entry.ref, id: entry.id ?? "")
      revision = entry.updatedAt ?? ""
      synced = entry.state == .synced ? entry.digest : nil
    }

    mutating func noteMissing() { (isMissing, pair.isTakenByGit) = (true, true) }
  }

  static let file = StateFile(name: "seen", form: 0x5354_4F52_4945_1003)

  private let library: Library
  private let content: StateReader?

  /// Reads the file of a library. An invalid one counts as empty.
  init(_ library: Library) {
    self.library = library
    content = Self.file.read(library)
  }

  var records: [Record] {
    guard var reader = content else { return [] }
    var records: [Record] = []
    while !reader.isAtEnd {
      guard let record = try? Self.record(&reader) else { return [] }
      records.append(record)
    }
    return records
  }

  private static func record(_ reader: inout StateReader) throws(StateReader.Damage) -> Record {
    let flags = try reader.value(UInt8.self)
    guard let kind = EntityKind(rawValue: try reader.text()) else { throw StateReader.Damage() }
    let ref = RecordRef(kind: kind, name: try reader.text())
    let pair = Scan.SeenPair(
      ref: ref, id: try reader.text(), isTakenByGit: flags & isTakenFlag != 0)
    let revision = try reader.text()
    let synced = flags & isSyncedFlag != 0 ? try reader.value(ContentDigest.self) : nil
    var record = Record(pair, revision: revision, synced: synced)
    record.isMissing = flags & isMissingFlag != 0
    return record
  }

  private static let isTakenFlag: UInt8 = 1
  private static let isSyncedFlag: UInt8 = 2
  private static let isMissingFlag: UInt8 = 4

  /// Returns the records of some entries.
  func records(of entries: [ScanEntry]) -> [ScanEntry.Key: Record] {
    let keys = Set(entries.compactMap(\.key))
    if keys.isEmpty { return [:] }
    let found = records.filter { keys.contains($0.pair.key) }
    return Dictionary(found.map { ($0.pair.key, $0) }, uniquingKeysWith: { $1 })
  }

  var sum: UInt64 { StateFile.sum(content?.rest ?? []) }

  /// Whether no other process has replaced the file since it was read.
  var isCurrent: Bool { SeenRecords(library).sum == sum }

  /// Returns whether the file lists exactly the records that a scan found.
  func lists(_ entries: [ScanEntry]) -> Bool { holds(Self.content(entries, [])) }

  private func holds(_ writer: StateWriter) -> Bool { (content?.rest ?? []) == writer.content }

  private static func content(_ entries: [ScanEntry], _ others: [Record]) -> StateWriter {
    var writer = StateWriter()
    // Growing step by step would take twice as much memory.
    writer.reserve(192 * entries.count)
    func add(_ record: Record) {
      writer.add(
        (record.pair.isTakenByGit ? isTakenFlag : 0) | (record.synced != nil ? isSyncedFlag : 0)
          | (record.isMissing ? isMissingFlag : 0))
      writer.add(record.pair.ref.kind.rawValue)
      writer.add(record.pair.ref.name)
      writer.add(record.pair.id)
      writer.add(record.revision)
      if let digest = record.synced { writer.add(digest) }
    }
    for place in entries.indices where entries[place].isSeen { add(Record(entries[place])) }
    for record in others { add(record) }
    return writer
  }

  /// Writes the records of a scan and additional ones, unless the file is up to date.
  ///
  /// Errors are ignored: at worst, a record is later reported as missing.
  /// - Returns: The ``sum`` of what the file should contain.
  @discardableResult
  func write(_ scan: Scan, keeping kept: [Record] = []) -> UInt64 {
    var content = Self.content(scan.entries, kept)
    if !holds(content) { Self.file.write(&content, library) }
    return StateFile.sum(content.content)
  }
}

extension [ScanEntry.Key: SeenRecords.Record] {
  subscript(entry: ScanEntry) -> SeenRecords.Record? { entry.key.flatMap { self[$0] } }
}

extension ScanEntry {
  /// Whether record and sidecar both exist. Records that a sync has just written count too.
  @inline(__always)
  fileprivate var isSeen: Bool {
    id != nil && !ref.kind.schema.isReadOnly && (hasRecord || state == .synced)
      && state != .notCheckedOut && !isOutdated
  }
}

// MARK: Scan results

extension Scan {
  /// A record that this machine saw together with its sidecar.
  public struct SeenPair: Sendable, Hashable {
    /// The name when it was last seen.
    public var ref: RecordRef
    /// The id on the server.
    public var id: String
    /// Whether git removed the sidecar, for example by checking out another commit: a sidecar with
    /// this id is in git's history but not in `HEAD` or the index. Or whether the record alone is
    /// ``RecordState/missing``.
    public var isTakenByGit = false

    var key: ScanEntry.Key { ScanEntry.Key(kind: ref.kind, id: id) }

    /// The warning that both files are gone.
    public var problem: Problem {
      Problem(.missingPair(ref), severity: .warning, file: ref.path)
    }
  }

  /// Finds the pairs that disappeared, and optionally saves those that exist.
  ///
  /// - Returns: The sum of the saved list if it consists of the entries alone, or `nil`.
  mutating func compare(
    with seen: SeenRecords, isWriting: Bool, takenByGit: ([SeenPair]) -> Set<SeenPair>
  ) -> UInt64? {
    let missing = entries.indices.filter { entries[$0].removal == .missing }
    if missing.isEmpty, seen.lists(entries) { return seen.sum }
    var kept: [SeenRecords.Record] = []
    var gone: [SeenRecords.Record] = []
    // Another record has its name.
    var replaced: [SeenRecords.Record] = []
    for record in seen.records {
      let pair = record.pair
      if let referrer = referrer(of: pair.id, of: pair.ref.kind) {
        guard !referrer.isSeen else { continue }
        // The evidence is kept for as long as the sidecar exists, as is that git took the record: what
        // shows it, such as a stash, may go.
        var record = record
        switch referrer.removal {
        case .missing: record.noteMissing()
        case .removed: record.revision = referrer.updatedAt ?? ""
        case nil: break
        }
        kept.append(record)
      } else if let entry = entry(pair.ref), entry.hasRecord {
        // Without an id, only its sidecar is missing, unless git removed both before.
        if entry.id == nil, !pair.isTakenByGit {
          kept.append(record)
        } else {
          replaced.append(record)
        }
      } else if incompleteKinds.contains(pair.ref.kind) {
        // It may be where nothing can be read.
        kept.append(record)
      } else {
        gone.append(record)
      }
    }
    let open = (gone + replaced).map(\.pair).filter { !$0.isTakenByGit }
    let taken = open.isEmpty ? [] : takenByGit(open)
    func isTaken(_ record: SeenRecords.Record) -> Bool {
      record.pair.isTakenByGit || taken.contains(record.pair)
    }
    kept += replaced.filter { !isTaken($0) }
    gone += replaced.filter(isTaken)
    for place in gone.indices where isTaken(gone[place]) { gone[place].pair.isTakenByGit = true }
    missingPairs = gone.map(\.pair).sorted { $0.ref < $1.ref }
    let known = Set(kept.map(\.pair.key))
    for place in missing where !(entries[place].key.map(known.contains) ?? true) {
      var record = SeenRecords.Record(entries[place])
      record.noteMissing()
      kept.append(record)
    }
    // What a sync notes while this scan runs is newer.
    guard isWriting, seen.isCurrent else { return nil }
    let sum = seen.write(self, keeping: kept + gone)
    return kept.isEmpty && gone.isEmpty ? sum : nil
  }

  /// Saves what exists after a sync, for the next scan.
  ///
  /// - Parameters:
  ///   - library: The scanned library.
  ///   - missing: The pairs that are still on the server but missing locally. All other missing
  ///     pairs were deleted by the sync.
  package func noteSeen(in library: Library, missing: [SeenPair]) {
    let seen = SeenRecords(library)
    if missing.isEmpty, seen.lists(entries) { return }
    let missing = Set(missing.map(\.key))
    let kept = seen.records.filter { record in
      let pair = record.pair
      return referrer(of: pair.id, of: pair.ref.kind).map { !$0.isSeen }
        ?? (entry(pair.ref).map { $0.hasRecord && $0.id == nil } ?? false
          || incompleteKinds.contains(pair.ref.kind) || missing.contains(pair.key))
    }
    seen.write(self, keeping: kept)
  }
}

extension Library {
  /// Forgets that this machine saw a record whose sidecar was removed on purpose, so that it does not
  /// count as missing.
  package func forgetSeen(_ id: String, of kind: EntityKind) {
    let seen = SeenRecords(self)
    let forgotten = ScanEntry.Key(kind: kind, id: id)
    seen.write(Scan(), keeping: seen.records.filter { $0.pair.key != forgotten })
  }

  /// Returns the records that this machine last saw with an id, other than those that git removed.
  ///
  /// - Parameter isWanted: Returns whether to include a record.
  package func seenPairs(where isWanted: (RecordRef) -> Bool) -> [Scan.SeenPair] {
    SeenRecords(self).records.map(\.pair).filter { !$0.isTakenByGit && isWanted($0.ref) }
  }
}
