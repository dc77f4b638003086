/// Lists the records and sidecars of one kind without opening a file.
struct FolderWalk {
  /// A name with what was found under it.
  struct Pair {
    var ref: RecordRef
    /// The kind of thing that has the record's name; `nil` where nothing has.
    var record: FileSystem.FileType?
    /// Whether there is a sidecar.
    private var hasSidecar = false
    /// The sums of the two files' keys; none where there is no file, and where nobody asked.
    var recordKey = FileKey.noSum
    var sidecarKey = FileKey.noSum
    /// Empty, or one element with what is not the usual.
    private var rare: [Rare] = []

    private struct Rare {
      var sidecar: RecordRef?
      var problem: Problem?
    }

    init(ref: RecordRef, record: FileSystem.FileType? = nil, sidecar: RecordRef? = nil) {
      self.ref = ref
      self.record = record
      self.sidecar = sidecar
    }

    /// The name under which the sidecar lies, `nil` where there is none. It differs from `ref` where
    /// the record was renamed, or where the two file names have different Unicode forms.
    var sidecar: RecordRef? {
      get { hasSidecar ? rare.first?.sidecar ?? ref : nil }
      set {
        hasSidecar = newValue != nil
        let isOther = newValue.map { !$0.path.utf8.elementsEqual(ref.path.utf8) } ?? false
        if isOther || !rare.isEmpty {
          rare = [Rare(sidecar: isOther ? newValue : nil, problem: problem)]
        }
      }
    }

    /// Why nobody can tell what belongs together here; `nil` where it is plain.
    var problem: Problem? {
      get { rare.first?.problem }
      set { rare = [Rare(sidecar: rare.first?.sidecar, problem: newValue)] }
    }

    /// Whether the two files, as far as they are there, may be found in an index.
    var isPlain: Bool {
      rare.isEmpty && (record == nil) == (recordKey == FileKey.noSum)
        && hasSidecar == (sidecarKey != FileKey.noSum)
    }

    /// Whether there is a sidecar of the record's own name, and nothing else to say.
    var hasPlainSidecar: Bool { hasSidecar && rare.isEmpty }

    /// Notes a sidecar of the record's own name.
    mutating func noteSidecar(key: UInt64) {
      hasSidecar = true
      sidecarKey = key
    }
  }

  /// The deepest folders that are looked into; deeper ones are a mistake.
  static let maximumDepth = 32

  let root: String
  let kind: EntityKind
  private(set) var pairs: [Pair] = []
  private(set) var leftovers: [String] = []
  private(set) var problems: [Problem] = []
  private let withKeys: Bool
  private let workers: Int
  private let isLarge: Bool

  /// A walk through one kind's folders.
  ///
  /// - Parameters:
  ///   - withKeys: whether to ask for the files' keys.
  ///   - workers: how many threads ask for them.
  ///   - isLarge: whether there may be so many files that it is worth to list folders on two threads.
  init(
    root: String, kind: EntityKind, withKeys: Bool = false, workers: Int = 1,
    isLarge: Bool = false
  ) {
    self.root = root
    self.kind = kind
    self.withKeys = withKeys
    self.workers = workers
    self.isLarge = isLarge
  }

  /// Lists the kind's folder and those in it.
  ///
  /// - Throws: `FileError` where one of them cannot be listed: what is in it is not gone.
  ///   `LibraryError.unsafeState` where a `.sync` is no folder: its records would look new.
  mutating func run() throws {
    try walk("", depth: 0)
    orderPairs()
    reportCases()
  }

  // MARK: Listing

  /// A listing with its keys, where they are asked for; what is wrong with its names is noted.
  private mutating func complete(
    _ listing: FolderListing, _ path: String
  ) throws(FileError) -> FolderListing {
    var listing = listing
    if withKeys { try listing.readKeys(Path.join(root, path), workers: workers) }
    for name in listing.unreadable {
      problems.append(
        Problem(
          .unreadable, severity: .warning, file: Path.join(path, name),
          message: "this name is not UTF-8, so it cannot be a record's",
          hint: "rename the file"))
    }
    return listing
  }

  /// Lists a folder and its `.sync`: at the same time where they may be large, for the listings take
  /// as long as the questions for the keys.
  private func listBoth(
    _ path: String
  ) throws(FileError) -> (FolderListing, Result<FolderListing, FileError>) {
    let paths = [Path.join(root, path), Path.join(root, Path.join(path, ".sync"))]
    @Sendable func list(_ path: String) -> Result<FolderListing, FileError> {
      do throws(FileError) { return .success(try FolderListing(path)) } catch {
        return .failure(error)
      }
    }
    guard isLarge, workers > 1 else { return (try list(paths[0]).get(), list(paths[1])) }
    var (main, hidden): (Result<FolderListing, FileError>?, Result<FolderListing, FileError>?)
    Parallel.both {
      main = list(paths[0])
    } and: {
      hidden = list(paths[1])
    }
    guard let main, let hidden else { return (try list(paths[0]).get(), list(paths[1])) }
    return (try main.get(), hidden)
  }

  private mutating func walk(_ folder: String, depth: Int) throws {
    let path = Path.join(kind.folder, folder)
    let listing: FolderListing
    let hidden: Result<FolderListing, FileError>
    do throws(FileError) {
      let found: FolderListing
      (found, hidden) = try listBoth(path)
      listing = try complete(found, path)
    } catch {
      if error.isMissing, depth == 0 { return }
      throw error
    }
    var records: [Int] = []
    var folders: [String] = []
    var sidecars: FolderListing?
    for (place, name) in listing.names.enumerated() {
      if listing.isHidden(name) {
        let text = listing.text(name)
        let inner = Path.join(path, text)
        if TemporaryName.isPrefix(of: text) {
          leftovers.append(inner)
        } else if text == ".sync" {
          guard name.type == .folder else {
            throw LibraryError.unsafeState(
              path: Path.join(root, inner),
              reason: name.type == .link ? "it is a symbolic link" : "it is no folder")
          }
          // What could not be listed a moment ago gives its reason now.
          let found = try (try? hidden.get()) ?? FolderListing(Path.join(root, inner))
          sidecars = try complete(found, inner)
        }
      } else if name.isRecord {
        records.append(place)
      } else if name.type == .folder {
        folders.append(listing.text(name))
      } else if name.type == .link {
        problems.append(
          Problem(
            .notAFile, severity: .warning, file: Path.join(path, listing.text(name)),
            message: "symbolic links are not followed"))
      }
    }
    pair(listing, records, sidecars, in: folder)
    for name in folders { try walkInner(Path.join(folder, name), depth: depth + 1) }
  }

  private mutating func walkInner(_ folder: String, depth: Int) throws {
    guard depth <= Self.maximumDepth else {
      problems.append(
        Problem(
          .unreadable, file: Path.join(kind.folder, folder),
          message: "folders nest deeper than \(Self.maximumDepth)"))
      return
    }
    try walk(folder, depth: depth)
  }

  // MARK: Pairing

  /// Brings a folder's records and sidecars of the same bytes together; both are in order.
  private mutating func pair(
    _ listing: FolderListing, _ records: [Int], _ sidecars: FolderListing?, in folder: String
  ) {
    pairs.reserveCapacity(pairs.count + records.count)
    func ref(_ stem: String) -> RecordRef {
      RecordRef(kind: kind, name: folder.isEmpty ? stem : "\(folder)/\(stem)")
    }
    var rest = records[...]
    func add(_ place: Int, sidecarKey: UInt64?) {
      var pair = Pair(ref: ref(listing.stem(listing.names[place])))
      pair.record = listing.names[place].type
      if withKeys { pair.recordKey = listing.keys[place] }
      if let sidecarKey { pair.noteSidecar(key: sidecarKey) }
      pairs.append(pair)
    }
    if let sidecars {
      for (other, name) in sidecars.names.enumerated() {
        guard !sidecars.isHidden(name) else {
          let text = sidecars.text(name)
          if TemporaryName.isPrefix(of: text) {
            let path = Path.join(Path.join(kind.folder, folder), ".sync")
            leftovers.append(Path.join(path, text))
          }
          continue
        }
        guard name.isRecord else { continue }
        let key = withKeys ? sidecars.keys[other] : FileKey.noSum
        var isFound = false
        while let place = rest.first {
          let order = listing.order(listing.names[place], name, in: sidecars)
          guard order <= 0 else { break }
          rest.removeFirst()
          isFound = order == 0
          add(place, sidecarKey: isFound ? key : nil)
          if isFound { break }
        }
        guard !isFound else { continue }
        var pair = Pair(ref: ref(sidecars.stem(name)))
        pair.noteSidecar(key: key)
        pairs.append(pair)
      }
    }
    for place in rest { add(place, sidecarKey: nil) }
  }

  /// Sorts the pairs, and brings those together whose names differ in Unicode form only.
  private mutating func orderPairs() {
    let isInOrder = zip(pairs, pairs.dropFirst()).allSatisfy { $0.ref < $1.ref }
    if isInOrder { return }
    pairs.sort { lhs, rhs in
      if lhs.ref != rhs.ref { return lhs.ref < rhs.ref }
      return lhs.ref.name.utf8.lexicographicallyPrecedes(rhs.ref.name.utf8)
    }
    var merged: [Pair] = []
    merged.reserveCapacity(pairs.count)
    var next = 0
    while next < pairs.count {
      var end = next + 1
      while end < pairs.count, pairs[end].ref == pairs[next].ref { end += 1 }
      merged.append(end == next + 1 ? pairs[next] : oneOf(pairs[next..<end]))
      next = end
    }
    pairs = merged
  }

  /// The one pair of names that are the same but for their Unicode form.
  private func oneOf(_ same: ArraySlice<Pair>) -> Pair {
    let records = same.filter { $0.record != nil }
    let sidecars = same.filter { $0.sidecar != nil }
    guard var pair = records.first ?? sidecars.first else { return same[same.startIndex] }
    if let other = records.dropFirst().last {
      pair.problem = collision(other.ref.path, pair.ref.path)
    }
    if let first = sidecars.first {
      pair.sidecar = first.sidecar
      pair.sidecarKey = first.sidecarKey
      if let other = sidecars.dropFirst().last {
        pair.problem = collision(other.ref.sidecarPath, first.ref.sidecarPath)
      }
    }
    return pair
  }

  private func collision(_ path: String, _ other: String) -> Problem {
    Problem(
      .nameCollision, file: path,
      message: "the name is the same as that of \(other) but for its Unicode form",
      hint: "rename or remove one of the two: on some systems they are one file")
  }

  /// Warns of records whose names differ in case only.
  private mutating func reportCases() {
    // A name without capitals, of ASCII alone, is its own small form; mostly all are.
    func isSmall(_ name: String) -> Bool {
      name.utf8.allSatisfy { $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
    guard pairs.contains(where: { $0.record != nil && !isSmall($0.ref.name) }) else { return }
    var seen: [String: RecordRef] = [:]
    for pair in pairs where pair.record != nil {
      let name = pair.ref.name
      guard
        let other = seen.updateValue(pair.ref, forKey: isSmall(name) ? name : name.lowercased())
      else { continue }
      problems.append(
        Problem(
          .nameCollision, severity: .warning, file: pair.ref.path,
          message: "the name is the same as that of \(other.path) but for its case",
          hint: "rename one of the two: on some systems they are one file"))
    }
  }
}
