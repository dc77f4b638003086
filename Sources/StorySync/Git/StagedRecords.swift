import JSONText
public import StoryLibrary

/// The records as they stand in git's index: what the next commit holds, whatever the working tree
/// says.
public struct StagedRecords: Sendable {
  /// What is wrong.
  public struct Report: Sendable {
    /// The records that were looked at.
    public var refs: [RecordRef] = []
    /// What is wrong with them; places are those of the staged text.
    public var problems: [Problem] = []
  }

  /// Git did not say what is staged.
  public struct Unreadable: Error, Sendable, Hashable {}

  private struct Entry {
    var mode: String
    var object: String

    /// Whether it is a plain file, no link and no submodule.
    var isFile: Bool { mode.hasPrefix("100") }
  }

  /// The index, as far as a library goes.
  private struct Index {
    var records: [RecordRef: Entry] = [:]
    var sidecars: [RecordRef: Entry] = [:]
    var configuration: Entry?
  }

  /// What the next commit changes.
  private struct Changes {
    /// Records that are added or changed.
    var records: Set<RecordRef> = []
    /// Records that are removed.
    var removed: Set<RecordRef> = []
    /// Sidecars that are added or changed.
    var sidecars: Set<RecordRef> = []
    /// Whether `library.json` is added, changed or removed.
    var hasConfiguration = false
    /// Paths that no record may have.
    var faults: [(path: String, fault: RecordRef.NameFault)] = []
  }

  private let repository: GitRepository

  /// The records in a repository's index.
  public init(_ repository: GitRepository) { self.repository = repository }

  /// Looks at every record that the next commit changes, with its sidecar; at all stories where it
  /// takes away a record that one of them may name; at `library.json`; and whether records and their
  /// sidecars are staged together.
  ///
  /// - Throws: `Unreadable`.
  public func check() throws(Unreadable) -> Report {
    let index: Index
    let changes: Changes
    let texts: [String: [UInt8]]
    let wanted: [RecordRef]
    var targets: [RecordRef: Entry] = [:]
    do throws(GitFailure) {
      index = try readIndex()
      changes = try readChanges(index)
      wanted = Self.wanted(changes, index)
      let namesOthers = wanted.contains { ref in
        ref.kind.schema.fields.contains { $0.referencedKind != nil }
      }
      if namesOthers {
        targets = index.sidecars.filter { ReferenceTable.kinds.contains($0.key.kind) }
      }
      let pairs = changes.sidecars.union(changes.removed).union(wanted)
      let entries =
        pairs.flatMap { [index.records[$0], index.sidecars[$0]] } + [index.configuration]
      texts = try repository.contents(
        of: entries.compactMap { $0?.object } + targets.map(\.value.object))
    } catch {
      throw Unreadable()
    }
    var references = ReferenceTable()
    for ref in index.records.keys {
      let text = targets[ref].flatMap { texts[$0.object] }
      let sidecar = text.flatMap { try? Sidecar(bytes: $0, ref: ref) }
      references.add(ref, id: sidecar?.id)
    }
    var report = Report(refs: wanted)
    report.problems = changes.faults.map { Problem($0.fault, file: $0.path) }
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
    guard entry.isFile else {
      return [
        Problem(
          .notAFile, file: ref.path, message: "this is no file",
          hint: "records are plain files; links are not followed")
      ]
    }
    guard let bytes = texts[entry.object] else {
      return [Problem(.unreadable, file: ref.path, message: "git does not give its staged text")]
    }
    do throws(Problem) {
      return try RecordFile(ref: ref, bytes: bytes)
        .problems(references: references, sidecar: sidecar, mayBeDraft: true)
    } catch {
      return [error]
    }
  }

  /// What is wrong with the staged `library.json`; `nil` for one that is removed.
  private static func problems(_ entry: Entry?, _ texts: [String: [UInt8]]) -> [Problem] {
    let file = LibraryConfiguration.fileName
    guard let entry else {
      return [
        Problem(
          .missing, file: file, message: "is removed, and without it this is no library",
          hint: "keep it: git restore --staged \(file)")
      ]
    }
    guard entry.isFile, let bytes = texts[entry.object] else {
      return [Problem(.notAFile, file: file, message: "is staged as something else than a file")]
    }
    do throws(Problem) {
      return try LibraryConfiguration(bytes: bytes).problems
    } catch {
      return [error]
    }
  }

  // MARK: Pairs

  private static func word(_ text: String) -> String { ShellWord.quoting(text) }

  /// The problem of a sidecar whose record is not in the index; `nil` if the sidecar says that the
  /// record is gone on purpose.
  private static func withoutRecord(
    _ ref: RecordRef, _ sidecar: Sidecar?, isChanged: Bool
  ) -> Problem? {
    if let sidecar, sidecar.isDeleteStated || sidecar.conflict == .deletedHere { return nil }
    if isChanged {
      return Problem(
        .sidecar, file: ref.sidecarPath, message: "is staged without its record",
        hint: "stage both: git add \(word(ref.path)) \(word(ref.sidecarPath))")
    }
    return Problem(
      .sidecar, severity: .warning, file: ref.sidecarPath,
      message: "stays without its record, so other clones bring the record back",
      hint: .stateDelete(ref))
  }

  /// The problem of a pair of which only one file is staged, where others would take it for something
  /// else than it is.
  private func alone(
    _ ref: RecordRef, _ sidecar: Sidecar?, _ staged: [UInt8]?, _ index: Index, _ changes: Changes,
    _ references: ReferenceTable
  ) -> Problem? {
    func onDisk(_ path: String) -> Bool {
      FileSystem.exists(Path.join(repository.root, path))
    }
    if index.sidecars[ref] == nil {
      guard changes.records.contains(ref), onDisk(ref.sidecarPath) else { return nil }
      return Problem(
        .sidecar, severity: .warning, file: ref.path,
        message: "is staged without its sidecar, so other clones take it for a new record",
        hint: "stage both: git add \(Self.word(ref.sidecarPath))")
    }
    guard changes.sidecars.contains(ref), !changes.records.contains(ref), let sidecar, let staged
    else { return nil }
    func edits(_ bytes: [UInt8]?) -> [Field]? {
      bytes.flatMap { try? RecordFile(ref: ref, bytes: $0) }
        .map { $0.reading(references: references, sidecar: sidecar).changes(from: sidecar.base) }
    }
    // The record that the sidecar came with is in the working tree alone.
    guard let old = edits(staged), !old.isEmpty,
      let new = edits(try? FileSystem.read(Path.join(repository.root, ref.path))), new != old
    else { return nil }
    return Problem(
      .sidecar, file: ref.sidecarPath,
      message: "is staged without its record, so other clones take the older record for an edit",
      hint: "stage both: git add \(Self.word(ref.path))")
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
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { continue }
      let words = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
      guard words.count == 3, words[2] == "0" else { continue }
      let entry = Entry(mode: String(words[0]), object: String(words[1]))
      let path = String(decoding: line[line.index(after: tab)...], as: UTF8.self)
      switch TrackedPath(path) {
      case .record(let ref) where !ref.kind.schema.isReadOnly: index.records[ref] = entry
      case .sidecar(let ref): index.sidecars[ref] = entry
      case .record: break
      case nil: if path == LibraryConfiguration.fileName { index.configuration = entry }
      }
    }
    return index
  }

  /// What the next commit changes; everything if there is no commit yet.
  private func readChanges(_ index: Index) throws(GitFailure) -> Changes {
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
    for (status, name) in zip(parts, parts.dropFirst()).enumerated()
      .filter({ $0.offset.isMultiple(of: 2) }).map(\.element)
    {
      let path = String(decoding: name, as: UTF8.self)
      let isRemoved = status.first == UInt8(ascii: "D")
      switch TrackedPath(path) {
      case .record(let ref) where !ref.kind.schema.isReadOnly:
        if isRemoved { changes.removed.insert(ref) } else { changes.records.insert(ref) }
      case .sidecar(let ref) where !ref.kind.schema.isReadOnly:
        if !isRemoved { changes.sidecars.insert(ref) }
      case .record, .sidecar: break
      case nil:
        if path == LibraryConfiguration.fileName {
          changes.hasConfiguration = true
        } else if !isRemoved, path.hasSuffix(".json"), let fault = RecordRef.fault(in: path) {
          changes.faults.append((path, fault))
        }
      }
    }
    return changes
  }

  /// The records to look at: those that the next commit changes, or the sidecars of; and those that
  /// may name one that it removes.
  private static func wanted(_ changes: Changes, _ index: Index) -> [RecordRef] {
    var wanted = changes.records.union(changes.sidecars)
    if changes.removed.contains(where: { ReferenceTable.kinds.contains($0.kind) }) {
      wanted.formUnion(
        index.records.keys.filter { ref in
          ref.kind.schema.fields.contains { $0.referencedKind != nil }
        })
    }
    return wanted.filter { index.records[$0] != nil }.sorted()
  }
}
