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
  static let file = StateFile(name: "index", form: 0x5354_4F52_4945_0005)

  /// A record in this index: the keys of its files and the result of reading them.
  private struct Row {
    var record: FileKey?
    var sidecar: FileKey?
    var entry: ScanEntry
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
    let fields = EntityKind.allCases.map { ($0, $0.schema.fields) }
    return ContentDigest(String(describing: fields).utf8).high
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
      entries.reserveCapacity(min(Int(all), reader.rest.count / MemoryLayout<FileKey>.size))
      readRows(of: walk.kind, references) { entries.append($0.entry) }
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

  /// Returns the known entry of each pair, or `nil` where the files must be read.
  ///
  /// Must be called once for each writable kind, in their order.
  mutating func entries(
    for pairs: [FolderWalk.Pair], of kind: EntityKind, _ references: ReferenceTable
  ) -> [ScanEntry?] {
    let none = [ScanEntry?](repeating: nil, count: pairs.count)
    var entries = none
    // Both are in name order.
    var next = 0
    var found = 0
    readRows(of: kind, references) { row in
      let name = row.entry.ref.name
      while next < pairs.count, pairs[next].ref.name < name { next += 1 }
      guard next < pairs.count, pairs[next].ref.name == name else { return }
      if pairs[next].isRegular, row.record == pairs[next].recordKey,
        row.sidecar == pairs[next].sidecarKey
      {
        entries[next] = row.entry
        entries[next]?.ref = pairs[next].ref
        found += 1
      }
      next += 1
    }
    if content == nil { (entries, found) = (none, 0) }
    known += lastCount
    taken += found
    if stamp == nil, found < pairs.count { stamp = Stamp(library) }
    return entries
  }

  /// Reads the records of the next kind and passes on those whose references resolve as before. If
  /// the file is damaged, ``content`` is `nil` afterwards.
  private mutating func readRows(
    of kind: EntityKind, _ references: ReferenceTable, _ take: (Row) -> Void
  ) {
    lastCount = 0
    guard var reader = content else { return }
    var targets: [(ref: RecordRef, isPending: Bool, isValid: Bool)] = []
    do {
      _ = (try reader.value(UInt64.self), try reader.value(UInt32.self))
      while try reader.value(UInt8.self) != 0 {
        lastCount += 1
        var isValid = true
        var row = try Self.row(&reader, of: kind)
        for _ in 0..<(try reader.value(UInt32.self)) {
          let place = Int(try reader.value(UInt32.self))
          // The first occurrence of a name says what it resolved to.
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
        if isValid { take(row) }
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

  private static func row(
    _ reader: inout StateReader, of kind: EntityKind
  ) throws(StateReader.Damage) -> Row {
    let flags = try reader.value(Flags.self)
    let state = Int(try reader.value(UInt8.self))
    guard state < states.count else { throw StateReader.Damage() }
    let changes = FieldSet(bits: try reader.value(UInt32.self))
    let ref = RecordRef(kind: kind, name: try reader.text())
    var row = Row(entry: ScanEntry(ref: ref, state: states[state]))
    row.entry.changes = changes
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
    row.entry.isDeleteStated = flags.contains(.deleteStated)
    for (flag, conflict) in Flags.conflicts where flags.contains(flag) {
      row.entry.conflict = conflict
    }
    return row
  }

  private static let states = RecordState.allCases

  private struct Flags: OptionSet, BitwiseCopyable {
    var rawValue: UInt8 = 0

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
    writer.reserve(entries.count * 256)
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
      writer.add(UInt32(entry.targets.count))
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
    guard let state = states.firstIndex(of: entry.state),
      pair.recordKey == nil || entry.digest != nil,
      pair.sidecarKey == nil
        || entry.sidecarDigest != nil && entry.id != nil && entry.updatedAt != nil
    else { return false }
    var flags = Flags()
    if pair.recordKey != nil { flags.insert(.record) }
    if pair.sidecarKey != nil { flags.insert(.sidecar) }
    if entry.isDeleteStated { flags.insert(.deleteStated) }
    for (flag, conflict) in Flags.conflicts where entry.conflict == conflict {
      flags.insert(flag)
    }
    writer.add(UInt8(1))
    writer.add(flags)
    writer.add(UInt8(state))
    writer.add(entry.changes.bits)
    writer.add(entry.ref.name)
    if let key = pair.recordKey, let digest = entry.digest {
      writer.add(key)
      writer.add(digest)
    }
    if let key = pair.sidecarKey, let digest = entry.sidecarDigest, let id = entry.id,
      let updatedAt = entry.updatedAt
    {
      writer.add(key)
      writer.add(digest)
      writer.add(id)
      writer.add(updatedAt)
    }
    return true
  }
}
