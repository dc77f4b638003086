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
  }

  /// The deepest folders that are looked into; deeper ones are a mistake.
  static let maximumDepth = 32

  let root: String
  let kind: EntityKind
  private(set) var pairs: [Pair] = []
  private(set) var leftovers: [String] = []
  private(set) var problems: [Problem] = []

  init(root: String, kind: EntityKind) {
    self.root = root
    self.kind = kind
  }

  mutating func run() throws(FileError) {
    try walk("", depth: 0)
    pairs.sort { $0.ref < $1.ref }
  }

  private mutating func walk(_ folder: String, depth: Int) throws(FileError) {
    let path = Path.join(kind.folder, folder)
    let names: [FileSystem.Entry]
    do throws(FileError) {
      names = try FileSystem.list(Path.join(root, path))
    } catch {
      if error.isMissing, depth == 0 { return }
      throw error
    }
    var found: [RecordRef: Int] = [:]
    var folders: [String] = []
    var hasSidecars = false
    for entry in names {
      let inner = Path.join(path, entry.name)
      if entry.name.hasPrefix(TemporaryName.prefix) {
        leftovers.append(inner)
      } else if entry.name == ".sync" {
        if entry.type == .folder { hasSidecars = true } else { reportLink(inner, entry.type) }
      } else if entry.name.hasPrefix(".") {
        continue
      } else if entry.name.hasSuffix(".json") {
        let name = Path.join(folder, String(entry.name.dropLast(5)))
        add(RecordRef(kind: kind, name: name), record: entry.type, to: &found)
      } else if entry.type == .folder {
        folders.append(Path.join(folder, entry.name))
      } else if entry.type == .link {
        reportLink(inner, entry.type)
      }
    }
    if hasSidecars { try walkSidecars(of: folder, &found) }
    for inner in folders {
      if depth >= Self.maximumDepth {
        problems.append(
          Problem(
            .unreadable, file: Path.join(kind.folder, inner),
            message: "folders nest deeper than \(Self.maximumDepth)"))
      } else {
        try walk(inner, depth: depth + 1)
      }
    }
  }

  private mutating func walkSidecars(
    of folder: String, _ found: inout [RecordRef: Int]
  ) throws(FileError) {
    let path = Path.join(Path.join(kind.folder, folder), ".sync")
    for entry in try FileSystem.list(Path.join(root, path)) {
      if entry.name.hasPrefix(TemporaryName.prefix) {
        leftovers.append(Path.join(path, entry.name))
        continue
      }
      guard entry.name.hasSuffix(".json"), !entry.name.hasPrefix(".") else { continue }
      let name = Path.join(folder, String(entry.name.dropLast(5)))
      let ref = RecordRef(kind: kind, name: name)
      if let index = found[ref] {
        pairs[index].sidecar = ref
      } else {
        pairs.append(Pair(ref: ref, record: nil, sidecar: ref))
      }
    }
  }

  private mutating func add(
    _ ref: RecordRef, record: FileSystem.FileType, to found: inout [RecordRef: Int]
  ) {
    if let index = found[ref] {
      problems.append(
        Problem(
          .nameCollision, file: ref.path,
          message:
            "the name is the same as that of \(pairs[index].ref.path) but for its Unicode form",
          hint: "rename one of the two: on some systems they are one file"))
      return
    }
    found[ref] = pairs.count
    pairs.append(Pair(ref: ref, record: record, sidecar: nil))
  }

  private mutating func reportLink(_ path: String, _ type: FileSystem.FileType) {
    problems.append(
      Problem(
        .notAFile, severity: .warning, file: path,
        message: type == .link ? "symbolic links are not followed" : "this is no folder"))
  }
}
