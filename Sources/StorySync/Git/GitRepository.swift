import JSONText
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
    scanner.sidecarsInIndex = { [self] in sidecarsInIndex($0) }
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
  private func unmerged(_ paths: [String]) -> [String: [Int: String]] {
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
    let theirs = mergedHead ?? MergedCommits.stash
    return unmerged(EntityKind.allCases.map(\.folder)).sorted { $0.key < $1.key }
      .filter { TrackedPath($0.key) != nil && ($0.value[2] == nil || $0.value[3] == nil) }
      .map { path, sides in
        Problem(
          .unmerged(keptIn: sides[2] != nil ? "HEAD" : sides[3] != nil ? theirs : nil),
          severity: .warning, file: path)
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
      let objects = tracked([path], in: [commit])[path] ?? []
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
    let objects = tracked(versions.keys.map(\.sidecarPath), in: ["HEAD", head])
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
  private static let mergeMarks =
    ["AUTO_MERGE", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"] + rebaseMarks

  /// Returns whether git's folder has any of these files.
  private func isInGitFolder(_ names: [String]) -> Bool {
    guard let folder = gitFolder else { return false }
    return names.contains { FileSystem.exists(Path.join(folder, $0)) }
  }

  // MARK: Missing files

  /// Returns the objects that two trees, by default those of `HEAD` and the index, have at `paths`,
  /// relative to the library's root; none for a path that they do not have, or if git does not answer.
  func tracked(_ paths: [String], in trees: [String] = ["HEAD", ""]) -> [String: [String]] {
    let input = paths.flatMap { path in trees.map { "\($0):./\(path)\n" } }.joined()
    guard !paths.isEmpty,
      let output = try? answer(
        .catFile, ["--batch-check=%(objecttype) %(objectname)"], input: Array(input.utf8))
    else { return [:] }
    let lines = output.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    guard lines.count == trees.count * paths.count else { return [:] }
    var objects: [String: [String]] = [:]
    for (place, line) in lines.enumerated() where line.hasPrefix("blob ") {
      objects[paths[place / trees.count], default: []].append(String(line.dropFirst(5)))
    }
    return objects
  }

  /// Returns those records that git removed: some commit has their sidecars, but neither `HEAD` nor
  /// the index; either may have another record's in that place. None if git does not answer.
  func takenAway(_ records: [Scan.SeenPair]) -> Set<Scan.SeenPair> {
    let paths = Set(records.map(\.ref.sidecarPath)).sorted()
    let present = tracked(paths)
    guard !paths.isEmpty,
      let former = versions(of: paths, in: Self.everyCommit)
    else { return [] }
    // Few at a time, because each may have many versions.
    let groups = stride(from: 0, to: records.count, by: 1_000).map { records[$0...].prefix(1_000) }
    return groups.reduce(into: []) { taken, group in
      let compared = group.flatMap { record in
        [former, present].flatMap { $0[record.ref.sidecarPath] ?? [] }
      }
      let texts = (try? contents(of: Array(Set(compared)))) ?? [:]
      taken.formUnion(
        group.filter { record in
          let id = JSONValue.string(record.id).compactText
          func haveID(_ objects: [String]?) -> Bool {
            // A partial clone may lack a text, which may have the id.
            objects?.contains { object in
              texts[object].map { String(decoding: $0, as: UTF8.self).contains(id) } ?? true
            } ?? false
          }
          return haveID(former[record.ref.sidecarPath]) && !haveID(present[record.ref.sidecarPath])
        })
    }
  }

  /// Returns what git says of records that are missing while their sidecars are there.
  ///
  /// Where git tracks a sidecar alone, a commit that leads to `HEAD` and has the record shows that someone
  /// removed it: git itself removes both. Where it tracks neither, no commit may have the record.
  func traces(of records: [RecordRef]) -> [RecordRef: GitTrace] {
    let isInMerge = isInGitFolder(Self.mergeMarks)
    let unmerged = isInMerge ? Set(unmerged(EntityKind.allCases.map(\.folder)).keys) : []
    let present = tracked(records.flatMap { [$0.path, $0.sidecarPath] })
    var traces: [RecordRef: GitTrace] = [:]
    for record in records {
      if unmerged.contains(record.path) || unmerged.contains(record.sidecarPath) {
        traces[record] = .mayBeTaken
      } else if present[record.path] != nil {
        traces[record] = .tracked
      }
    }
    let open = records.filter { traces[$0] == nil }
    guard !open.isEmpty else { return traces }
    let paths = open.map(\.path)
    let anywhere = versions(of: paths, in: Self.everyCommit)
    let before = anywhere?.isEmpty == false ? versions(of: paths, in: Self.headsHistory) : [:]
    for record in open where anywhere?[record.path] != nil || anywhere == nil {
      let isRemoved = present[record.sidecarPath] != nil && before?[record.path] != nil
      if !isRemoved { traces[record] = .mayBeTaken }
    }
    return traces
  }

  /// Returns those of the records whose sidecars' files are those that git's index describes, by time and
  /// size. Git writes its index after all files, so it did not stop before their records.
  func sidecarsInIndex(_ records: [RecordRef]) -> Set<RecordRef> {
    let folders = Set(records.map(\.kind.folder)).sorted()
    guard !records.isEmpty,
      let output = try? answer(.listFiles, ["--debug", "-z", "--"] + folders)
    else { return [] }
    let files = Self.describedFiles(output)
    return Set(
      records.filter { record in
        let status = (try? FileSystem.status(Path.join(root, record.sidecarPath))) ?? nil
        guard let status, let file = files[record.sidecarPath] else { return false }
        // Git sets a size to zero if the file may have changed at the same time.
        return file.modified == status.modified && [0, status.size].contains(file.size)
      })
  }

  /// Parses `git ls-files --debug -z`: after each path and its NUL, five lines.
  ///
  /// ```
  ///   ctime: 1764415668:123456789
  ///   mtime: 1764415668:123456789
  ///   dev: 2049	ino: 1234
  ///   uid: 0	gid: 0
  ///   size: 321	flags: 0
  /// ```
  private static func describedFiles(_ output: [UInt8]) -> [String: (modified: Int, size: Int)] {
    var files: [String: (modified: Int, size: Int)] = [:]
    var path = ""
    for part in output.split(separator: 0) {
      let lines = part.split(separator: 0x0A, maxSplits: 5, omittingEmptySubsequences: false)
      let texts = lines.map { String(decoding: $0, as: UTF8.self) }
      if texts.count == 6 {
        let times = texts[1].split { ": ".contains($0) }.compactMap { Int($0) }
        let size = texts[4].split { ": \t".contains($0) }.dropFirst().first.flatMap { Int($0) }
        if times.count == 2, let size {
          files[path] = (times[0] * 1_000_000_000 + times[1], size)
        }
      }
      path = texts.last ?? ""
    }
    return files
  }

  /// What `git rev-list` starts from to find every commit that it knows of, stashes included.
  private static let everyCommit = ["--all", "--reflog", "--full-history"]
  private static let headsHistory = ["--full-history", "HEAD"]

  /// Returns the objects that paths, relative to the library's root, had in some commits, by path,
  /// or `nil` if git does not answer in time.
  ///
  /// - Parameter revisions: what `git rev-list` starts from, and its options.
  func versions(
    of paths: [String], in revisions: [String], seconds: Int? = nil
  ) -> [String: [String]]? {
    let literal = ["--"] + paths.map { ":(literal)" + $0 }
    let input = Array(literal.map { $0 + "\n" }.joined().utf8)
    guard
      let commits = try? answer(
        .listRevisions, revisions + ["--stdin"], input: input, seconds: seconds),
      let output = try? answer(
        .diffTree,
        ["--stdin", "--no-commit-id", "--root", "-r", "-m", "--raw", "-z", "--no-renames"]
          + ["--relative"],
        input: commits, seconds: seconds)
    else { return nil }
    let wanted = Set(paths)
    // `:100644 100644 0123… 4567… M<NUL>path<NUL>`; an object of zeros means none.
    var versions: [String: [String]] = [:]
    var objects: [String] = []
    for part in output.split(separator: 0) {
      let text = String(decoding: part, as: UTF8.self)
      if text.hasPrefix(":") {
        objects = text.split(separator: " ").dropFirst(2).prefix(2).map(String.init)
      } else if !objects.isEmpty {
        if wanted.contains(text) {
          versions[text, default: []] += objects.filter { object in object.contains { $0 != "0" } }
        }
        objects = []
      }
    }
    return versions
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
  /// Creates a scanner that asks the library's git repository, if it lies in one.
  public init(askingGit library: Library) {
    self.init(library)
    GitRepository(library)?.describe(to: &self)
  }
}
