import JSONText
public import StoryLibrary

/// The records in git's index, which the next commit will contain, regardless of the working tree.
public struct StagedRecords: Sendable {
  /// The result of a check.
  public struct Report: Sendable {
    /// The records that were checked.
    public var refs: [RecordRef] = []
    /// Their problems, with positions in the staged text.
    public var problems: [Problem] = []
  }

  private struct Entry {
    var mode: String
    var object: String

    /// Whether it is a plain file, not a link or submodule.
    var isFile: Bool { mode.hasPrefix("100") }
  }

  private struct Index {
    var records: [RecordRef: Entry] = [:]
    var sidecars: [RecordRef: Entry] = [:]
    var configuration: Entry?
  }

  private struct Changes {
    /// Added or changed records.
    var records: Set<RecordRef> = []
    var removed: Set<RecordRef> = []
    /// Added or changed sidecars.
    var sidecars: Set<RecordRef> = []
    /// Whether `library.json` is added, changed or removed.
    var hasConfiguration = false
    /// Paths with control characters.
    var unsafePaths: [String] = []
  }

  private let repository: GitRepository

  /// Creates a check of a repository's index.
  public init(_ repository: GitRepository) { self.repository = repository }

  /// Checks the records that the next commit changes, with their sidecars; all stories if it
  /// removes a record that they may reference; `library.json`; and whether pairs are staged
  /// together.
  ///
  /// - Throws: `GitFailure` if git does not say what is staged.
  public func check() throws(GitFailure) -> Report {
    let index = try readIndex()
    let changes = try readChanges()
    let wanted = Self.wanted(changes, index)
    var targets: [RecordRef: Entry] = [:]
    if wanted.contains(where: { !$0.kind.schema.references.isEmpty }) {
      targets = index.sidecars.filter { ReferenceTable.kinds.contains($0.key.kind) }
    }
    let pairs = changes.sidecars.union(changes.removed).union(wanted)
    let entries = pairs.flatMap { [index.records[$0], index.sidecars[$0]] } + [index.configuration]
    let texts = try repository.contents(
      of: entries.compactMap { $0?.object } + targets.map(\.value.object))
    var references = ReferenceTable()
    for ref in index.records.keys {
      let text = targets[ref].flatMap { texts[$0.object] }
      let sidecar = text.flatMap { try? Sidecar(bytes: $0, ref: ref) }
      references.add(ref, id: sidecar?.id)
    }
    var report = Report(refs: wanted)
    report.problems = changes.unsafePaths.map { Problem(.name(.controlCharacter), file: $0) }
    if changes.hasConfiguration { report.problems += Self.problems(index.configuration, texts) }
    for ref in wanted {
      var sidecar: Sidecar?
      if let entry = index.sidecars[ref], let bytes = texts[entry.object] {
        do throws(Problem) {
          sidecar = try Sidecar(bytes: bytes, ref: ref)
        } catch {
          report.problems.append(error)
        }
      }
      guard let entry = index.records[ref] else { continue }
      report.problems += Self.problems(of: ref, entry, texts, references, sidecar)
      if let problem = alone(ref, sidecar, texts[entry.object], index, changes, references) {
        report.problems.append(problem)
      }
    }
    for ref in changes.sidecars.union(changes.removed).sorted() where index.records[ref] == nil {
      guard let entry = index.sidecars[ref] else { continue }
      let sidecar = texts[entry.object].flatMap { try? Sidecar(bytes: $0, ref: ref) }
      if let problem = Self.withoutRecord(ref, sidecar, isChanged: changes.sidecars.contains(ref)) {
        report.problems.append(problem)
      }
    }
    return report
  }

  // MARK: Single files

  private static func problems(
    of ref: RecordRef, _ entry: Entry, _ texts: [String: [UInt8]], _ references: ReferenceTable,
    _ sidecar: Sidecar?
  ) -> [Problem] {
    guard entry.isFile else { return [Problem(.notAFile(nil), file: ref.path)] }
    guard let bytes = texts[entry.object] else {
      return [Problem(.staged(.unreadable), file: ref.path)]
    }
    do throws(Problem) {
      return try RecordFile(ref: ref, bytes: bytes)
        .problems(references: references, sidecar: sidecar, mayBeDraft: true)
    } catch {
      return [error]
    }
  }

  /// Returns the problems of the staged `library.json`; `nil` is a removed one.
  private static func problems(_ entry: Entry?, _ texts: [String: [UInt8]]) -> [Problem] {
    let file = LibraryConfiguration.fileName
    guard let entry else { return [Problem(.staged(.noConfiguration), file: file)] }
    guard entry.isFile, let bytes = texts[entry.object] else {
      return [Problem(.staged(.configurationNotAFile), file: file)]
    }
    do throws(Problem) {
      return try LibraryConfiguration(bytes: bytes).problems
    } catch {
      return [error]
    }
  }

  // MARK: Pairs

  /// Returns the problem of a sidecar without its record in the index, or `nil` if the sidecar says
  /// that the record was deleted on purpose.
  private static func withoutRecord(
    _ ref: RecordRef, _ sidecar: Sidecar?, isChanged: Bool
  ) -> Problem? {
    if let sidecar, sidecar.isDeleteStated || sidecar.conflict == .deletedLocally { return nil }
    return isChanged
      ? Problem(.staged(.sidecar(ref)), file: ref.sidecarPath)
      : Problem(.staged(.leftSidecar(ref)), severity: .warning, file: ref.sidecarPath)
  }

  /// Returns the problem of a pair with only one file staged, if other clones would misread it.
  private func alone(
    _ ref: RecordRef, _ sidecar: Sidecar?, _ staged: [UInt8]?, _ index: Index, _ changes: Changes,
    _ references: ReferenceTable
  ) -> Problem? {
    func onDisk(_ path: String) -> Bool {
      FileSystem.exists(Path.join(repository.root, path))
    }
    if index.sidecars[ref] == nil {
      guard changes.records.contains(ref), onDisk(ref.sidecarPath) else { return nil }
      return Problem(.staged(.record(ref)), severity: .warning, file: ref.path)
    }
    guard changes.sidecars.contains(ref), !changes.records.contains(ref), let sidecar, let staged
    else { return nil }
    func edits(_ bytes: [UInt8]?) -> [Field]? {
      bytes.flatMap { try? RecordFile(ref: ref, bytes: $0) }
        .map { $0.reading(references: references, sidecar: sidecar).changes(from: sidecar.base) }
    }
    // The record that matches the sidecar is only in the working tree.
    guard let old = edits(staged), !old.isEmpty,
      let new = edits(try? FileSystem.read(Path.join(repository.root, ref.path))), new != old
    else { return nil }
    return Problem(.staged(.olderRecord(ref)), file: ref.sidecarPath)
  }

  // MARK: Git

  private static let files =
    EntityKind.allCases.map(\.folder) + [LibraryConfiguration.fileName]

  private func readIndex() throws(GitFailure) -> Index {
    var index = Index()
    for line in try repository.answer(.listFiles, ["-s", "-z", "--"] + Self.files)
      .split(separator: 0)
    {
      // `100644 0123… 0<TAB>path`; a file in the middle of a merge is not committed.
      guard let (words, path) = GitRepository.parsed(line), words.count == 3, words[2] == "0"
      else { continue }
      let entry = Entry(mode: words[0], object: words[1])
      switch TrackedPath(path) {
      case .record(let ref) where !ref.kind.schema.isReadOnly: index.records[ref] = entry
      case .sidecar(let ref): index.sidecars[ref] = entry
      case .record: break
      case nil: if path == LibraryConfiguration.fileName { index.configuration = entry }
      }
    }
    return index
  }

  /// Returns the changes of the next commit; everything if there is no commit yet.
  private func readChanges() throws(GitFailure) -> Changes {
    var changes = Changes()
    let listing: [UInt8]
    let hasHead =
      (try? repository.answer(.parseRevision, ["--verify", "-q", "HEAD^{commit}"])) != nil
    if hasHead {
      listing = try repository.answer(
        .diffIndex,
        ["--cached", "--name-status", "--no-renames", "--relative", "-z", "HEAD", "--"]
          + Self.files)
    } else {
      let paths = try repository.answer(.listFiles, ["-z", "--"] + Self.files)
      listing = paths.split(separator: 0).flatMap { [UInt8(ascii: "A"), 0] + $0 + [0] }
    }
    // `M<NUL>path<NUL>`
    let parts = listing.split(separator: 0)
    for place in stride(from: 0, to: parts.count - 1, by: 2) {
      let path = String(decoding: parts[place + 1], as: UTF8.self)
      let isRemoved = parts[place].first == UInt8(ascii: "D")
      switch TrackedPath(path) {
      case .record(let ref) where !ref.kind.schema.isReadOnly:
        if isRemoved { changes.removed.insert(ref) } else { changes.records.insert(ref) }
      case .sidecar(let ref) where !ref.kind.schema.isReadOnly:
        if !isRemoved { changes.sidecars.insert(ref) }
      case .record, .sidecar: break
      case nil:
        if path == LibraryConfiguration.fileName {
          changes.hasConfiguration = true
        } else if !isRemoved, path.hasSuffix(".json"),
          RecordRef.fault(in: path) == .controlCharacter
        {
          changes.unsafePaths.append(path)
        }
      }
    }
    return changes
  }

  /// Returns the records to check: those whose file or sidecar the next commit changes, and those
  /// that may reference one that it removes.
  private static func wanted(_ changes: Changes, _ index: Index) -> [RecordRef] {
    var wanted = changes.records.union(changes.sidecars)
    if changes.removed.contains(where: { ReferenceTable.kinds.contains($0.kind) }) {
      wanted.formUnion(index.records.keys.filter { !$0.kind.schema.references.isEmpty })
    }
    return wanted.filter { index.records[$0] != nil }.sorted()
  }
}
