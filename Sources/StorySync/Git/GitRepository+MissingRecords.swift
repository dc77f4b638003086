import JSONText
import StoryLibrary

/// What git says of records and sidecars that are not there, or that came from elsewhere.
extension GitRepository {
  /// Returns the objects that two trees, by default those of `HEAD` and the index, have at `paths`,
  /// relative to the library's root; none for a path that they do not have, `nil` if git does not answer.
  func tracked(_ paths: [String], in trees: [String] = ["HEAD", ""]) -> [String: [String]]? {
    let input = paths.flatMap { path in trees.map { "\($0):./\(path)\n" } }.joined()
    if paths.isEmpty { return [:] }
    guard
      let output = try? answer(
        .catFile, ["--batch-check=%(objecttype) %(objectname)"], input: Array(input.utf8))
    else { return nil }
    let lines = output.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    guard lines.count == trees.count * paths.count else { return nil }
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
    guard !paths.isEmpty, let present = tracked(paths),
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
    let unmerged = Set(unmerged(Set(records.map(\.kind.folder)).sorted()).keys)
    guard let present = tracked(records.flatMap { [$0.path, $0.sidecarPath] }) else {
      return Dictionary(records.map { ($0, .unknown) }, uniquingKeysWith: { $1 })
    }
    var traces: [RecordRef: GitTrace] = [:]
    for record in records {
      if unmerged.contains(record.path) {
        // Git leaves the file there, so that a person is deciding.
        traces[record] = .unknown
      } else if unmerged.contains(record.sidecarPath) {
        traces[record] = .mayBeTaken
      } else if present[record.path] != nil {
        traces[record] = .tracked
      }
    }
    let open = records.filter { traces[$0] == nil }
    guard !open.isEmpty else { return traces }
    let paths = open.map(\.path)
    let anywhere = versions(of: paths, in: Self.everyCommit)
    let before = anywhere.flatMap {
      $0.isEmpty ? [:] : versions(of: paths, in: Self.headsHistory)
    }
    for record in open where anywhere?[record.path] != nil || anywhere == nil {
      let isRemoved = present[record.sidecarPath] != nil && before?[record.path] != nil
      traces[record] = isRemoved ? .removed : before == nil ? .unknown : .mayBeTaken
    }
    return traces
  }

  /// Returns those records that branches, tags or the newest stash have, but no commit that leads to
  /// `HEAD`. None if git does not answer.
  func recordsElsewhere(_ records: [RecordRef]) -> Set<RecordRef> {
    let paths = records.map(\.path)
    guard let anywhere = versions(of: paths, in: ["--all", "--full-history"]), !anywhere.isEmpty,
      let before = versions(of: paths, in: Self.headsHistory), let present = tracked(paths)
    else { return [] }
    return Set(
      records.filter {
        anywhere[$0.path] != nil && before[$0.path] == nil && present[$0.path] == nil
      })
  }

  /// Returns the sidecars of records that git's index has, or `nil` if git does not answer.
  func indexedSidecars(_ records: [RecordRef]) -> [RecordRef: IndexedSidecar]? {
    let folders = Set(records.map(\.kind.folder)).sorted()
    guard let output = try? answer(.listFiles, ["-s", "--debug", "-z", "--"] + folders) else {
      return nil
    }
    let files = Self.describedFiles(output)
    let found = Dictionary(
      records.compactMap { record in
        files[record.sidecarPath].map { file in
          let status = (try? FileSystem.status(Path.join(root, record.sidecarPath))) ?? nil
          // Git sets a size to zero if the file may have changed at the same time.
          let counts =
            file.isUnmerged
            || file.modified == status?.modified && [0, status?.size].contains(file.size)
          return (record, (file.object, counts))
        }
      }, uniquingKeysWith: { $1 })
    guard let texts = try? contents(of: found.values.filter { !$0.1 }.map(\.0)) else { return nil }
    return found.mapValues { IndexedSidecar(counts: $0.1, bytes: texts[$0.0] ?? []) }
  }

  private struct DescribedFile {
    var object: String
    var isUnmerged: Bool
    /// In nanoseconds since 1970.
    var modified: Int
    var size: Int
  }

  /// Parses `git ls-files -s --debug -z`: after each entry and its NUL, five lines.
  ///
  /// ```
  ///   ctime: 1764415668:123456789
  ///   mtime: 1764415668:123456789
  ///   dev: 2049<TAB>ino: 1234
  ///   uid: 0<TAB>gid: 0
  ///   size: 321<TAB>flags: 0
  /// ```
  private static func describedFiles(_ output: [UInt8]) -> [String: DescribedFile] {
    var files: [String: DescribedFile] = [:]
    var entry: (path: String, words: [String])?
    for part in output.split(separator: 0) {
      let lines = part.split(separator: 0x0A, maxSplits: 5, omittingEmptySubsequences: false)
      if lines.count == 6, let entry {
        let texts = lines.map { String(decoding: $0, as: UTF8.self) }
        let times = texts[1].split { ": ".contains($0) }.compactMap { Int($0) }
        let size = texts[4].split { ": \t".contains($0) }.dropFirst().first.flatMap { Int($0) }
        if times.count == 2, let size {
          files[entry.path] = DescribedFile(
            object: entry.words[1], isUnmerged: entry.words[2] != "0",
            modified: times[0] * 1_000_000_000 + times[1], size: size)
        }
      }
      entry = lines.last.flatMap(parsed).flatMap { words, path in
        words.count == 3 ? (path, words) : nil
      }
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
}
