/// The records that were seen on this machine together with their sidecars: `.stories/seen`.
///
/// They distinguish a removed record from one that never existed locally: a sidecar without its
/// record is a delete only if the record is listed here (or in git), and a record that disappeared
/// together with its sidecar is known only from here. The file is separate from the index because
/// it is evidence and not a cache. It may be removed or damaged at any time: then nothing is
/// listed, and a sidecar without its record is ``RecordState/missing``, which deletes nothing.
struct SeenRecords {
  typealias Record = Scan.SeenPair

  static let file = StateFile(name: "seen", form: 0x5354_4F52_4945_1002)

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
      guard let flag = try? reader.value(UInt8.self), let kind = try? reader.text(),
        let kind = EntityKind(rawValue: kind), let name = try? reader.text(),
        let id = try? reader.text()
      else { return [] }
      records.append(
        Record(ref: RecordRef(kind: kind, name: name), id: id, isTakenByGit: flag != 0))
    }
    return records
  }

  var sum: UInt64 { StateFile.sum(content?.rest ?? []) }

  /// Returns whether the file lists exactly the records that a scan found.
  func lists(_ entries: [ScanEntry]) -> Bool { holds(Self.content(entries, [])) }

  private func holds(_ writer: StateWriter) -> Bool { (content?.rest ?? []) == writer.content }

  private static func content(_ entries: [ScanEntry], _ others: [Record]) -> StateWriter {
    var writer = StateWriter()
    // Growing step by step would take twice as much memory.
    writer.reserve(128 * entries.count)
    func add(_ ref: RecordRef, _ id: String, isTakenByGit: Bool = false) {
      writer.add(UInt8(isTakenByGit ? 1 : 0))
      writer.add(ref.kind.rawValue)
      writer.add(ref.name)
      writer.add(id)
    }
    for place in entries.indices where entries[place].isSeen {
      add(entries[place].ref, entries[place].id ?? "")
    }
    for record in others { add(record.ref, record.id, isTakenByGit: record.isTakenByGit) }
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

extension ScanEntry {
  /// Whether record and sidecar both exist. Records that a sync has just written count too.
  @inline(__always)
  fileprivate var isSeen: Bool {
    id != nil && !ref.kind.schema.isReadOnly && (hasRecord || state == .synced)
      && state != .notCheckedOut
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
    /// this id is in git's history but not in `HEAD` or the index. Or whether it may have removed the
    /// record alone (``Scanner/recordsTakenByGit``).
    public var isTakenByGit = false

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
    if seen.lists(entries) { return seen.sum }
    var kept: [SeenRecords.Record] = []
    var gone: [SeenRecords.Record] = []
    // Another record has its name.
    var replaced: [SeenRecords.Record] = []
    for record in seen.records {
      if let referrer = referrer(of: record.id, of: record.ref.kind) {
        guard !referrer.isSeen else { continue }
        // The evidence is kept for as long as the sidecar exists, as is that git took the record: what
        // shows it, such as a stash, may go.
        var record = record
        if referrer.state == .missing, !incompleteKinds.contains(record.ref.kind) {
          record.isTakenByGit = true
        }
        kept.append(record)
      } else if let entry = entry(record.ref), entry.hasRecord {
        // Without an id, only its sidecar is missing, unless git removed both before.
        if entry.id == nil, !record.isTakenByGit {
          kept.append(record)
        } else {
          replaced.append(record)
        }
      } else if incompleteKinds.contains(record.ref.kind) {
        // It may be where nothing can be read.
        kept.append(record)
      } else {
        gone.append(record)
      }
    }
    let open = (gone + replaced).filter { !$0.isTakenByGit }
    let taken = open.isEmpty ? [] : takenByGit(open)
    kept += replaced.filter { !$0.isTakenByGit && !taken.contains($0) }
    gone += replaced.filter { $0.isTakenByGit || taken.contains($0) }
    for place in gone.indices where taken.contains(gone[place]) { gone[place].isTakenByGit = true }
    missingPairs = gone.sorted { $0.ref < $1.ref }
    guard isWriting else { return nil }
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
    let kept = seen.records.filter { record in
      referrer(of: record.id, of: record.ref.kind).map { !$0.isSeen }
        ?? (entry(record.ref).map { $0.hasRecord && $0.id == nil } ?? false
          || incompleteKinds.contains(record.ref.kind))
    }
    let gone = missing.filter { referrer(of: $0.id, of: $0.ref.kind) == nil }
    seen.write(self, keeping: kept + gone)
  }
}

extension Library {
  /// Forgets that this machine saw a record whose sidecar was removed on purpose, so that it does not
  /// count as missing.
  package func forgetSeen(_ id: String, of kind: EntityKind) {
    let seen = SeenRecords(self)
    seen.write(Scan(), keeping: seen.records.filter { $0.ref.kind != kind || $0.id != id })
  }

  /// Returns the records that this machine last saw with an id, other than those that git removed.
  ///
  /// - Parameter isWanted: Returns whether to include a record.
  package func seenPairs(where isWanted: (RecordRef) -> Bool) -> [Scan.SeenPair] {
    SeenRecords(self).records.filter { !$0.isTakenByGit && isWanted($0.ref) }
  }
}
