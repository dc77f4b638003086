public import StoryLibrary
import StoryMerge

/// Git's view of a library in a working tree. Git is only read from, and runs nothing that the
/// repository configures (`GitProcess` of StoryLibrary).
public struct GitRepository: Sendable {
  /// The library's root.
  public let root: String
  /// The index to use instead of the repository's own: git passes hooks another one if only some
  /// files are committed (`GIT_INDEX_FILE`). An absolute path.
  public var indexFile: String?
  /// The timeout for git in seconds.
  var patience = 60
  private let place: GitProcess.Place
  let marker: String

  /// Finds the repository of a library, or returns `nil`.
  ///
  /// This starts nothing: it looks for `.git` in the root and above.
  public init?(_ library: Library) { self.init(around: library.root) }

  /// Finds the repository of a folder, whether or not it is a library.
  public init?(around root: String) {
    guard let place = GitProcess.Place(around: root), let marker = place.marker else { return nil }
    self.root = root
    self.place = place
    self.marker = marker
  }

  var top: String { Path.parent(marker) }

  // MARK: Sparse checkouts

  /// Returns those of `paths`, relative to the library's root, that git tracks but keeps out of the
  /// working tree (the skip-worktree bit of a sparse checkout).
  ///
  /// - Throws: `LibraryError.sparseUnknown` if git does not answer and the checkout may be sparse.
  ///   In one that is not, no answer means none.
  public func notCheckedOut(_ paths: [String]) throws(LibraryError) -> Set<String> {
    let wanted = Set(paths)
    return Set(try sparse { () throws(GitFailure) in try keptOut() }.map(\.path))
      .intersection(wanted)
  }

  /// Returns the sidecars that git tracks but keeps out of the working tree, with their texts.
  ///
  /// Git is not asked if no sparse checkout was ever set up.
  /// - Throws: `LibraryError.sparseUnknown` if git does not answer, or lacks one of the texts.
  public func hiddenSidecars() throws(LibraryError) -> [(ref: RecordRef, bytes: [UInt8])] {
    guard mayBeSparse else { return [] }
    return try sparse { () throws(GitFailure) in
      let hidden = try keptOut().compactMap { entry -> (ref: RecordRef, object: String)? in
        guard case .sidecar(let ref)? = TrackedPath(entry.path),
          !FileSystem.exists(Path.join(root, entry.path))
        else { return nil }
        return (ref, entry.object)
      }
      guard !hidden.isEmpty else { return [] }
      let texts = try contents(of: hidden.map(\.object))
      let found = hidden.compactMap { item in texts[item.object].map { (item.ref, $0) } }
      guard found.count == hidden.count else {
        throw .missingObjects(count: hidden.count - found.count)
      }
      return found
    }
  }

  /// Makes a scanner ask git about sparse checkouts and tracked or removed records.
  public func describe(to scanner: inout Scanner) {
    scanner.notCheckedOut = { [self] (paths) throws(LibraryError) in try notCheckedOut(paths) }
    scanner.hiddenSidecars = { [self] () throws(LibraryError) in try hiddenSidecars() }
    scanner.gitTraces = { [self] in traces(of: $0) }
    scanner.indexedSidecars = { [self] in indexedSidecars($0) }
    scanner.recordsElsewhere = { [self] in recordsElsewhere($0) }
    scanner.takenByGit = { [self] in takenAway($0) }
    scanner.unmerged = { [self] in unmergedFiles }
  }

  /// Returns git's answer about a sparse checkout; empty if git fails on a full checkout.
  private func sparse<Element>(
    _ ask: () throws(GitFailure) -> [Element]
  ) throws(LibraryError) -> [Element] {
    do throws(GitFailure) {
      return try ask()
    } catch {
      guard mayBeSparse else { return [] }
      throw .sparseUnknown(marker: marker, error)
    }
  }

  /// Whether a sparse checkout may have been set up. It may if a `.git` file leads nowhere.
  private var mayBeSparse: Bool {
    guard let folder = gitFolder, FileSystem.exists(folder) else { return true }
    return FileSystem.exists(Path.join(folder, "info/sparse-checkout"))
  }

  /// Git's folder for this working tree, or `nil` if the `.git` file cannot be parsed.
  var gitFolder: String? {
    // It may be a link to another folder.
    if (try? FileSystem.folderStatus(marker)) != nil { return marker }
    // gitrepository-layout(5): `gitdir: PATH`.
    guard let bytes = try? FileSystem.read(marker, limit: 1 << 16) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("gitdir: ") else { return nil }
    let path = text.dropFirst("gitdir: ".count).prefix { !$0.isNewline }
    return Path.absolute(String(path), in: top)
  }

  private func keptOut() throws(GitFailure) -> [(path: String, object: String)] {
    let output = try answer(
      .listFiles, ["-t", "-s", "-z", "--"] + EntityKind.allCases.map(\.folder))
    // `S 100644 0123… 0<TAB>path`
    return output.split(separator: 0).compactMap { line in
      guard line.first == UInt8(ascii: "S"), let (words, path) = Self.parsed(line),
        words.count > 2
      else { return nil }
      return (path, words[2])
    }
  }

  /// Parses a line of `git ls-files -s`: words, a tab, and a path.
  static func parsed(_ line: ArraySlice<UInt8>) -> (words: [String], path: String)? {
    guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
    let words = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
    return (words.map(String.init), String(decoding: line[(tab + 1)...], as: UTF8.self))
  }

  // MARK: Other questions

  /// Returns whether git tracks anything in `.stories`.
  ///
  /// - Throws: `GitFailure` if git does not answer.
  public func tracksState() throws(GitFailure) -> Bool {
    try !answer(.listFiles, ["-z", "--", Library.stateFolderName]).isEmpty
  }

  /// Returns the contents of objects by their names. Those that git does not have are left out. In a
  /// partial clone, where git stops at the first of these, so may be up to 999 that come after it.
  ///
  /// - Throws: `GitFailure` if git does not answer.
  func contents(of objects: [String]) throws(GitFailure) -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    // In chunks, so that neither side has to hold a whole library in memory.
    for start in stride(from: 0, to: objects.count, by: 1_000) {
      let names = objects[start..<min(start + 1_000, objects.count)]
      let input = Array(names.map { $0 + "\n" }.joined().utf8)
      let output = try answer(.catFile, ["--batch"], input: input, orNone: 128)
      for case let object? in GitProcess.objects(inBatch: output) {
        result[object.name] = object.content
      }
    }
    return result
  }

  /// Returns the versions of files that git's index has in the middle of a merge, by path relative to
  /// the library's root, and by number: 1 is the common ancestor, 2 ours and 3 theirs. None if git does
  /// not answer.
  func versionsInMerge(of paths: [String]) -> [String: [Int: [UInt8]]] {
    let objects = paths.isEmpty ? [:] : unmerged(paths.map { ":(literal)" + $0 })
    let names = Set(objects.values.flatMap(\.values))
    guard let texts = try? contents(of: Array(names)) else { return [:] }
    return objects.mapValues { $0.compactMapValues { texts[$0] } }
  }

  /// Returns the objects of unmerged files by path and number, see ``versionsInMerge(of:)``.
  func unmerged(_ paths: [String]) -> [String: [Int: String]] {
    let output = (try? answer(.listFiles, ["-u", "-z", "--"] + paths)) ?? []
    // `100644 0123… 1<TAB>path`
    return output.split(separator: 0).reduce(into: [:]) { objects, line in
      guard let (words, path) = Self.parsed(line), words.count == 3, words[0].hasPrefix("100"),
        let number = Int(words[2])
      else { return }
      objects[path, default: [:]][number] = words[1]
    }
  }

  /// The problems of records and sidecars that git holds as unmerged because one side does not have them,
  /// by path; what both have is merged, or has conflict markers. Git is asked only in the middle of a
  /// merge, pick, revert, rebase or applied stash.
  private var unmergedFiles: [Problem] {
    guard isInGitFolder(Self.mergeMarks) else { return [] }
    let theirs = mergedHead ?? "COMMIT"
    return unmerged(EntityKind.allCases.map(\.folder)).sorted { $0.key < $1.key }
      .filter { $0.value[2] == nil || $0.value[3] == nil }
      .compactMap { path, sides in
        let other: String
        switch TrackedPath(path) {
        case .record(let ref): other = ref.sidecarPath
        case .sidecar(let ref): other = ref.path
        case nil: return nil
        }
        let side = sides[2] != nil ? "HEAD" : sides[3] != nil ? theirs : nil
        let lacksOther =
          !FileSystem.exists(Path.join(root, other))
          && side.map { $0 == "COMMIT" || tracked([other], in: [$0])?.isEmpty == false } ?? false
        return Problem(
          .unmerged(keptIn: side, lacksOther: lacksOther), severity: .warning, file: path)
      }
  }

  /// Returns a file's texts on both sides of a merge or pick in progress, or of a merge in `HEAD`.
  func mergedTexts(of path: String) -> (ours: [UInt8]?, theirs: [UInt8]?) {
    // After its commit, the sides of a merge are its parents.
    let parents = exists("HEAD^2") ? ("HEAD^1", "HEAD^2") : nil
    guard let (ours, theirs) = mergedHead.map({ ("HEAD", $0) }) ?? parents else {
      return (nil, nil)
    }
    func text(in commit: String) -> [UInt8]? {
      let objects = tracked([path], in: [commit])?[path] ?? []
      return (try? contents(of: objects))?.values.first
    }
    return (text(in: ours), text(in: theirs))
  }

  /// Returns the sides of those records that are two in the commits of a merge or pick in progress, or
  /// in `HEAD` and a stash that was applied: one side gave the name to another record, which may not
  /// be synced.
  ///
  /// - Parameter versions: The texts of both sides.
  func twoRecords(
    _ versions: [RecordRef: (ours: [UInt8], theirs: [UInt8])]
  ) -> [RecordRef: MergedCommits] {
    guard let folder = Path.relative(root, to: top), let place = GitProcess.Place(around: top)
    else { return [:] }
    let head = mergedHead ?? MergedCommits.stash
    let objects = tracked(versions.keys.map(\.sidecarPath), in: ["HEAD", head]) ?? [:]
    let sidecars = (try? contents(of: Array(Set(objects.values.joined())))) ?? [:]
    var found: [RecordRef: MergedCommits] = [:]
    for (ref, texts) in versions {
      let objects = objects[ref.sidecarPath] ?? []
      let ids = objects.compactMap { object in
        sidecars[object].flatMap { try? Sidecar(bytes: $0, ref: ref).id }
      }
      // Most are one record on both sides, for which git need not be asked again.
      guard objects.count == 1 || Set(ids).count > 1 else { continue }
      let lookup = MergedCommits.Lookup(ref, in: folder) {
        try GitProcess.call($0, $1, in: place).run(input: $2)
      }
      let commits = MergedCommits(head, isPick: head != "MERGE_HEAD", lookup, texts)
      if let commits, commits.areTwoRecords { found[ref] = commits }
    }
    return found
  }

  /// The name of the commit that is being merged or picked, or `nil`.
  private var mergedHead: String? {
    ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD"].first { exists($0) }
  }

  private func exists(_ revision: String) -> Bool {
    (try? answer(.parseRevision, ["-q", "--verify", revision])) != nil
  }

  /// Whether a rebase is in progress, which checks out one commit after the other.
  public var isRebasing: Bool { isInGitFolder(Self.rebaseMarks) }

  private static let rebaseMarks = ["rebase-merge", "rebase-apply"]
  /// What git's folder may have in the middle of a merge, pick, revert, rebase or applied stash.
  static let mergeMarks =
    ["AUTO_MERGE", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"] + rebaseMarks

  /// Returns whether git's folder has any of these files.
  func isInGitFolder(_ names: [String]) -> Bool {
    guard let folder = gitFolder else { return false }
    return names.contains { FileSystem.exists(Path.join(folder, $0)) }
  }

  // MARK: Asking

  /// Returns the paths in git's NUL-terminated output, or `nil` if git fails.
  ///
  /// - Parameter none: the exit status, besides 0, that means no paths.
  func paths(
    _ query: GitProcess.Query, _ arguments: [String], input: [UInt8] = [], orNone none: Int32 = 0
  ) -> [String]? {
    (try? answer(query, arguments, input: input, orNone: none))?.split(separator: 0).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Runs git and returns its output.
  ///
  /// - Throws: `GitFailure`; `refused` for every status other than 0 and `none`.
  func answer(
    _ query: GitProcess.Query, _ arguments: [String], input: [UInt8] = [], seconds: Int? = nil,
    orNone none: Int32 = 0, keepsHooksPath: Bool = false
  ) throws(GitFailure) -> [UInt8] {
    var process = GitProcess.call(query, arguments, in: place, keepsHooksPath: keepsHooksPath)
    process.environment["GIT_INDEX_FILE"] = indexFile
    let result: ChildProcess.Result
    do throws(ChildProcess.Failure) {
      result = try process.run(input: input, seconds: seconds ?? patience)
    } catch {
      throw GitFailure(error)
    }
    guard result.status == 0 || result.status == none else {
      throw .refused(status: result.status)
    }
    return result.output
  }
}

extension Scanner {
  /// Creates a scanner that consults the git repository that contains the library, if there is one.
  public init(askingGit library: Library) {
    self.init(library)
    GitRepository(library)?.describe(to: &self)
  }
}
