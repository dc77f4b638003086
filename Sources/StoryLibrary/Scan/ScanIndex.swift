#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The results of the last scan for unchanged files: `.stories/index`.
///
/// This is a cache. A pair of files is taken from it only if both files have exactly the keys
/// (``FileKey``) that they had before they were read, and if the references in the record still
/// resolve to the same records. If the index is missing, damaged, or of another format, the files are
/// read and a new index is written.
///
/// The file has for each writable kind a sum of all names and keys, the number of records, the
/// referenced records with their meanings, the keys of the saved records' files, and the saved records
/// in name order; and the sum of ``SeenRecords``, or 0 if it did not list exactly the entries or an
/// entry had no record or shared an id.
struct ScanIndex: Sendable {
  /// The format number also increases with each change of a kind's fields, on which the meaning of a
  /// record depends.
  static let file = StateFile(name: "index", form: 0x5354_4F52_4945_0009)

  /// The saved results for one kind.
  private struct Section: Sendable {
    /// The sum of all names and keys; see ``FolderWalk/sum``.
    var sum: UInt64 = 0
    /// The number of records found, including those that were not saved.
    var total = 0
    var count = 0
    /// The keys of the saved records and their sidecars, two for each.
    var keys = StateReader([])
    var rows = StateReader([])
    /// The saved records, if they were parsed already.
    var entries: [ScanEntry]?
    /// The records that the saved ones reference.
    var targets: [Target] = []
    /// The whole section as it is in the file.
    var bytes: ArraySlice<UInt8> = []

    /// Returns the records with a reference that no longer resolves as before.
    func outdated(_ references: ReferenceTable) -> Set<RecordRef> {
      Set(targets.filter { !$0.isCurrent(references) }.map(\.ref))
    }
  }

  /// A referenced record and its id, or `nil` if it was not on the server yet.
  private struct Target: Sendable {
    var ref: RecordRef
    var id: String?

    func isCurrent(_ references: ReferenceTable) -> Bool {
      references.currentMeaning(of: ref) == (id.map { .id($0) } ?? .pending)
    }
  }

  private let library: Library
  private var sections: [EntityKind: Section] = [:]
  /// The sum of ``SeenRecords`` in this index, or 0.
  private var settled: UInt64 = 0
  /// The kinds of which everything is in this index.
  private var unchanged: Set<EntityKind> = []
  /// The kinds whose sections in ``writer`` replace those of this index.
  private var replaced: Set<EntityKind> = []
  /// The number of saved records of the last kind that could not be taken.
  private var missed = 0
  /// Whether the next index differs from this one in any saved record.
  private var isOutdated = false
  private var writer = StateWriter()
  /// The number of records in this index, and of those taken from it.
  private(set) var (known, taken) = (0, 0)
  /// The time before the first file was read, or `nil` if none was.
  private var stamp: Stamp?

  /// Reads the index of a library. An invalid one counts as empty.
  init(_ library: Library) {
    self.library = library
    guard var reader = Self.file.read(library) else { return }
    do throws(StateReader.Damage) {
      for _ in EntityKind.writable {
        var (kind, section) = try Self.section(&reader)
        known += section.count
        if isNewer(than: kind) { section.entries = try entries(of: section, kind) }
        sections[kind] = section
      }
      settled = try reader.value(UInt64.self)
    } catch {
      (sections, known) = ([:], 0)
    }
  }

  /// Returns whether probably no file of a kind was added or removed since this index was written.
  ///
  /// Its records can then be parsed while the folders are listed; otherwise most of them might be
  /// parsed in vain.
  private func isNewer(than kind: EntityKind) -> Bool {
    func modified(_ path: ConfinedPath) -> Int? { (try? FileSystem.status(path))??.modified }
    guard let written = modified(library.statePath(Self.file.name)) else { return false }
    let folder = library.path(kind.folder)
    return [folder, Path.join(folder, ".sync")].allSatisfy { modified($0) ?? 0 <= written }
  }

  // MARK: Reading

  /// Returns the entries of a kind if nothing has changed since they were saved, or `nil`.
  ///
  /// This is the most frequent case, and it needs no name lookups.
  mutating func allEntries(_ walk: FolderWalk, _ references: ReferenceTable) -> [ScanEntry]? {
    guard walk.areNamesSimple, walk.isComplete, let section = sections[walk.kind],
      section.sum == walk.sum, section.total == section.count,
      section.outdated(references).isEmpty
    else { return nil }
    guard let entries = section.entries ?? (try? entries(of: section, walk.kind)) else {
      return nil
    }
    taken += section.total
    unchanged.insert(walk.kind)
    sections[walk.kind]?.entries = nil
    return entries
  }

  /// Returns an entry for each pair, and the places of those whose files must be read, which hold
  /// placeholders. If all must be read, there are no entries.
  mutating func entries(
    for pairs: [FolderWalk.Pair], of kind: EntityKind, _ references: ReferenceTable
  ) -> (entries: [ScanEntry], unread: [Int]) {
    var entries: [ScanEntry] = []
    var unread: [Int] = []
    func leave(upTo place: Int) {
      for place in entries.count..<place {
        entries.append(ScanEntry(ref: pairs[place].ref, state: .unreadable))
        unread.append(place)
      }
    }
    let former = sections[kind]?.count ?? 0
    sections[kind]?.entries = nil
    // Both are in name order.
    if let section = sections[kind] {
      let outdated = section.outdated(references)
      var (keys, rows, next) = (section.keys, Rows(of: section, kind), 0)
      for _ in 0..<section.count {
        guard let record = try? keys.value(FileKey.self),
          let sidecar = try? keys.value(FileKey.self), var entry = try? rows.next()
        else { break }
        while next < pairs.count, pairs[next].ref.name < entry.ref.name { next += 1 }
        guard next < pairs.count, pairs[next].ref.name == entry.ref.name else { continue }
        defer { next += 1 }
        guard pairs[next].isRegular, record == pairs[next].recordKey ?? .missing,
          sidecar == pairs[next].sidecarKey ?? .missing, outdated.isDisjoint(with: entry.targets)
        else { continue }
        leave(upTo: next)
        entry.ref = pairs[next].ref
        entries.append(entry)
      }
    }
    if entries.isEmpty {
      unread = Array(pairs.indices)
    } else {
      leave(upTo: pairs.count)
    }
    let known = pairs.count - unread.count
    taken += known
    missed = former - known
    if stamp == nil, !unread.isEmpty { stamp = Stamp(library) }
    return (entries, unread)
  }

  /// Returns ``SeenRecords/sum`` if a scan is known to equal one that found nothing but records
  /// with ids of their own, all of them in `seen`, or `nil`.
  ///
  /// - Parameters:
  ///   - seen: The records seen before this scan.
  ///   - entries: The number of entries that the scan found.
  ///   - hidden: The number of sidecars that git keeps out of the working tree.
  func settled(_ seen: SeenRecords, entries: Int, hidden: Int) -> UInt64? {
    let isKnown =
      unchanged.count == EntityKind.writable.count && taken == entries && hidden == 0
    return isKnown && settled != 0 && settled == seen.sum ? settled : nil
  }

  private static func section(
    _ reader: inout StateReader
  ) throws(StateReader.Damage) -> (EntityKind, Section) {
    let start = reader
    guard let kind = EntityKind(rawValue: try reader.text()) else { throw StateReader.Damage() }
    var section = Section()
    section.sum = try reader.value(UInt64.self)
    section.total = Int(try reader.value(UInt32.self))
    section.count = Int(try reader.value(UInt32.self))
    let size = Int(try reader.value(UInt32.self))
    for _ in 0..<(try reader.value(UInt32.self)) {
      guard let kind = EntityKind(rawValue: try reader.text()) else { throw StateReader.Damage() }
      let ref = RecordRef(kind: kind, name: try reader.text())
      let id = try reader.text()
      section.targets.append(Target(ref: ref, id: id.isEmpty ? nil : id))
    }
    section.keys = reader
    try reader.skip(2 * section.count * MemoryLayout<FileKey>.size)
    section.rows = reader
    try reader.skip(size)
    section.bytes = start.bytes(to: reader)
    return (kind, section)
  }

  private func entries(
    of section: Section, _ kind: EntityKind
  ) throws(StateReader.Damage) -> [ScanEntry] {
    var rows = Rows(of: section, kind)
    var entries: [ScanEntry] = []
    // With room for those of the kinds before it, see ``Scanner``.
    entries.reserveCapacity(known)
    for _ in 0..<section.count { entries.append(try rows.next()) }
    return entries
  }

  private struct Rows {
    private var reader: StateReader
    private let kind: EntityKind
    private let targets: [Target]
    /// Most records reference one other record, and those that reference the same one can share
    /// an array.
    private let alone: [[RecordRef]]

    init(of section: Section, _ kind: EntityKind) {
      (reader, self.kind, targets) = (section.rows, kind, section.targets)
      alone = section.targets.map { [$0.ref] }
    }

    mutating func next() throws(StateReader.Damage) -> ScanEntry {
      var entry = try ScanIndex.entry(&reader, of: kind)
      let references = Int(try reader.value(UInt32.self))
      for _ in 0..<references {
        let place = Int(try reader.value(UInt32.self))
        guard place < alone.count else { throw StateReader.Damage() }
        if references == 1 { entry.targets = alone[place] } else { entry.targets += alone[place] }
        if targets[place].id == nil { entry.waitsFor.append(targets[place].ref) }
      }
      return entry
    }
  }

  private static func entry(
    _ reader: inout StateReader, of kind: EntityKind
  ) throws(StateReader.Damage) -> ScanEntry {
    let flags = try reader.value(Flags.self)
    let state = Int(try reader.value(UInt8.self))
    guard state < states.count else { throw StateReader.Damage() }
    let changes = FieldSet(rawValue: try reader.value(UInt32.self))
    let ref = RecordRef(kind: kind, name: try reader.text())
    var entry = ScanEntry(ref: ref, state: states[state])
    entry.changes = changes
    if flags.contains(.record) {
      entry.digest = try reader.value(ContentDigest.self)
      entry.obstacle = .regular
    }
    if flags.contains(.sidecar) {
      entry.sidecarDigest = try reader.value(ContentDigest.self)
      entry.id = try reader.text()
      entry.updatedAt = try reader.text()
    }
    entry.isDeleteStated = flags.contains(.deleteStated)
    entry.hasVoidDelete = flags.contains(.voidDelete)
    for (flag, conflict) in Flags.conflicts where flags.contains(flag) { entry.conflict = conflict }
    return entry
  }

  private static let states = RecordState.allCases

  private struct Flags: OptionSet, BitwiseCopyable {
    var rawValue: UInt8 = 0

    static let record = Flags(rawValue: 1)
    static let sidecar = Flags(rawValue: 2)
    static let deleteStated = Flags(rawValue: 4)
    static let voidDelete = Flags(rawValue: 64)
    static let conflicts: [(Flags, ConflictKind)] = [
      (Flags(rawValue: 8), .fields), (Flags(rawValue: 16), .deletedOnServer),
      (Flags(rawValue: 32), .deletedLocally),
    ]
  }

  // MARK: Writing

  /// Saves the results for the kind of the last ``entries(for:of:_:)`` if they differ from this index, or
  /// if it has none of the kind.
  mutating func note(
    _ walk: FolderWalk, _ entries: [ScanEntry], _ references: ReferenceTable
  ) {
    let section = sections[walk.kind]
    // What a record references can change without any of these files.
    let isSame = section.map { $0.sum == walk.sum && missed == 0 } ?? false
    if isSame, let section, section.count == section.total { return }
    guard let stamp = stamp ?? Stamp(library) else { return }
    let saved = Self.saved(walk.pairs, entries, stamp, references)
    if isSame, saved.count == section?.count { return }
    if section != nil || !saved.isEmpty { isOutdated = true }
    sections[walk.kind] = nil
    add(walk, entries, saved, references)
    replaced.insert(walk.kind)
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
      key = FileKey(FileSystem.Status(status))
    }

    /// Returns whether any change of a file read after the stamp would change its key.
    func isSettled(_ file: FileKey?) -> Bool {
      guard let file else { return true }
      return file.device == key.device && max(file.changed, file.modified) < key.modified
    }
  }

  /// Writes a new index if one is needed.
  ///
  /// - Parameter settled: The sum of ``SeenRecords`` if it lists exactly the entries, and each has
  ///   a record and an id of its own.
  mutating func update(settled: UInt64?) {
    // A kept section may lack what was seen since.
    let isWhole = unchanged.union(replaced).count == EntityKind.writable.count
    let settled = isWhole ? settled ?? 0 : 0
    let isSettled = stamp == nil && settled != 0 && settled != self.settled
    let kept = sections.values.map(\.bytes)
    guard isOutdated || isSettled, kept.count + replaced.count == EntityKind.writable.count else {
      return
    }
    writer.reserve(kept.reduce(8) { $0 + $1.count })
    for section in kept { writer.add(contentsOf: section) }
    writer.add(settled)
    Self.file.write(&writer, library)
  }

  private static func saved(
    _ pairs: [FolderWalk.Pair], _ entries: [ScanEntry], _ stamp: Stamp,
    _ references: ReferenceTable
  ) -> [Int] {
    pairs.indices.filter { place in
      isUsual(pairs[place], stamp) && isUsual(entries[place])
        && (pairs[place].recordKey == nil || entries[place].digest != nil)
        && (pairs[place].sidecarKey == nil || entries[place].sidecarDigest != nil)
        && entries[place].targets.allSatisfy {
          // The index can only say that a target has an id, or that it is not on the server yet.
          references.currentMeaning(of: $0).map { $0 != .unidentified } ?? false
        }
    }
  }

  private mutating func add(
    _ walk: FolderWalk, _ entries: [ScanEntry], _ saved: [Int], _ references: ReferenceTable
  ) {
    let pairs = walk.pairs
    let targets = Set(saved.flatMap { entries[$0].targets }).sorted()
    var places: [RecordRef: UInt32] = [:]
    // Growing step by step would take twice as much memory.
    writer.reserve(
      saved.count * (2 * MemoryLayout<FileKey>.size + 256) + targets.count * 128 + 128)
    writer.add(walk.kind.rawValue)
    writer.add(walk.sum)
    writer.add(UInt32(clamping: entries.count))
    writer.add(UInt32(saved.count))
    let sizePlace = writer.count
    writer.add(UInt32(0))
    writer.add(UInt32(targets.count))
    for target in targets {
      places[target] = UInt32(places.count)
      writer.add(target.kind.rawValue)
      writer.add(target.name)
      writer.add(references.id(of: target) ?? "")
    }
    for place in saved {
      writer.add(pairs[place].recordKey ?? .missing)
      writer.add(pairs[place].sidecarKey ?? .missing)
    }
    let start = writer.count
    for place in saved {
      Self.add(entries[place], to: &writer)
      writer.add(UInt32(entries[place].targets.count))
      for target in entries[place].targets { writer.add(places[target] ?? 0) }
    }
    writer.set(UInt32(clamping: writer.count - start), at: sizePlace)
  }

  /// Returns whether a later change of a pair's files would change their keys.
  private static func isUsual(_ pair: borrowing FolderWalk.Pair, _ stamp: Stamp) -> Bool {
    pair.isRegular && stamp.isSettled(pair.recordKey) && stamp.isSettled(pair.sidecarKey)
  }

  /// Returns whether an entry's meaning depends on its files and targets alone. That of a changed
  /// reference also depends on whether the former target exists under another name.
  private static func isUsual(_ entry: borrowing ScanEntry) -> Bool {
    entry.problems.isEmpty && entry.renamedFrom == nil && entry.outdatedReferences.isEmpty
      && !entry.hasChangedReference
      && (entry.sidecarDigest == nil || entry.id != nil && entry.updatedAt != nil)
  }

  private static func add(_ entry: ScanEntry, to writer: inout StateWriter) {
    var flags = Flags()
    if entry.digest != nil { flags.insert(.record) }
    if entry.sidecarDigest != nil { flags.insert(.sidecar) }
    if entry.isDeleteStated { flags.insert(.deleteStated) }
    if entry.hasVoidDelete { flags.insert(.voidDelete) }
    for (flag, conflict) in Flags.conflicts where entry.conflict == conflict {
      flags.insert(flag)
    }
    writer.add(flags)
    writer.add(UInt8(states.firstIndex(of: entry.state) ?? 0))
    writer.add(entry.changes.rawValue)
    writer.add(entry.ref.name)
    if let digest = entry.digest { writer.add(digest) }
    if let digest = entry.sidecarDigest {
      writer.add(digest)
      writer.add(entry.id ?? "")
      writer.add(entry.updatedAt ?? "")
    }
  }
}
