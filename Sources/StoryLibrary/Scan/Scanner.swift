/// Finds how every record of a library stands by comparing it with its sidecar.
///
/// It changes no file of the library: no watcher, no database. Records are compared by what they
/// mean, so a touched, moved or differently laid out file is no change. What it found is kept in
/// `.stories/index`, so that files which have not changed since are not read again.
public struct Scanner: Sendable {
  /// The library that is scanned.
  public let library: Library
  /// The kinds that are scanned, in the order in which they are created on a server. A sync goes by
  /// those that people write; what the server makes is looked at by whoever shows it.
  public var kinds = EntityKind.writable
  /// How many threads read records.
  public var workers = 2
  /// Whether `.stories/index` is read and, where it does not hold any more, written; without it a scan
  /// does not note in `.stories/seen` either what it saw.
  public var usesIndex = true
  /// How many records of a kind the index holds for one that may have changed without its being
  /// written anew.
  var newsShare = 128
  /// Whether records that equal their base are checked as well: what is wrong with them concerns no
  /// sync, but a person may want to know. Every file is read then.
  public var checksEverything = false
  /// Of the paths of records that are missing (relative to the root), those that git keeps out of
  /// the working tree. Asked only where records are missing; an error ends the scan.
  public var notCheckedOut: @Sendable ([String]) throws(LibraryError) -> Set<String> = { _ in [] }

  /// Of the paths of records that are missing (relative to the root), those that git has in `HEAD` or
  /// in its index: a person removed these. Asked only for sidecars whose record was never seen here,
  /// once for each kind that has any.
  public var trackedRecords: @Sendable ([String]) -> Set<String> = { _ in [] }

  /// Of the paths of sidecars that are gone together with their records, those that git took away: git
  /// had them once, and neither `HEAD` nor its index has them now. Asked once a scan, and only if
  /// there are any.
  public var takenByGit: @Sendable ([String]) -> Set<String> = { _ in [] }

  /// What sidecars are taken to say instead of their files, by the record beside which each lies; `nil`
  /// for those that are taken to be gone. Such a scan does without the index.
  package var assumedSidecars: [RecordRef: [UInt8]?] = [:]

  /// The sidecars that git keeps out of the working tree, with their texts: their records are known,
  /// and left alone. An error ends the scan.
  public var hiddenSidecars:
    @Sendable () throws(LibraryError) -> [(ref: RecordRef, bytes: [UInt8])] = { [] }

  /// A scanner of `library`.
  public init(_ library: Library) { self.library = library }

  /// Scans the whole library.
  ///
  /// Effects: none but `.stories/index` and `.stories/seen`, which may be deleted at any time; where
  /// the first cannot be written, the next scan takes longer.
  ///
  /// A folder that cannot be listed is a problem of the scan (``Scan/incompleteKinds``).
  /// - Throws: `LibraryError.unsafeState` where a kind's folder or a `.sync` is a link,
  ///   `sparseUnknown` if git does not say what is not checked out; `FileError` where the root cannot be
  ///   listed. A file that cannot be read is an entry's state, not an error.
  public func scan() throws -> Scan {
    var scan = Scan()
    scan.leftovers = try leftovers(in: "") + leftovers(in: Library.stateFolderName)
    let hidden = try hiddenSidecars()
    // The index has what people write, and is written for all of it or none.
    let isWhole = kinds.filter { !$0.schema.isReadOnly } == EntityKind.writable
    let isIndexed = usesIndex && !checksEverything && isWhole && assumedSidecars.isEmpty
    var index = isIndexed ? ScanIndex(library) : nil
    let seen = SeenRecords(library)
    for kind in kinds {
      try scanKind(kind, hidden.filter { $0.ref.kind == kind }, seen, &index, &scan)
    }
    index?.update(scan.references, newsShare: newsShare)
    scan.noteOrder()
    if markDuplicates(in: &scan) { scan.noteOrder() }
    if isWhole {
      scan.compare(with: seen, isWriting: isIndexed, takenByGit: takenByGit)
    }
    return scan
  }

  /// Temporary files beside those that have no record.
  private func leftovers(in folder: String) throws(FileError) -> [String] {
    let path = library.path(folder)
    guard try FileSystem.status(path)?.type == .folder else { return [] }
    return try FileSystem.list(path).filter { TemporaryName.isPrefix(of: $0.name) }
      .map { Path.join(folder, $0.name) }
  }

  private func scanKind(
    _ kind: EntityKind, _ hidden: [(ref: RecordRef, bytes: [UInt8])], _ seen: SeenRecords,
    _ index: inout ScanIndex?, _ scan: inout Scan
  ) throws {
    let folder = library.path(kind.folder)
    if let type = try FileSystem.status(folder)?.type, type != .folder {
      throw LibraryError.unsafeState(
        path: folder.text, reason: type == .link ? "it is a symbolic link" : "it is no folder")
    }
    var walk = FolderWalk(root: library.root, kind: kind, withKeys: true, workers: workers)
    try walk.run()
    var entries = compare(&walk, scan.references, &index)
    scan.leftovers += walk.leftovers
    scan.problems += walk.problems
    var isComplete = walk.isComplete
    if !identify(&entries, seen) { isComplete = false }
    if !isComplete { scan.incompleteKinds.insert(kind) }
    try markNotCheckedOut(&entries)
    HiddenSidecars(hidden).apply(to: &entries, of: library, scan.references)
    scan.staleSidecars += StaleSidecars(library: library).take(from: &entries)
    RenameDetector(library: library, references: scan.references).apply(to: &entries)
    if !kind.schema.isReadOnly { markMissing(&entries, seen, isComplete: isComplete) }
    if ReferenceTable.kinds.contains(kind) {
      for entry in entries where entry.hasRecord || entry.isAwaited {
        // A sidecar that cannot be read says that the server has the record, but not as which.
        let isUnidentified =
          entry.id == nil
          && (!entry.possibleIDs.isEmpty
            || entry.problems.contains { $0.file == entry.sidecarPath })
        scan.references.add(entry.ref, id: entry.id, isUnidentified: isUnidentified)
        if let old = entry.renamedFrom { scan.references.addAlias(old, for: entry.ref) }
      }
    }
    scan.entries += entries
  }

  /// What comes of comparing pairs: taken from the index, else read, on several threads.
  private func compare(
    _ walk: inout FolderWalk, _ references: ReferenceTable, _ index: inout ScanIndex?
  ) -> [ScanEntry] {
    if let entries = index?.allEntries(walk, references) { return entries }
    walk.makePairs()
    walk.assume(assumedSidecars)
    let (pairs, kind) = (walk.pairs, walk.kind)
    var comparer = PairComparer(
      library: library, references: references, checksEverything: checksEverything)
    comparer.assumedSidecars = assumedSidecars
    guard !kind.schema.isReadOnly, index != nil else {
      return Parallel.map(pairs, threads: workers, comparer.entry)
    }
    let (known, unknown) = index?.entries(for: pairs, of: kind, references) ?? ([], [])
    let read = Parallel.map(unknown, threads: workers) { [comparer] in
      comparer.entry(for: pairs[$0])
    }
    let entries = Self.merge(known, read, at: unknown)
    index?.note(walk, entries)
    return entries
  }

  /// Puts entries that were read at their places among those that are known.
  private static func merge(
    _ known: [ScanEntry], _ read: [ScanEntry], at places: [Int]
  ) -> [ScanEntry] {
    if known.isEmpty { return read }
    var (entries, next) = ([ScanEntry](), 0)
    entries.reserveCapacity(known.count + read.count)
    for (place, entry) in zip(places, read) {
      let count = place - entries.count
      entries += known[next..<next + count]
      entries.append(entry)
      next += count
    }
    return read.isEmpty ? known : entries + known[next...]
  }

  // MARK: What concerns several records

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

  /// Gives records whose sidecars cannot be read the ids that they had.
  ///
  /// - Returns: whether the id of each is known. Otherwise what the server has may be one of these.
  private func identify(_ entries: inout [ScanEntry], _ seen: SeenRecords) -> Bool {
    let places = entries.indices.filter {
      entries[$0].state == .unreadable && entries[$0].hidesID
    }
    guard !places.isEmpty else { return true }
    let ids = Dictionary(seen.records.map { ($0.ref, $0.id) }, uniquingKeysWith: { $1 })
    for place in places { entries[place].id = ids[entries[place].ref] }
    return places.allSatisfy { entries[$0].id != nil }
  }

  /// Finds the sidecars whose record nobody removed, as far as anybody can tell.
  private func markMissing(
    _ entries: inout [ScanEntry], _ seen: SeenRecords, isComplete: Bool
  ) {
    let gone = entries.indices.filter {
      entries[$0].state == .pendingDelete && !entries[$0].isDeleteStated
    }
    guard !gone.isEmpty else { return }
    // That git took both away says nothing of a sidecar that came later.
    let known = Set(
      seen.records.lazy.filter { !$0.isTakenByGit }
        .map { ScanEntry.Key(kind: $0.ref.kind, id: $0.id) })
    var open = gone.filter { place in
      !(entries[place].key.map(known.contains) ?? false)
    }
    if isComplete, !open.isEmpty {
      let tracked = trackedRecords(open.map { entries[$0].ref.path })
      open.removeAll { tracked.contains(entries[$0].ref.path) }
    }
    // What cannot be seen may be what seems to be gone.
    for place in isComplete ? open : gone {
      entries[place].state = .missing
      entries[place].problems.append(
        Problem(
          .missingRecord, severity: .warning, file: entries[place].sidecarPath,
          message: isComplete
            ? "its record is not here, and nothing says that anybody removed it"
            : "its record is not here, but may be where nothing can be read",
          hint: .pullOrRemove(entries[place].ref)))
    }
  }

  /// Finds ids that several sidecars name: pairs are blocked, sidecars without a record are dropped.
  ///
  /// - Returns: whether there are any.
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
        // Of very many copies each names but a few.
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
    scan.entries = scan.entries.enumerated().filter { !stale.contains($0.offset) }.map(\.element)
    return true
  }

  /// The problem of an entry whose id others have as well, with what to do.
  private static func duplicate(
    _ entry: ScanEntry, of others: [ScanEntry], more: Int
  ) -> Problem {
    func list(_ paths: [String]) -> String {
      paths.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
    let sidecar = entry.sidecarPath
    guard entry.hasRecord || entry.state == .notCheckedOut else {
      let names = list(others.map(\.sidecarPath))
      return Problem(
        .duplicateID, file: sidecar,
        message:
          "names the same record of the server as \(names), and none of them has a record here",
        hint: .keepOneSidecar)
    }
    let names = list(others.map(\.ref.path))
    return Problem(
      .duplicateID, file: entry.ref.path, message: "has the same id on the server as \(names)",
      hint: """
        keep one of them: remove \(entry.ref.path) and \(sidecar); or, where it is a copy that becomes \
        a record of its own, \(sidecar) alone
        """)
  }
}
