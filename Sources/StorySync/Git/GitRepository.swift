public import StoryLibrary

/// What git says about a library that lies in a working tree. Git is asked, never told.
public struct GitRepository: Sendable {
  /// The library's root.
  public let root: String
  /// The index that is asked instead of the repository's own: git hands hooks another one where only
  /// some files are committed (`GIT_INDEX_FILE`). An absolute path.
  public var indexFile: String?
  /// The folder or file `.git` that was found.
  private let marker: String

  /// The repository that a library lies in; `nil` where it lies in none.
  ///
  /// Nothing is started for this: it looks for `.git` in the root and above.
  public init?(_ library: Library) { self.init(around: library.root) }

  /// The repository that a folder lies in, be there a library or not.
  public init?(around root: String) {
    var folder = root
    while !FileSystem.exists(Path.join(folder, ".git")) {
      guard folder != "/", !folder.isEmpty else { return nil }
      folder = Path.parent(folder)
    }
    self.root = root
    marker = Path.join(folder, ".git")
  }

  /// The top of the working tree.
  var top: String { Path.parent(marker) }

  /// Of `paths`, relative to the library's root, those that git tracks but keeps out of the working
  /// tree (the skip-worktree bit of a sparse checkout). Git not answering counts as none.
  public func notCheckedOut(_ paths: [String]) -> Set<String> {
    let wanted = Set(paths)
    return Set(keptOut().map(\.path).filter(wanted.contains))
  }

  /// The sidecars that git tracks but keeps out of the working tree, with their texts.
  ///
  /// Nothing is asked where no sparse checkout was ever set up. Git not answering counts as none.
  public func hiddenSidecars() -> [(ref: RecordRef, bytes: [UInt8])] {
    guard mayBeSparse else { return [] }
    let hidden = keptOut().compactMap { entry -> (ref: RecordRef, object: String)? in
      guard case .sidecar(let ref)? = TrackedPath(entry.path),
        !FileSystem.exists(Path.join(root, entry.path))
      else { return nil }
      return (ref, entry.object)
    }
    guard !hidden.isEmpty, let texts = contents(of: hidden.map(\.object)) else { return [] }
    return hidden.compactMap { item in texts[item.object].map { (item.ref, $0) } }
  }

  /// Lets a scanner ask git what a sparse checkout leaves out.
  public func describe(to scanner: inout Scanner) {
    scanner.notCheckedOut = { [self] in notCheckedOut($0) }
    scanner.hiddenSidecars = { [self] in hiddenSidecars() }
  }

  private var mayBeSparse: Bool {
    guard (try? FileSystem.status(marker))??.type == .folder else { return true }
    return FileSystem.exists(Path.join(marker, "info/sparse-checkout"))
  }

  private func keptOut() -> [(path: String, object: String)] {
    guard
      let output = run(["ls-files", "-t", "-s", "-z", "--"] + EntityKind.allCases.map(\.folder))
    else { return [] }
    // `S 100644 0123… 0<TAB>path`
    return output.split(separator: 0).compactMap { line in
      guard line.first == UInt8(ascii: "S"), let tab = line.firstIndex(of: UInt8(ascii: "\t")),
        let object = line[..<tab].split(separator: UInt8(ascii: " ")).dropFirst(2).first
      else { return nil }
      return (
        String(decoding: line[line.index(after: tab)...], as: UTF8.self),
        String(decoding: object, as: UTF8.self)
      )
    }
  }

  /// Whether git tracks anything of this machine's own state.
  public var tracksState: Bool {
    run(["ls-files", "-z", "--", Library.stateFolderName])?.isEmpty == false
  }

  /// The contents of objects, by their names; `nil` where git does not answer.
  func contents(of objects: [String]) -> [String: [UInt8]]? {
    var result: [String: [UInt8]] = [:]
    // So many at a time that neither side has to hold a whole library.
    for start in stride(from: 0, to: objects.count, by: 1_000) {
      let names = objects[start..<min(start + 1_000, objects.count)]
      let input = Array(names.map { $0 + "\n" }.joined().utf8)
      guard let output = run(["cat-file", "--batch"], input: input) else { return nil }
      var rest = output[...]
      while let end = rest.firstIndex(of: 0x0A) {
        let head = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
        rest = rest[(end + 1)...]
        guard head.count == 3, let size = Int(head[2]), rest.count > size else { continue }
        result[String(head[0])] = Array(rest.prefix(size))
        rest = rest.dropFirst(size + 1)
      }
    }
    return result
  }

  /// Whether a rebase is under way, which checks out one commit after the other.
  public var isRebasing: Bool {
    guard
      let output = run(["rev-parse", "--git-path", "rebase-merge", "--git-path", "rebase-apply"])
    else { return false }
    return output.split(separator: 0x0A).contains {
      FileSystem.exists(Path.absolute(String(decoding: $0, as: UTF8.self), in: root))
    }
  }

  /// What git prints, `nil` where it fails, takes too long or is not there.
  func run(_ arguments: [String], input: [UInt8] = [], seconds: Int = 60) -> [UInt8]? {
    guard let result = try? call(arguments, input: input, seconds: seconds), result.status == 0
    else { return nil }
    return result.output
  }

  /// Runs git in the library's root.
  ///
  /// - Throws: `ChildProcess.Failure` where git is not there.
  func call(
    _ arguments: [String], in folder: String? = nil, input: [UInt8] = [], seconds: Int = 60
  ) throws(ChildProcess.Failure) -> ChildProcess.Result {
    var environment = ChildProcess.ownEnvironment
    // Answers about this working tree, whatever hook or script we are called from.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
      environment[name] = nil
    }
    environment["GIT_INDEX_FILE"] = indexFile
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    environment["LC_ALL"] = "C"
    return try ChildProcess(["git", "-C", folder ?? root] + arguments, environment: environment)
      .run(input: input, seconds: seconds)
  }
}

/// What a path in a library's folder of a kind is for.
enum TrackedPath: Equatable {
  case record(RecordRef)
  case sidecar(RecordRef)

  /// Reads a path relative to the library's root; `nil` for what belongs to no record.
  init?(_ path: String) {
    guard path.utf8.suffix(5).elementsEqual(".json".utf8) else { return nil }
    let folder = Path.parent(path)
    if Path.name(folder) == ".sync" {
      guard let ref = RecordRef(Path.join(Path.parent(folder), Path.name(path))) else { return nil }
      self = .sidecar(ref)
    } else {
      guard let ref = RecordRef(path) else { return nil }
      self = .record(ref)
    }
  }
}
