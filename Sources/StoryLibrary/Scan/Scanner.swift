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
  /// Whether `.stories/index` is read and, where it does not hold any more, written.
  public var usesIndex = true
  /// How many records of a kind the index holds for one that may have changed without its being
  /// written anew.
  var newsShare = 128
  /// From how many records of a kind on folders are listed on several threads.
  var manyRecords = 1_000
  /// Whether records that equal their base are checked as well: what is wrong with them concerns no
  /// sync, but a person may want to know. Every file is read then.
  public var checksEverything = false
  /// Of the paths of records that are missing (relative to the root), those that git keeps out of
  /// the working tree. Asked only where records are missing.
  public var notCheckedOut: @Sendable ([String]) -> Set<String> = { _ in [] }

  /// The sidecars that git keeps out of the working tree, with their texts: their records are known,
  /// and left alone.
  public var hiddenSidecars: @Sendable () -> [(ref: RecordRef, bytes: [UInt8])] = { [] }

  /// A scanner of `library`.
  public init(_ library: Library) { self.library = library }

  /// Scans the whole library.
  ///
  /// Effects: none but `.stories/index`, which may be deleted at any time; where it cannot be
  /// written, the next scan takes longer.
  /// - Throws: `LibraryError.unsafeState` where a kind's folder or a `.sync` is a link; `FileError`
  ///   where a folder cannot be listed. A file that cannot be read is an entry's state, not an error.
  public func scan() throws -> Scan {
    var scan = Scan()
    scan.leftovers = try leftovers(in: "") + leftovers(in: Library.stateFolderName)
    let hidden = hiddenSidecars()
    // The index has a section for each kind that people write, and is written for all or none.
    let isIndexed =
      usesIndex && !checksEverything
      && kinds.filter { !$0.schema.isReadOnly } == EntityKind.writable
    var index = IndexUse(
      known: isIndexed ? ScanIndex(library) : nil,
      writer: isIndexed ? ScanIndexWriter(library) : nil)
    var none = IndexUse(known: nil, writer: nil)
    for kind in kinds {
      let hidden = hidden.filter { $0.ref.kind == kind }
      let entries =
        kind.schema.isReadOnly
        ? try scanKind(kind, hidden, &scan, &none) : try scanKind(kind, hidden, &scan, &index)
      scan.entries.append(kindsEntries: entries)
    }
    index.finish()
    scan.noteOrder()
    if markDuplicates(in: &scan) { scan.noteOrder() }
    return scan
  }

  /// The index that a scan found and the one that it leaves.
  private struct IndexUse {
    let known: ScanIndex?
    let writer: ScanIndexWriter?
    var isChanged = false
    /// What is known now, by kind.
    var sections: [ScanIndexWriter.Section] = []

    func finish() {
      guard isChanged, let writer else { return }
      writer.begin()
      writer.finish(sections)
    }
  }

  /// Temporary files beside those that have no record.
  private func leftovers(in folder: String) throws(FileError) -> [String] {
    let path = library.path(folder)
    guard try FileSystem.status(path)?.type == .folder else { return [] }
    return try FileSystem.list(path).filter { TemporaryName.isPrefix(of: $0.name) }
      .map { Path.join(folder, $0.name) }
  }

  private func scanKind(
    _ kind: EntityKind, _ hidden: [(ref: RecordRef, bytes: [UInt8])], _ scan: inout Scan,
    _ index: inout IndexUse
  ) throws -> [ScanEntry] {
    let folder = library.path(kind.folder)
    if let type = try FileSystem.status(folder)?.type, type != .folder {
      throw LibraryError.unsafeState(
        path: folder, reason: type == .link ? "it is a symbolic link" : "it is no folder")
    }
    let known = index.known?[kind]
    // Without an index nobody knows how many there are, and next to reading all of them the start of
    // a second thread is nothing.
    let isLarge = known.map { $0.count > manyRecords } ?? !kind.schema.isReadOnly
    var walk = FolderWalk(
      root: library.root, kind: kind, withKeys: known != nil, workers: workers,
      isLarge: isLarge)
    try walk.run()
    scan.leftovers += walk.leftovers
    scan.problems += walk.problems
    var entries = compare(walk.pairs, known, scan, &index)
    markNotCheckedOut(&entries)
    HiddenSidecars(hidden).apply(to: &entries, of: library, scan.references)
    scan.staleSidecars += StaleSidecars(library: library).take(from: &entries)
    RenameDetector(library: library, references: scan.references).apply(to: &entries)
    if ReferenceTable.kinds.contains(kind) {
      for entry in entries where entry.hasRecord || entry.state == .notCheckedOut {
        // A sidecar that cannot be read says that the server has the record, but not as which.
        let isUnidentified =
          entry.id == nil
          && (!entry.possibleIDs.isEmpty
            || entry.problems.contains { $0.file == entry.sidecarPath })
        scan.references.add(entry.ref, id: entry.id, isUnidentified: isUnidentified)
        if let old = entry.renamedFrom { scan.references.addAlias(old, for: entry.ref) }
      }
    }
    return entries
  }

  // MARK: Comparing

  /// What a thread did for some pairs that follow each other.
  private struct Part: Sendable {
    /// For each pair its place in the index, or -1 and so on for those that were read: -1 is the
    /// first of ``read``.
    var origins: [Int32] = []
    var read: [Read] = []
  }

  /// What an index keeps of a pair that was read.
  private struct Read: Sendable {
    /// The sums of the keys; none for both where the pair cannot be noted.
    var record = FileKey.noSum
    var sidecar = FileKey.noSum
    var targets: [RecordRef] = []

    var isNoted: Bool { record != FileKey.noSum || sidecar != FileKey.noSum }
  }

  /// Compares pairs, on several threads; the result has the pairs' order, and room for the entries
  /// of the kinds before where those are fewer.
  private func compare(
    _ pairs: [FolderWalk.Pair], _ known: ScanIndexSection?, _ scan: Scan, _ index: inout IndexUse
  ) -> [ScanEntry] {
    let references = scan.references
    let comparer = PairComparer(
      library: library, references: references, checksEverything: checksEverything)
    let lookup = known.map { ScanIndexLookup($0, references) }
    let writer = index.writer
    var parts: [Part] = []
    let before = scan.entries.count
    let entries = [ScanEntry](
      unsafeUninitializedCapacity: pairs.count + (before < pairs.count ? before : 0)
    ) { buffer, count in
      // Each thread writes to the places of its own pairs.
      nonisolated(unsafe) let start = buffer.baseAddress
      parts = Parallel.inParts(of: pairs.count, threads: workers) { range in
        var part = Part()
        if writer != nil { part.origins.reserveCapacity(range.count) }
        var place = -1
        var reader = comparer.reader()
        for number in range {
          let pair = pairs[number]
          guard let start else { break }
          if let entry = lookup?.entry(for: pair, near: &place) {
            (start + number).initialize(to: entry)
            part.origins.append(Int32(place))
            continue
          }
          writer?.begin()
          let outcome = comparer.outcome(for: pair, &reader)
          (start + number).initialize(to: outcome.entry)
          guard let writer else { continue }
          part.origins.append(Int32(-1 - part.read.count))
          var read = Read()
          if writer.isSettled(outcome.record), writer.isSettled(outcome.sidecar),
            ScanIndexSectionBuilder.takes(outcome, references)
          {
            if outcome.record != .absent { read.record = outcome.record.sum }
            if outcome.sidecar != .absent { read.sidecar = outcome.sidecar.sum }
            read.targets = outcome.targets
          }
          part.read.append(read)
        }
        return part
      }
      count = pairs.count
    }
    if writer != nil { note(parts, entries, pairs, lookup, known, references, &index) }
    return entries
  }

  /// Notes for the index what is known of a kind now.
  private func note(
    _ parts: [Part], _ entries: [ScanEntry], _ pairs: [FolderWalk.Pair],
    _ lookup: ScanIndexLookup?, _ known: ScanIndexSection?, _ references: ReferenceTable,
    _ index: inout IndexUse
  ) {
    let hits = parts.reduce(0) { $0 + $1.origins.count - $1.read.count }
    let news = parts.reduce(0) { $0 + $1.read.count(where: \.isNoted) }
    // To read a few records again takes less than to write down all of them.
    if let known, known.count - hits + news <= known.count / newsShare {
      return index.sections.append(.known(known))
    }
    index.isChanged = true
    var builder = ScanIndexSectionBuilder(references, count: entries.count)
    var number = 0
    for part in parts {
      for origin in part.origins {
        let pair = pairs[number]
        if origin >= 0 {
          builder.add(
            entries[number], record: pair.recordKey, sidecar: pair.sidecarKey,
            targets: lookup?.targets(at: Int(origin)) ?? [])
        } else if part.read[Int(-1 - origin)].isNoted {
          let read = part.read[Int(-1 - origin)]
          builder.add(
            entries[number], record: read.record, sidecar: read.sidecar, targets: read.targets)
        }
        number += 1
      }
    }
    builder.sort()
    index.sections.append(.found(builder))
  }

  // MARK: What concerns several records

  private func markNotCheckedOut(_ entries: inout [ScanEntry]) {
    let missing = entries.indices.filter { index in
      !entries[index].hasRecord && entries[index].state != .unreadable
        && !entries[index].isDeleteStated
    }
    guard !missing.isEmpty else { return }
    let kept = notCheckedOut(missing.map { entries[$0].ref.path })
    for index in missing where kept.contains(entries[index].ref.path) {
      entries[index].state = .notCheckedOut
      entries[index].conflict = nil
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
      if !pairs.isEmpty { stale.formUnion(indices.filter { !pairs.contains($0) }) }
      guard pairs.count != 1 else { continue }
      for index in pairs.isEmpty ? indices : pairs {
        let others = indices.filter { $0 != index }.map { scan.entries[$0] }
        let problem = Self.duplicate(scan.entries[index], of: others)
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
  private static func duplicate(_ entry: ScanEntry, of others: [ScanEntry]) -> Problem {
    let sidecar = entry.sidecarPath
    guard entry.hasRecord || entry.state == .notCheckedOut else {
      let names = others.map(\.sidecarPath).joined(separator: ", ")
      return Problem(
        .duplicateID, file: sidecar,
        message:
          "names the same record of the server as \(names), and none of them has a record here",
        hint:
          "to delete it there, remove all of these sidecars but one; to have it back, remove all"
          + " and run `stories sync pull`")
    }
    let names = others.map(\.ref.path).joined(separator: ", ")
    return Problem(
      .duplicateID, file: entry.ref.path, message: "has the same id on the server as \(names)",
      hint: "keep one of them: remove \(entry.ref.path) and \(sidecar); or, where it is a copy that"
        + " becomes a record of its own, \(sidecar) alone")
  }
}

extension [ScanEntry] {
  /// Appends the entries of the next kind; the fewer are copied, for one kind is mostly by far the
  /// largest.
  fileprivate mutating func append(kindsEntries entries: consuming [ScanEntry]) {
    if entries.count <= count { return append(contentsOf: entries) }
    let before = self
    self = entries
    insert(contentsOf: before, at: 0)
  }
}
