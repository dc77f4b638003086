import JSONText

/// Lists the records and sidecars of one kind without opening files.
struct FolderWalk {
  /// A name and the files found under it.
  struct Pair: Sendable {
    /// The record's name, or the sidecar's if there is no record.
    var ref: RecordRef
    /// The type of the record's file, or `nil`.
    var record: FileSystem.FileType?
    /// The sidecar's name, or `nil` without a sidecar. It differs from `ref` if the record was
    /// renamed or if the two file names have different Unicode forms.
    var sidecar: RecordRef?
    /// The keys of the two files, or `nil` for anything but a regular file.
    var recordKey: FileKey?
    var sidecarKey: FileKey?
    /// The problem that makes the pairing ambiguous, if any: at most one element.
    var problems: [Problem] = []

    /// Whether the files that exist can be identified by their keys.
    var isRegular: Bool {
      problems.isEmpty && (record == nil) == (recordKey == nil)
        && (sidecar == nil) == (sidecarKey == nil)
    }
  }

  /// The maximum depth of folders; deeper ones are a mistake.
  static let maximumDepth = 32

  let library: Library
  let kind: EntityKind
  /// The pairs in name order.
  private(set) var pairs: [Pair] = []
  private(set) var staleFiles: [String] = []
  private(set) var problems: [Problem] = []
  /// Whether everything was seen. If not, a file that seems to be missing may exist.
  private(set) var isComplete = true
  /// Whether all names are simple; see ``FolderListing/areNamesSimple``.
  private(set) var areNamesSimple = true
  /// A sum of all names and keys. An equal sum means that nothing has changed.
  private(set) var sum: UInt64 = 0
  private var folders: [Found] = []

  private struct Found {
    var folder: String
    var records: FolderListing
    var sidecars: FolderListing?
    /// The reason that the sidecars are unknown.
    var problem: Problem?
  }

  init(_ library: Library, kind: EntityKind) {
    self.library = library
    self.kind = kind
  }

  /// Lists the kind's folder and its subfolders.
  ///
  /// A folder that cannot be listed becomes a problem and makes the walk incomplete.
  /// - Throws: `LibraryError.unsafeState` if a `.sync` is not a folder: its records would look new.
  mutating func run() throws {
    try walk("", depth: 0)
    staleFiles.sort()
  }

  /// Reads the keys of the listed files, and ``sum``.
  mutating func readKeys(threads: Int) {
    for place in folders.indices {
      let folder = folders[place].folder
      let path = library.path(Path.join(kind.folder, folder))
      folders[place].records.readKeys(in: path, threads: threads)
      folders[place].sidecars?.readKeys(in: Path.join(path, ".sync"), threads: threads)
      let sums = (
        ContentDigest(folder.utf8), folders[place].records.sum, folders[place].sidecars?.sum ?? 0
      )
      sum &+= withUnsafeBytes(of: sums) { xxHash64($0, seed: 0) }
    }
  }

  mutating func makePairs(threads: Int = 1) {
    folders.reverse()
    while let found = folders.popLast() { pair(found, threads: threads) }
    orderPairs()
    guard !areNamesSimple else { return }
    refuseNames()
    reportCases()
  }

  /// Forgets the pairs, which take as much memory as the entries made from them.
  mutating func dropPairs() { pairs = [] }

  // MARK: Listing

  private mutating func reportUnreadable(_ listing: FolderListing, _ path: String) {
    for (name, mayHoldRecords) in listing.unreadable.sorted(by: { $0.name < $1.name }) {
      if mayHoldRecords { isComplete = false }
      problems.append(
        Problem(
          .nameNotUTF8(hides: mayHoldRecords ? kind : nil),
          severity: mayHoldRecords ? .error : .warning, file: Path.join(path, name)))
    }
  }

  /// Reports a problem that hides records.
  private mutating func reportHidden(_ problem: Problem) {
    isComplete = false
    problems.append(problem)
  }

  private mutating func walk(_ folder: String, depth: Int) throws {
    let path = Path.join(kind.folder, folder)
    // Those of a story are in a folder of its name.
    guard depth <= Self.maximumDepth + (kind == .illustrations ? 1 : 0) else {
      return reportHidden(Problem(.tooDeep(kind, limit: Self.maximumDepth), file: path))
    }
    let location = library.path(path)
    let listing: FolderListing
    do throws(FileError) {
      listing = try FolderListing(location)
    } catch {
      if error.isMissing, depth == 0 { return }
      return reportHidden(Problem(error, file: path))
    }
    areNamesSimple = areNamesSimple && listing.areNamesSimple
    reportUnreadable(listing, path)
    if depth > 0, library.isOtherLibrary(path, in: kind) {
      problems.append(Problem(.otherLibrary, severity: .warning, file: path))
      return
    }
    var found = Found(folder: folder, records: listing)
    let others = listing.others.sorted { $0.name < $1.name }
    for entry in others {
      let inner = Path.join(path, entry.name)
      if TemporaryName.isPrefix(of: entry.name) {
        staleFiles.append(inner)
      } else if entry.name == ".sync" {
        guard entry.type == .folder else {
          throw LibraryError.noFolder(library.path(inner), entry.type)
        }
        do throws(FileError) {
          found.sidecars = try FolderListing(Path.join(location, ".sync"))
        } catch {
          let problem = Problem(error, file: inner)
          found.problem = problem
          reportHidden(problem)
        }
      } else if entry.type == .regular,
        let problem = StrayFiles(library: library).problem(ofFile: entry.name, in: path)
      {
        problems.append(problem)
      } else if entry.type == .link, !Self.isHidden(entry.name) {
        problems.append(Problem(.link, severity: .warning, file: inner))
      }
    }
    if let sidecars = found.sidecars {
      let inner = Path.join(path, ".sync")
      reportUnreadable(sidecars, inner)
      for entry in sidecars.others where TemporaryName.isPrefix(of: entry.name) {
        staleFiles.append(Path.join(inner, entry.name))
      }
    }
    folders.append(found)
    for entry in others where entry.type == .folder && !Self.isHidden(entry.name) {
      try walk(Path.join(folder, entry.name), depth: depth + 1)
    }
  }

  private static func isHidden(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") }

  // MARK: Pairing

  private mutating func pair(_ found: consuming Found, threads: Int) {
    let sorted = Parallel.map([found.records, found.sidecars], threads: threads) { listing in
      var records = listing?.records ?? []
      records.sort { $0.name < $1.name }
      return records
    }
    let (records, sidecars, folder, problem) = (sorted[0], sorted[1], found.folder, found.problem)
    let first = pairs.count
    pairs.reserveCapacity(pairs.count + records.count)
    var next = 0
    for record in records {
      while next < sidecars.count, sidecars[next].name < record.name {
        add(sidecar: sidecars[next], in: folder)
        next += 1
      }
      var pair = Pair(ref: RecordRef(kind: kind, name: Path.join(folder, record.name)))
      pair.record = record.type
      pair.recordKey = record.key
      // Usually both names have the same bytes and can share one string.
      if next < sidecars.count, sidecars[next].name.utf8.elementsEqual(record.name.utf8) {
        pair.sidecar = pair.ref
        pair.sidecarKey = sidecars[next].key
        next += 1
      }
      add(pair)
    }
    for sidecar in sidecars[next...] { add(sidecar: sidecar, in: folder) }
    // Records whose sidecars are unknown would look new.
    guard let problem else { return }
    for place in first..<pairs.count { pairs[place].problems = [problem] }
  }

  private mutating func add(sidecar: FolderListing.Record, in folder: String) {
    var pair = Pair(ref: RecordRef(kind: kind, name: Path.join(folder, sidecar.name)))
    pair.sidecar = pair.ref
    pair.sidecarKey = sidecar.key
    add(pair)
  }

  /// Appends a pair, or joins it with the last one if both have the same name.
  private mutating func add(_ pair: Pair) {
    if let last = pairs.indices.last, pairs[last].ref.name == pair.ref.name {
      join(pair, last)
    } else {
      pairs.append(pair)
    }
  }

  /// Joins two pairs of the same name, possibly in different Unicode forms.
  private mutating func join(_ pair: Pair, _ place: Int) {
    let present = pairs[place]
    if present.record != nil, pair.record != nil {
      let (first, other) = Self.inOrder(present.ref, pair.ref)
      pairs[place].problems = [Self.collision(other.path, first.path)]
    }
    if let one = present.sidecar, let two = pair.sidecar {
      let (first, other) = Self.inOrder(one, two)
      pairs[place].problems = [Self.collision(other.sidecarPath, first.sidecarPath)]
    }
    // The first form takes precedence.
    let isFirst = Self.inOrder(present.ref, pair.ref).0.name.utf8.elementsEqual(pair.ref.name.utf8)
    if pair.record != nil, present.record == nil || isFirst {
      pairs[place].ref = pair.ref
      pairs[place].record = pair.record
      pairs[place].recordKey = pair.recordKey
    }
    if pair.sidecar != nil, present.sidecar == nil || isFirst {
      pairs[place].sidecar = pair.sidecar
      pairs[place].sidecarKey = pair.sidecarKey
    }
  }

  /// Treats sidecars as present or missing regardless of the disk; see ``Scanner/assumedSidecars``.
  mutating func assume(_ sidecars: [RecordRef: [UInt8]?]) {
    if sidecars.isEmpty { return }
    for (place, sidecar) in sidecars where place.kind == kind {
      let known = pairs.firstIndex { $0.sidecar == place } ?? pairs.firstIndex { $0.ref == place }
      if let known {
        pairs[known].sidecar = sidecar == nil ? nil : place
      } else {
        pairs.append(Pair(ref: place, record: nil, sidecar: place))
      }
    }
    pairs.removeAll { $0.record == nil && $0.sidecar == nil }
    orderPairs()
  }

  /// Sorts the pairs, which come from several folders.
  private mutating func orderPairs() {
    let found = pairs
    let isInOrder = found.indices.dropFirst().allSatisfy {
      found[$0 - 1].ref.name < found[$0].ref.name
    }
    if isInOrder { return }
    pairs = []
    pairs.reserveCapacity(found.count)
    for place in found.indices.sorted(by: { found[$0].ref.name < found[$1].ref.name }) {
      add(found[place])
    }
  }

  private static func inOrder(_ one: RecordRef, _ other: RecordRef) -> (RecordRef, RecordRef) {
    other.name.utf8.lexicographicallyPrecedes(one.name.utf8) ? (other, one) : (one, other)
  }

  private static func collision(_ path: String, _ other: String) -> Problem {
    Problem(.nameCollision(other, isCase: false), file: path)
  }

  /// Marks records with invalid names, so that they are not sent. A sidecar alone is not marked:
  /// its record may already have been renamed.
  private mutating func refuseNames() {
    for place in pairs.indices where pairs[place].record != nil {
      guard let problem = pairs[place].ref.nameProblem else { continue }
      pairs[place].problems = [problem]
    }
  }

  private mutating func reportCases() {
    var seen: [String: RecordRef] = [:]
    for pair in pairs where pair.record != nil {
      guard let other = seen.updateValue(pair.ref, forKey: pair.ref.name.lowercased()) else {
        continue
      }
      problems.append(
        Problem(
          .nameCollision(other.path, isCase: true), severity: .warning, file: pair.ref.path))
    }
  }
}

extension Library {
  /// Returns the names of existing records, by kind and name, without opening files. Folders that
  /// cannot be listed are omitted, so this is meant for completion and not for determining state.
  public func recordNames(_ kinds: [EntityKind]) -> [RecordRef] {
    kinds.flatMap { kind in
      var walk = FolderWalk(self, kind: kind)
      guard (try? walk.run()) != nil else { return [RecordRef]() }
      walk.makePairs()
      return walk.pairs.filter { $0.record == .regular }.map(\.ref)
    }
  }
}
