#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The results of the last scan for unchanged files: `.stories/index`.
///
/// This is a cache. A pair of files is taken from it only if both files have exactly the keys
/// (``FileKey``) that they had before they were read, and if the references in the record still
/// resolve to the same records. If the index is missing, damaged, or of another format or schema,
/// the files are read and a new index is written.
///
/// The file has a digest of the schemas, and for each writable kind a sum of all names and keys,
/// the number of records, and the records in name order. Each target is written once, with its
/// meaning.
struct ScanIndex {
  static let file = StateFile(name: "index", form: 0x5354_4F52_4945_0004)

  /// The fixed-size part of a pair without problems. Values of a missing file are unused.
  private struct Row: BitwiseCopyable {
    var record = FileKey(stat())
    var sidecar = FileKey(stat())
    var digest = ContentDigest.zero
    var sidecarDigest = ContentDigest.zero
    var changes: UInt32 = 0
    /// The numbers of bytes in the name, the id and the revision.
    var texts: (UInt32, UInt32, UInt32) = (0, 0, 0)
    var targets: UInt32 = 0
    var state: UInt16 = 0
    var flags = Flags()

    var recordKey: FileKey? { flags.contains(.record) ? record : nil }
    var sidecarKey: FileKey? { flags.contains(.sidecar) ? sidecar : nil }
  }

  /// The result for one kind, before anything but its files is considered.
  private enum Finding {
    /// All of it is in this index.
    case known(ArraySlice<UInt8>, count: Int)
    case found(FolderWalk, [ScanEntry])
  }

  private let library: Library
  private var content: StateReader?
  /// The number of records in the index, and of those taken from it.
  private(set) var (known, taken) = (0, 0)
  /// The number of records in the section that was read last.
  private var lastCount = 0
  private var findings: [Finding] = []
  /// The time before the first file was read, or `nil` if none was.
  private var stamp: Stamp?

  /// Reads the index of a library. An invalid one counts as empty.
  init(_ library: Library) {
    self.library = library
    content = Self.file.read(library)
    if (try? content?.value(UInt64.self)) != Self.schemas { content = nil }
  }

  /// A digest of everything that affects the meaning of a record.
  private static let schemas: UInt64 = {
    var text = ""
    for kind in EntityKind.allCases {
      text += kind.rawValue + "\n"
      for field in kind.schema.fields { text += field.summary + "\n" }
    }
    return ContentDigest(text.utf8).high
  }()

  // MARK: Reading

  /// Returns the entries of the next kind if nothing has changed since they were saved, or `nil`.
  ///
  /// This is the most frequent case, and it needs no name lookups.
  mutating func allEntries(_ walk: FolderWalk, _ references: ReferenceTable) -> [ScanEntry]? {
    guard !walk.kind.schema.isReadOnly, walk.areNamesSimple, walk.isComplete, let start = content
    else { return nil }
    var reader = start
    var entries: [ScanEntry] = []
    if (try? reader.value(UInt64.self)) == walk.sum, let all = try? reader.value(UInt32.self) {
      entries.reserveCapacity(min(Int(all), reader.rest.count / MemoryLayout<Row>.size))
      readRows(of: walk.kind, references) { entries.append($1) }
      if let end = content, entries.count == all {
        known += entries.count
        taken += entries.count
        findings.append(.known(start.bytes(to: end), count: entries.count))
        return entries
      }
    }
    content = start
    return nil
  }

  /// Returns the known entries of `pairs`, and the indices of the other pairs, whose files must be
  /// read; both in pair order.
  ///
  /// Must be called once for each writable kind, in their order.
  mutating func entries(
    for pairs: [FolderWalk.Pair], of kind: EntityKind, _ references: ReferenceTable
  ) -> (entries: [ScanEntry], unknown: [Int]) {
    var (entries, unknown): ([ScanEntry], [Int]) = ([], [])
    // Both are in name order.
    var next = 0
    readRows(of: kind, references) { row, entry in
      while next < pairs.count, pairs[next].ref.name < entry.ref.name {
        unknown.append(next)
        next += 1
      }
      guard next < pairs.count, pairs[next].ref.name == entry.ref.name else { return }
      if pairs[next].isRegular, row.recordKey == pairs[next].recordKey,
        row.sidecarKey == pairs[next].sidecarKey
      {
        entries.append(entry)
        entries[entries.count - 1].ref = pairs[next].ref
      } else {
        unknown.append(next)
      }
      next += 1
    }
    if content == nil { (entries, unknown, next) = ([], [], 0) }
    unknown += next..<pairs.count
    known += lastCount
    taken += entries.count
    if stamp == nil, !unknown.isEmpty { stamp = Stamp(library) }
    return (entries, unknown)
  }

  /// Reads the records of the next kind and passes on those whose references resolve as before. If
  /// the file is damaged, ``content`` is `nil` afterwards.
  private mutating func readRows(
    of kind: EntityKind, _ references: ReferenceTable, _ take: (Row, ScanEntry) -> Void
  ) {
    lastCount = 0
    guard var reader = content else { return }
    var targets: [(ref: RecordRef, isPending: Bool, isValid: Bool)] = []
    do {
      _ = (try reader.value(UInt64.self), try reader.value(UInt32.self))
      while try reader.value(UInt8.self) != 0 {
        lastCount += 1
        var isValid = true
        let row = try reader.value(Row.self)
        var entry = try Self.entry(row, &reader, of: kind)
        for _ in 0..<row.targets {
          let place = Int(try reader.value(UInt32.self))
          // The first occurrence of a name says what it resolved to.
          if place == targets.count {
            let (ref, id) = (try Self.ref(&reader), try reader.optionalText())
            let meaning = id.map { ReferenceTable.Meaning.id($0) } ?? .pending
            targets.append((ref, id == nil, references.plainMeaning(of: ref) == meaning))
          }
          guard place < targets.count else { throw StateReader.Damage() }
          isValid = isValid && targets[place].isValid
          entry.targets.append(targets[place].ref)
          if targets[place].isPending { entry.waitsFor.append(targets[place].ref) }
        }
        if isValid { take(row, entry) }
      }
      content = reader
    } catch {
      content = nil
      lastCount = 0
    }
  }

  private static func ref(_ reader: inout StateReader) throws(StateReader.Damage) -> RecordRef {
    guard let kind = EntityKind(rawValue: try reader.text()) else { throw StateReader.Damage() }
    return RecordRef(kind: kind, name: try reader.text())
  }

  private static func entry(
    _ row: Row, _ reader: inout StateReader, of kind: EntityKind
  ) throws(StateReader.Damage) -> ScanEntry {
    guard row.state < states.count else { throw StateReader.Damage() }
    let ref = RecordRef(kind: kind, name: try reader.text(Int(row.texts.0)))
    var entry = ScanEntry(ref: ref, state: states[Int(row.state)])
    if row.flags.contains(.record) {
      entry.digest = row.digest
      entry.obstacle = .regular
    }
    if row.flags.contains(.sidecar) {
      entry.sidecarDigest = row.sidecarDigest
      entry.id = try reader.text(Int(row.texts.1))
      entry.updatedAt = try reader.text(Int(row.texts.2))
    }
    entry.changes = FieldSet(bits: row.changes)
    entry.isDeleteStated = row.flags.contains(.deleteStated)
    for (flag, conflict) in Flags.conflicts where row.flags.contains(flag) {
      entry.conflict = conflict
    }
    return entry
  }

  private static let states = RecordState.allCases

  private struct Flags: OptionSet, BitwiseCopyable {
    var rawValue: UInt16 = 0

    static let record = Flags(rawValue: 1)
    static let sidecar = Flags(rawValue: 2)
    static let deleteStated = Flags(rawValue: 4)
    static let conflicts: [(Flags, ConflictKind)] = [
      (Flags(rawValue: 8), .fields), (Flags(rawValue: 16), .deletedOnServer),
      (Flags(rawValue: 32), .deletedHere),
    ]
  }

  // MARK: Writing

  /// Saves the results of the kind that was read last.
  mutating func note(_ walk: FolderWalk, _ entries: [ScanEntry]) {
    findings.append(.found(walk, entries))
  }

  /// The time before a scan read its first file, by the clock of the library's file system.
  ///
  /// Files that are not older are not saved: they could change within the same clock tick and keep
  /// their keys. They are read again until they are old enough.
  struct Stamp {
    let key: FileKey

    /// Takes a stamp, or returns `nil` if the state folder is not writable.
    init?(_ library: Library) {
      // A library that a newer program has written is left alone.
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

    /// Returns whether any change of a file read after the stamp would change its key.
    func isSettled(_ file: FileKey?) -> Bool {
      guard let file else { return true }
      return file.device == key.device && max(file.changed, file.modified) < key.modified
    }
  }

  /// Writes a new index, unless nearly everything was taken from this one.
  ///
  /// Reading a few records again is faster than writing all of them.
  /// - Parameters:
  ///   - references: The references at the end of the scan.
  ///   - newsShare: The index is kept if at most one record in this many may have changed.
  mutating func update(_ references: ReferenceTable, newsShare: Int) {
    guard known > taken || stamp != nil, let stamp = stamp ?? Stamp(library) else { return }
    // Frees the old content, which is as large as the new one.
    content = nil
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

  /// Appends the results for a kind and returns the number of records saved.
  private static func add(
    _ walk: FolderWalk, _ entries: [ScanEntry], _ stamp: Stamp, _ references: ReferenceTable,
    to writer: inout StateWriter
  ) -> Int {
    var count = 0
    var places: [RecordRef: UInt32] = [:]
    writer.reserve(entries.count * (MemoryLayout<Row>.size + 128))
    writer.add(walk.sum)
    writer.add(UInt32(clamping: entries.count))
    for (pair, entry) in zip(walk.pairs, entries) {
      // An unusual entry needs its files to be read again. The meaning of a changed reference also
      // depends on whether the former target exists under another name.
      guard pair.isRegular, stamp.isSettled(pair.recordKey), stamp.isSettled(pair.sidecarKey),
        entry.problems.isEmpty, entry.renamedFrom == nil, entry.outdatedReferences.isEmpty,
        !entry.hasChangedReference,
        entry.targets.allSatisfy({ references.plainMeaning(of: $0) != nil }),
        add(entry, pair, to: &writer)
      else { continue }
      count += 1
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

  /// Appends a record without its references, or appends nothing and returns `false`.
  private static func add(
    _ entry: ScanEntry, _ pair: FolderWalk.Pair, to writer: inout StateWriter
  ) -> Bool {
    guard let state = states.firstIndex(of: entry.state) else { return false }
    var row = Row()
    row.state = UInt16(state)
    for (flag, conflict) in Flags.conflicts where entry.conflict == conflict {
      row.flags.insert(flag)
    }
    if entry.isDeleteStated { row.flags.insert(.deleteStated) }
    if let key = pair.recordKey {
      guard let digest = entry.digest else { return false }
      (row.record, row.digest) = (key, digest)
      row.flags.insert(.record)
    }
    var (id, version) = ("", "")
    if let key = pair.sidecarKey {
      guard let digest = entry.sidecarDigest, let known = entry.id, let base = entry.updatedAt
      else { return false }
      (row.sidecar, row.sidecarDigest, id, version) = (key, digest, known, base)
      row.flags.insert(.sidecar)
    }
    row.changes = entry.changes.bits
    row.targets = UInt32(entry.targets.count)
    row.texts = (
      UInt32(entry.ref.name.utf8.count), UInt32(id.utf8.count), UInt32(version.utf8.count)
    )
    writer.add(UInt8(1))
    writer.add(row)
    writer.add(plain: entry.ref.name)
    writer.add(plain: id)
    writer.add(plain: version)
    return true
  }
}
