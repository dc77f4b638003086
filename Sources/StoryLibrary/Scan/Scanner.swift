/// Determines the state of every record in a library by comparing it with its sidecar.
///
/// A scan does not change the library's files and needs no watcher or database. Records are
/// compared by meaning, so touching, moving or reformatting a file is not a change. The results are
/// saved in `.stories/index`, so that unchanged files are not read again.
public struct Scanner: Sendable {
  /// The library.
  public let library: Library
  /// The kinds to scan, in creation order. A sync needs only the writable ones.
  public var kinds = EntityKind.writable
  /// The number of threads that read records.
  public var workers = 2
  /// Whether to use `.stories/index` and update it if it is out of date. If not, the scan does not
  /// update `.stories/seen` either.
  public var usesIndex = true
  /// Returns which of the given paths of missing records (relative to the root) git keeps out of
  /// the working tree. Called only if records are missing; an error ends the scan.
  public var notCheckedOut: @Sendable ([String]) throws(LibraryError) -> Set<String> = { _ in [] }

  /// Returns what git says of records that are missing while their sidecars are there; nothing for a
  /// record that git never had or that a person removed from it. Called for each kind that has any.
  public var gitTraces: @Sendable ([RecordRef]) -> [RecordRef: GitTrace] = { _ in [:] }

  /// Returns the sidecars of the given records that git's index has, or `nil` if git does not answer.
  /// Called for sidecars that may have come without their records.
  public var indexedSidecars: @Sendable ([RecordRef]) -> [RecordRef: IndexedSidecar]? = { _ in [:] }

  /// Returns those of the given records, missing while their sidecars are there, that only other branches
  /// and the like have, but no commit that leads to `HEAD`. Called if a new record may be one of them
  /// under another name.
  public var recordsElsewhere: @Sendable ([RecordRef]) -> Set<RecordRef> = { _ in [] }

  /// Returns which of the given records, missing together with their sidecars, were removed by git:
  /// the sidecars are in its history but not in `HEAD` or its index. Called at most once per scan.
  public var takenByGit: @Sendable ([Scan.SeenPair]) -> Set<Scan.SeenPair> = { _ in [] }

  /// Returns the problems (``Problem/What/unmerged(keptIn:lacksOther:)``) of the records and sidecars
  /// that git has not merged. Called once per scan of all writable kinds.
  public var unmerged: @Sendable () -> [Problem] = { [] }

  /// An earlier scan of the same library by this process. The records of read-only kinds, which no
  /// index has, are taken from it if none of their files has changed.
  public var earlier: Scan?

  /// Contents to use instead of the sidecars' files, by record; `nil` for sidecars to treat as
  /// missing. Such a scan does not use the index.
  package var assumedSidecars: [RecordRef: [UInt8]?] = [:]

  /// The names of the sidecars that the running sync writes, so that they do not come from elsewhere.
  package var ownSidecars: Set<RecordRef> = []

  /// Returns the sidecars that git keeps out of the working tree, with their contents. Their
  /// records are known and left alone. An error ends the scan.
  public var hiddenSidecars:
    @Sendable () throws(LibraryError) -> [(ref: RecordRef, bytes: [UInt8])] = { [] }

  /// Creates a scanner for `library`.
  public init(_ library: Library) { self.library = library }

  /// Scans the library.
  ///
  /// Writes only `.stories/index` and `.stories/seen`, which may be deleted at any time. If the
  /// index cannot be written, the next scan takes longer.
  ///
  /// A folder that cannot be listed is a problem of the scan (``Scan/incompleteKinds``).
  /// - Throws: `LibraryError.unsafeState` if a kind's folder or a `.sync` is a link,
  ///   `sparseUnknown` if git does not say what is not checked out; `FileError` if the root cannot
  ///   be listed. An unreadable file is a state of its entry, not an error.
  public func scan() throws -> Scan {
    var scan = Scan()
    scan.references.library = library
    scan.staleFiles = try staleFiles(in: "") + staleFiles(in: Library.stateFolderName)
    let hidden = try hiddenSidecars()
    // The index covers the writable kinds and is written for all or none of them.
    let isWhole = kinds.filter { !$0.schema.isReadOnly } == EntityKind.writable
    let isIndexed = usesIndex && isWhole && assumedSidecars.isEmpty
    // `seen` is read before the listing, so that what another process adds meanwhile is not missing.
    var ((seen, listed), index) = Parallel.both {
      (SeenRecords(library), Result { try kinds.reversed().map(list) })
    } and: {
      isIndexed ? ScanIndex(library) : nil
    }
    var walks = try listed.get()
    listed = .success([])
    while var walk = walks.popLast() {
      walk.readKeys(threads: workers)
      try scanKind(&walk, hidden.filter { $0.ref.kind == walk.kind }, seen, &index, &scan)
    }
    scan.noteOrder()
    if isWhole {
      scan.problems += StrayFiles(library: library).problems + scan.twinProblems
      scan.note(unmerged: unmerged())
    }
    // In a library where nothing has changed, nothing has to be looked up.
    var settled = index?.settled(seen, entries: scan.entries.count, hidden: hidden.count)
    if settled == nil {
      let isPlain = hidden.isEmpty && scan.entries.indices.allSatisfy { scan.entries[$0].hasRecord }
      let hasDuplicates = markDuplicates(in: &scan)
      if hasDuplicates { scan.noteOrder() }
      if isWhole {
        let sum = scan.compare(with: seen, isWriting: isIndexed, takenByGit: takenByGit)
        settled = isPlain && !hasDuplicates ? sum : nil
      }
    }
    index?.update(settled: settled)
    return scan
  }

  /// Returns the stale temporary files in a folder that contains no records.
  private func staleFiles(in folder: String) throws(FileError) -> [String] {
    let path = library.path(folder)
    guard try FileSystem.status(path)?.type == .folder else { return [] }
    return try FileSystem.list(path).filter { TemporaryName.isPrefix(of: $0.name) }
      .map { Path.join(folder, $0.name) }
  }

  private func list(_ kind: EntityKind) throws -> FolderWalk {
    let folder = library.path(kind.folder)
    if let type = try FileSystem.status(folder)?.type, type != .folder {
      throw LibraryError.noFolder(folder, type)
    }
    var walk = FolderWalk(library, kind: kind)
    try walk.run()
    return walk
  }

  private func scanKind(
    _ walk: inout FolderWalk, _ hidden: [(ref: RecordRef, bytes: [UInt8])], _ seen: SeenRecords,
    _ index: inout ScanIndex?, _ scan: inout Scan
  ) throws {
    let kind = walk.kind
    var entries = compare(&walk, scan.references, &index)
    if kind.schema.isReadOnly { scan.sums[kind] = Scan.Sum(walk: walk.sum, entries: entries) }
    scan.staleFiles += walk.staleFiles
    scan.problems += walk.problems
    var isComplete = walk.isComplete
    if !identify(&entries, seen) { isComplete = false }
    if !isComplete { scan.incompleteKinds.insert(kind) }
    try markNotCheckedOut(&entries)
    apply(hidden, to: &entries, scan.references)
    scan.staleSidecars += takeStaleSidecars(from: &entries)
    RenameDetector(library: library, references: scan.references).apply(to: &entries) {
      recordsTaken($0, seen)
    }
    if !kind.schema.isReadOnly {
      markMissing(&entries, seen, isComplete: isComplete)
      markOutdated(&entries, scan.references, seen)
    }
    if ReferenceTable.kinds.contains(kind) {
      for entry in entries where entry.hasRecord || entry.isAwaited {
        // The server has the record of an unreadable sidecar, but its id is unknown.
        let isUnidentified =
          entry.id == nil
          && (!entry.possibleIDs.isEmpty
            || entry.problems.contains { $0.file == entry.sidecarPath })
        scan.references.add(entry.ref, id: entry.id, isUnidentified: isUnidentified)
        if let old = entry.renamedFrom { scan.references.addAlias(old, for: entry.ref) }
      }
      if !isComplete { addHidden(kind, entries, seen, to: &scan.references) }
    }
    // Most records are of the last kind: moving the others takes less than copying those.
    entries.insert(contentsOf: scan.entries, at: 0)
    scan.entries = entries
  }

  /// Compares pairs, using the index if possible and otherwise reading files on several threads.
  private func compare(
    _ walk: inout FolderWalk, _ references: ReferenceTable, _ index: inout ScanIndex?
  ) -> [ScanEntry] {
    if let entries = index?.allEntries(walk, references) { return entries }
    if let known = earlier?.sums[walk.kind], known.walk == walk.sum, walk.areNamesSimple,
      walk.isComplete
    {
      return known.entries
    }
    walk.makePairs(threads: workers)
    walk.assume(assumedSidecars)
    defer { walk.dropPairs() }
    let (pairs, kind) = (walk.pairs, walk.kind)
    let comparer = PairComparer(
      library: library.keepingFoldersOpen(), references: references,
      assumedSidecars: assumedSidecars)
    guard !kind.schema.isReadOnly, index != nil else {
      return Parallel.map(pairs, threads: workers, comparer.entry)
    }
    var (entries, unread) = index?.entries(for: pairs, of: kind, references) ?? ([], [])
    let read = Parallel.map(unread, threads: workers) { place in
      comparer.entry(for: pairs[place])
    }
    if entries.isEmpty {
      entries = read
    } else {
      for (place, entry) in zip(unread, read) { entries[place] = entry }
    }
    index?.note(walk, entries, references)
    return entries
  }

  /// Lets names of records that may be where nothing can be read go on standing for them.
  private func addHidden(
    _ kind: EntityKind, _ entries: [ScanEntry], _ seen: SeenRecords,
    to references: inout ReferenceTable
  ) {
    let ids = Set(entries.flatMap(\.namedIDs))
    for pair in seen.records.lazy.map(\.pair)
    where pair.ref.kind == kind && !ids.contains(pair.id) && !references.contains(pair.ref) {
      references.add(pair.ref, id: pair.id)
    }
  }

  // MARK: Comparing records

  private func markNotCheckedOut(_ entries: inout [ScanEntry]) throws(LibraryError) {
    let missing = entries.indices.filter { index in
      !entries[index].hasRecord && entries[index].state != .unreadable
        && !entries[index].isDeleteStated
    }
    guard !missing.isEmpty else { return }
    let kept = try notCheckedOut(missing.map { entries[$0].ref.path })
    for index in missing where kept.contains(entries[index].ref.path) {
      entries[index].state = .notCheckedOut
      entries[index].conflict = nil
    }
  }

  /// Restores the ids of records with unreadable sidecars from what was seen before.
  ///
  /// - Returns: Whether all ids are known. If not, any of the server's records may be one of these.
  private func identify(_ entries: inout [ScanEntry], _ seen: SeenRecords) -> Bool {
    let places = entries.indices.filter {
      entries[$0].state == .unreadable && entries[$0].hidesID
    }
    guard !places.isEmpty else { return true }
    let ids = Dictionary(
      seen.records.lazy.map(\.pair).filter { !$0.isTakenByGit }.map { ($0.ref, $0.id) },
      uniquingKeysWith: { $1 })
    for place in places { entries[place].id = ids[entries[place].ref] }
    return places.allSatisfy { entries[$0].id != nil }
  }

  /// Finds ids that several sidecars have. Blocks pairs and drops sidecars without a record.
  ///
  /// - Returns: Whether there are any.
  private func markDuplicates(in scan: inout Scan) -> Bool {
    let groups = scan.twins
    guard !groups.isEmpty else { return false }
    var stale: Set<Int> = []
    for indices in groups {
      let pairs = indices.filter {
        scan.entries[$0].hasRecord || scan.entries[$0].state == .notCheckedOut
      }
      if !pairs.isEmpty { stale.formUnion(Set(indices).subtracting(pairs)) }
      guard pairs.count != 1 else { continue }
      for index in pairs.isEmpty ? indices : pairs {
        // Among very many copies, each message names only a few.
        let others = indices.prefix(4).filter { $0 != index }.prefix(3).map { scan.entries[$0] }
        let problem = Self.duplicate(
          scan.entries[index], of: others, more: max(0, indices.count - 4))
        scan.entries[index].state = .duplicateId
        scan.entries[index].problems.append(problem)
      }
    }
    guard !stale.isEmpty else { return true }
    scan.staleSidecars += stale.map { scan.entries[$0].ref }
    scan.staleSidecars.sort()
    scan.entries.removeSubranges(RangeSet(stale, within: scan.entries))
    return true
  }

  private static func duplicate(
    _ entry: ScanEntry, of others: [ScanEntry], more: Int
  ) -> Problem {
    let sidecar = entry.sidecarPath
    guard entry.hasRecord || entry.state == .notCheckedOut else {
      return Problem(
        .duplicateID(others.map(\.sidecarPath), more: more, sidecar: nil), file: sidecar)
    }
    return Problem(
      .duplicateID(others.map(\.ref.path), more: more, sidecar: sidecar), file: entry.ref.path)
  }
}
