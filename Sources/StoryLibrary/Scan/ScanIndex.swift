#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the last scan found of files that have not changed since: `.stories/index`.
///
/// It is a cache. A pair of files is taken from it only if both have the very keys (``FileKey``) that
/// they had before they were read, and if the names in the record still stand for what they stood
/// for. Without it, and if it is damaged in any bit, of another form or of another schema, the files
/// are read and a new one is written.
///
/// The file holds a digest of the schemas, then for each kind that people write its records in the
/// order of their names, after a sum of all names and keys and the number of records. A name that
/// records refer to is written once, with what it stood for.
struct ScanIndex {
  static let file = StateFile(name: "index", form: 0x5354_4F52_4945_0003)

  /// A pair of files whose reading gave nothing unusual.
  private struct Row {
    var entry: ScanEntry
    var record: FileKey?
    var sidecar: FileKey?
  }

  /// What a scan found of a kind, before it looked at anything else than the files.
  private enum Finding {
    /// All of it as this index has it.
    case known(ArraySlice<UInt8>, count: Int)
    case found(FolderWalk, [ScanEntry])
  }

  private let library: Library
  private var content: StateReader?
  /// The number of records that it knew, and of those that were taken from it.
  private(set) var (known, taken) = (0, 0)
  /// The number of records in the section that was read last.
  private var lastCount = 0
  private var findings: [Finding] = []
  /// The moment before the first file was read; `nil` if none was.
  private var stamp: Stamp?

  /// Reads the index of a library; one that cannot be believed knows nothing.
  init(_ library: Library) {
    self.library = library
    content = Self.file.read(library)
    if (try? content?.value(UInt64.self)) != Self.schemas { content = nil }
  }

  /// A digest of everything that decides what a record means.
  private static let schemas: UInt64 = {
    var text = ""
    for kind in EntityKind.allCases {
      text += kind.rawValue + "\n"
      for field in kind.schema.fields { text += field.summary + "\n" }
    }
    return ContentDigest(text.utf8).high
  }()

  // MARK: Reading

  /// Returns the entries of the next kind if nothing at all has changed since they were noted; `nil`
  /// otherwise.
  ///
  /// That is what a library is like most of the time, and then no name has to be looked up.
  mutating func allEntries(_ walk: FolderWalk, _ references: ReferenceTable) -> [ScanEntry]? {
    guard !walk.kind.schema.isReadOnly, walk.areNamesSimple, walk.isComplete, let start = content
    else { return nil }
    var reader = start
    guard (try? reader.value(UInt64.self)) == walk.sum, let all = try? reader.value(UInt32.self),
      let rows = rows(of: walk.kind, references), rows.count == all, let end = content
    else {
      content = start
      return nil
    }
    known += rows.count
    taken += rows.count
    findings.append(.known(start.bytes(to: end), count: rows.count))
    return rows.map(\.entry)
  }

  /// Returns an entry for each of `pairs`, in their order: what is known of it, or one without a state
  /// whose files have to be read; and the places of the latter.
  ///
  /// Each kind that people write must be asked for once, in their order.
  mutating func entries(
    for pairs: [FolderWalk.Pair], of kind: EntityKind, _ references: ReferenceTable
  ) -> (entries: [ScanEntry], unknown: [Int]) {
    let rows = rows(of: kind, references) ?? []
    known += lastCount
    var (entries, unknown): ([ScanEntry], [Int]) = ([], [])
    entries.reserveCapacity(pairs.count)
    // Both are in the order of their names.
    var next = 0
    for place in pairs.indices {
      let name = pairs[place].ref.name
      while next < rows.count, rows[next].entry.ref.name < name { next += 1 }
      if next < rows.count, pairs[place].isRegular, rows[next].entry.ref.name == name,
        rows[next].record == pairs[place].recordKey, rows[next].sidecar == pairs[place].sidecarKey
      {
        entries.append(rows[next].entry)
        entries[place].ref = pairs[place].ref
      } else {
        unknown.append(place)
        entries.append(ScanEntry(ref: pairs[place].ref, state: .unreadable))
      }
    }
    taken += pairs.count - unknown.count
    if stamp == nil, !unknown.isEmpty { stamp = Stamp(library) }
    return (entries, unknown)
  }

  /// The records of the next kind whose references stand for what they stood for.
  private mutating func rows(of kind: EntityKind, _ references: ReferenceTable) -> [Row]? {
    lastCount = 0
    guard var reader = content else { return nil }
    var rows: [Row] = []
    var targets: [(ref: RecordRef, isPending: Bool, isValid: Bool)] = []
    do {
      _ = (try reader.value(UInt64.self), try reader.value(UInt32.self))
      while try reader.value(UInt8.self) != 0 {
        lastCount += 1
        var isValid = true
        var row = try Self.row(&reader, of: kind)
        for _ in 0..<(try reader.value(UInt8.self)) {
          let place = Int(try reader.value(UInt32.self))
          // The first mention of a name says what it stood for.
          if place == targets.count {
            let (ref, id) = (try Self.ref(&reader), try reader.optionalText())
            let meaning = id.map { ReferenceTable.Meaning.id($0) } ?? .pending
            targets.append((ref, id == nil, references.plainMeaning(of: ref) == meaning))
          }
          guard place < targets.count else { throw StateReader.Damage() }
          isValid = isValid && targets[place].isValid
          row.entry.targets.append(targets[place].ref)
          if targets[place].isPending { row.entry.waitsFor.append(targets[place].ref) }
        }
        if isValid { rows.append(row) }
      }
      content = reader
      return rows
    } catch {
      content = nil
      lastCount = 0
      return nil
    }
  }

  private static func ref(_ reader: inout StateReader) throws(StateReader.Damage) -> RecordRef {
    guard let kind = EntityKind(rawValue: try reader.text()) else { throw StateReader.Damage() }
    return RecordRef(kind: kind, name: try reader.text())
  }

  private static func row(
    _ reader: inout StateReader, of kind: EntityKind
  ) throws(StateReader.Damage) -> Row {
    let ref = RecordRef(kind: kind, name: try reader.text())
    let (state, flags) = (Int(try reader.value(UInt8.self)), Flags(try reader.value(UInt8.self)))
    guard state < RecordState.allCases.count else { throw StateReader.Damage() }
    var row = Row(entry: ScanEntry(ref: ref, state: RecordState.allCases[state]))
    if flags.contains(.record) {
      row.record = try reader.value(FileKey.self)
      row.entry.digest = try reader.value(ContentDigest.self)
      row.entry.obstacle = .regular
    }
    if flags.contains(.sidecar) {
      row.sidecar = try reader.value(FileKey.self)
      row.entry.sidecarDigest = try reader.value(ContentDigest.self)
      row.entry.id = try reader.text()
      row.entry.updatedAt = try reader.text()
    }
    row.entry.changes = FieldSet(bits: try reader.value(UInt32.self))
    row.entry.isDeleteStated = flags.contains(.deleteStated)
    for (flag, conflict) in Flags.conflicts where flags.contains(flag) {
      row.entry.conflict = conflict
    }
    return row
  }

  private struct Flags: OptionSet {
    var rawValue: UInt8
    init(rawValue: UInt8) { self.rawValue = rawValue }
    init(_ rawValue: UInt8) { self.rawValue = rawValue }

    static let record = Flags(1)
    static let sidecar = Flags(2)
    static let deleteStated = Flags(4)
    static let conflicts: [(Flags, ConflictKind)] = [
      (Flags(8), .fields), (Flags(16), .deletedOnServer), (Flags(32), .deletedHere),
    ]
  }

  // MARK: Writing

  /// Notes what was found of the kind that was asked for last.
  mutating func note(_ walk: FolderWalk, _ entries: [ScanEntry]) {
    findings.append(.found(walk, entries))
  }

  /// The moment before a scan read its first file, by the clock of the very file system that stamps
  /// the records.
  ///
  /// What is not older is not noted: it could change again within the same tick of that clock and
  /// keep its key. It is read again until it has settled.
  struct Stamp {
    let key: FileKey

    /// Takes a stamp; `nil` if nothing can be written here.
    init?(_ library: Library) {
      // A library that a newer program wrote to is left as it is.
      let path = library.statePath("index.new")
      guard (try? library.checkWritable()) != nil, (try? library.prepareStateFolder()) != nil,
        let descriptor = try? FileSystem.open(path, O_RDWR | O_CREAT | O_TRUNC)
      else { return nil }
      defer {
        close(descriptor)
        try? FileSystem.remove(path)
      }
      var (byte, status) = (UInt8(0), stat())
      guard pwrite(descriptor, &byte, 1, 0) == 1, fstat(descriptor, &status) == 0 else {
        return nil
      }
      key = FileKey(status)
    }

    /// Returns whether a file that is read after the stamp can be told from what it may become.
    func isSettled(_ file: FileKey?) -> Bool {
      guard let file else { return true }
      return file.device == key.device && max(file.changed, file.modified) < key.modified
    }
  }

  /// Writes a new index of what was noted, unless nearly all of it was taken from this one.
  ///
  /// To read a few records again takes less than to write down all of them.
  /// - Parameters:
  ///   - references: what names stand for at the end of the scan.
  ///   - newsShare: the number of records for one that may have changed.
  func update(_ references: ReferenceTable, newsShare: Int) {
    guard known > taken || stamp != nil, let stamp = stamp ?? Stamp(library) else { return }
    var writer = StateWriter()
    writer.add(Self.schemas)
    var count = 0
    for finding in findings {
      switch finding {
      case .known(let bytes, let known):
        writer.add(contentsOf: bytes)
        count += known
      case .found(let walk, let entries):
        count += Self.add(walk, entries, stamp, references, to: &writer)
      }
    }
    guard known - taken + count - taken > known / newsShare else { return }
    Self.file.write(&writer, library)
  }

  /// Appends what was found of a kind.
  ///
  /// - Returns: the number of records that are noted.
  private static func add(
    _ walk: FolderWalk, _ entries: [ScanEntry], _ stamp: Stamp, _ references: ReferenceTable,
    to writer: inout StateWriter
  ) -> Int {
    var count = 0
    var places: [RecordRef: UInt32] = [:]
    writer.add(walk.sum)
    writer.add(UInt32(clamping: entries.count))
    for (pair, entry) in zip(walk.pairs, entries) {
      // All of what makes an entry unusual takes a second look at the files. What a changed reference
      // means also depends on whether the record that it meant before is here under another name.
      guard pair.isRegular, stamp.isSettled(pair.recordKey), stamp.isSettled(pair.sidecarKey),
        entry.problems.isEmpty, entry.renamedFrom == nil, entry.outdatedReferences.isEmpty,
        !entry.hasChangedReference,
        entry.targets.count <= UInt8.max,
        entry.targets.allSatisfy({ references.plainMeaning(of: $0) != nil }),
        add(entry, pair, to: &writer)
      else { continue }
      count += 1
      writer.add(UInt8(entry.targets.count))
      for target in entry.targets {
        if let place = places[target] {
          writer.add(place)
          continue
        }
        writer.add(UInt32(places.count))
        places[target] = UInt32(places.count)
        writer.add(target.kind.rawValue)
        writer.add(target.name)
        writer.add(references.id(of: target))
      }
    }
    writer.add(UInt8(0))
    return count
  }

  /// Appends what was found of a record, without its references.
  ///
  /// - Returns: whether it is noted; nothing is appended otherwise.
  private static func add(
    _ entry: ScanEntry, _ pair: FolderWalk.Pair, to writer: inout StateWriter
  ) -> Bool {
    guard let state = RecordState.allCases.firstIndex(of: entry.state) else { return false }
    var flags = Flags()
    for (flag, conflict) in Flags.conflicts where entry.conflict == conflict { flags.insert(flag) }
    if entry.isDeleteStated { flags.insert(.deleteStated) }
    if pair.recordKey != nil {
      guard entry.digest != nil else { return false }
      flags.insert(.record)
    }
    if pair.sidecarKey != nil {
      guard entry.sidecarDigest != nil, entry.id != nil, entry.updatedAt != nil else {
        return false
      }
      flags.insert(.sidecar)
    }
    writer.add(UInt8(1))
    writer.add(entry.ref.name)
    writer.add(UInt8(state))
    writer.add(flags.rawValue)
    if let key = pair.recordKey, let digest = entry.digest {
      writer.add(key)
      writer.add(digest)
    }
    if let key = pair.sidecarKey, let digest = entry.sidecarDigest {
      writer.add(key)
      writer.add(digest)
      writer.add(entry.id ?? "")
      writer.add(entry.updatedAt ?? "")
    }
    writer.add(entry.changes.bits)
    return true
  }
}
