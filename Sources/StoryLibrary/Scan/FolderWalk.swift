/// Lists the records and sidecars of one kind without opening a file.
struct FolderWalk {
  /// A name with what was found under it.
  struct Pair {
    var ref: RecordRef
    /// The kind of thing that has the record's name; `nil` where nothing has.
    var record: FileSystem.FileType?
    /// The name under which the sidecar lies, `nil` where there is none. It differs from `ref` where
    /// the two file names have different Unicode forms.
    var sidecar: RecordRef?
    /// Why nobody can tell what belongs together here; `nil` where it is plain.
    var problem: Problem?
  }

  /// The deepest folders that are looked into; deeper ones are a mistake.
  static let maximumDepth = 32

  let root: String
  let kind: EntityKind
  private(set) var pairs: [Pair] = []
  private(set) var leftovers: [String] = []
  private(set) var problems: [Problem] = []
  private var records: [(ref: RecordRef, type: FileSystem.FileType)] = []
  private var sidecars: [RecordRef] = []

  init(root: String, kind: EntityKind) {
    self.root = root
    self.kind = kind
  }

  /// Lists the kind's folder and those in it.
  ///
  /// - Throws: `FileError` where one of them cannot be listed: what is in it is not gone.
  ///   `LibraryError.unsafeState` where a `.sync` is no folder: its records would look new.
  mutating func run() throws {
    try walk("", depth: 0)
    makePairs()
    reportCases()
  }

  // MARK: Listing

  private mutating func list(_ path: String) throws(FileError) -> [FileSystem.Entry] {
    let listing = try FileSystem.listing(of: Path.join(root, path))
    for name in listing.unreadable {
      problems.append(
        Problem(
          .unreadable, severity: .warning, file: Path.join(path, name),
          message: "this name is not UTF-8, so it cannot be a record's",
          hint: "rename the file"))
    }
    return listing.entries
  }

  private mutating func walk(_ folder: String, depth: Int) throws {
    let path = Path.join(kind.folder, folder)
    let names: [FileSystem.Entry]
    do throws(FileError) {
      names = try list(path)
    } catch {
      if error.isMissing, depth == 0 { return }
      throw error
    }
    for entry in names {
      let inner = Path.join(path, entry.name)
      if TemporaryName.isPrefix(of: entry.name) {
        leftovers.append(inner)
      } else if entry.name == ".sync" {
        guard entry.type == .folder else {
          throw LibraryError.unsafeState(
            path: Path.join(root, inner),
            reason: entry.type == .link ? "it is a symbolic link" : "it is no folder")
        }
        try walkSidecars(of: folder)
      } else if entry.name.utf8.first == UInt8(ascii: ".") {
        continue
      } else if let name = Self.recordName(entry.name) {
        records.append((RecordRef(kind: kind, name: Path.join(folder, name)), entry.type))
      } else if entry.type == .folder {
        try walkInner(Path.join(folder, entry.name), depth: depth + 1)
      } else if entry.type == .link {
        problems.append(
          Problem(
            .notAFile, severity: .warning, file: inner,
            message: "symbolic links are not followed"))
      }
    }
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

  private mutating func walkSidecars(of folder: String) throws(FileError) {
    let path = Path.join(Path.join(kind.folder, folder), ".sync")
    for entry in try list(path) {
      if TemporaryName.isPrefix(of: entry.name) {
        leftovers.append(Path.join(path, entry.name))
      } else if entry.name.utf8.first != UInt8(ascii: "."), let name = Self.recordName(entry.name) {
        sidecars.append(RecordRef(kind: kind, name: Path.join(folder, name)))
      }
    }
  }

  /// The name of the record that a file holds; `nil` for a file that is none.
  private static func recordName(_ name: String) -> String? {
    guard name.utf8.suffix(5).elementsEqual(".json".utf8), name.utf8.count > 5 else { return nil }
    return String(Substring(name.utf8.dropLast(5)))
  }

  // MARK: Pairing

  /// Brings records and sidecars together whose names differ in Unicode form at most.
  private mutating func makePairs() {
    var places: [RecordRef: Int] = [:]
    for (ref, type) in records {
      if let place = places[ref] {
        pairs[place].problem = collision(ref.path, pairs[place].ref.path)
      } else {
        places[ref] = pairs.count
        pairs.append(Pair(ref: ref, record: type))
      }
    }
    for ref in sidecars {
      guard let place = places[ref] else {
        places[ref] = pairs.count
        pairs.append(Pair(ref: ref, sidecar: ref))
        continue
      }
      if let other = pairs[place].sidecar {
        pairs[place].problem = collision(ref.sidecarPath, other.sidecarPath)
      } else {
        pairs[place].sidecar = ref
      }
    }
    pairs.sort { $0.ref < $1.ref }
  }

  private func collision(_ path: String, _ other: String) -> Problem {
    Problem(
      .nameCollision, file: path,
      message: "the name is the same as that of \(other) but for its Unicode form",
      hint: "rename or remove one of the two: on some systems they are one file")
  }

  /// Warns of records whose names differ in case only.
  private mutating func reportCases() {
    var seen: [String: RecordRef] = [:]
    for pair in pairs where pair.record != nil {
      guard let other = seen.updateValue(pair.ref, forKey: pair.ref.name.lowercased()) else {
        continue
      }
      problems.append(
        Problem(
          .nameCollision, severity: .warning, file: pair.ref.path,
          message: "the name is the same as that of \(other.path) but for its case",
          hint: "rename one of the two: on some systems they are one file"))
    }
  }
}
