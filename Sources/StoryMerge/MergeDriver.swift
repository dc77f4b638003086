import JSONText
import StoryLibrary

/// Carries out a merge for git: reads three files and writes one.
///
/// A file that cannot be parsed is merged by lines with `git merge-file`, so that the result is
/// never worse than without the driver.
public struct MergeDriver: Sendable {
  /// The result of a merge.
  public enum Result: Sendable, Equatable {
    /// Our file has the merged text.
    case merged
    /// Our file has both sides between git's markers, for these members of a record.
    case conflict([String])
    /// Our file has both sides between git's markers: they are different records, with these ids if
    /// they have some under this name.
    case twoRecords(ours: String?, theirs: String?)
    /// `git merge-file` merged the lines, with this number of conflicts.
    case mergedLines(conflicts: Int)
    /// Nothing was written: `git merge-file` could not run or refused, such as for binary content.
    case failed
  }

  /// The requested merge.
  public let call: MergeCall

  /// Creates a driver for one file.
  public init(_ call: MergeCall) { self.call = call }

  /// Merges a record.
  ///
  /// If both sides have received something from one server since their common ancestor, the ancestor
  /// is brought up to the older of the two versions that they have: what one side received from the
  /// other through the server, and has changed or removed since, is not applied again. (Embedded
  /// servers are separate, so their versions have no common order.) If the sides are different
  /// records, nothing is merged.
  /// - Throws: `FileError` if a file cannot be read or written; ours is unchanged in that case.
  public func mergeRecord() throws -> Result {
    var texts = try texts()
    guard let (ref, folder) = call.record else { return try mergeLines() }
    let record = MergedCommits.Lookup(ref, in: folder) { try git($0, $1, input: $2) }
    let sides = (texts.ours, texts.theirs)
    let theirs = call.theirCommit ?? record.rebasedCommit.map { ($0, true) }
    let merged = theirs.flatMap { MergedCommits($0, isPick: $1, record, sides) }
    if let commits = merged ?? MergedCommits(MergedCommits.stash, isPick: true, record, sides),
      commits.areTwoRecords
    {
      try write(marks.file(base: texts.base, ours: texts.ours, theirs: texts.theirs))
      return .twoRecords(ours: commits.ours.id, theirs: commits.theirs.id)
    }
    if let merged, case (.synced(let ours), .synced(let theirs)) = (merged.ours, merged.theirs),
      isSyncedWithSharedServer(folder)
    {
      let ancestor = merged.ancestor(id: ours.id)
      texts.base = base(ref, texts, ancestor: ancestor, ours, theirs) ?? texts.base
    }
    let merge = RecordFileMerge(
      ref.kind, base: texts.base, ours: texts.ours, theirs: texts.theirs, marks: marks)
    guard var merge, let clean = try? merge.outcome() else { return try mergeLines() }
    guard !clean.conflicts.isEmpty, showsBase else { return try finish(clean, texts.ours) }
    merge.marks.showsBase = true
    return try finish(merge.outcome(), texts.ours)
  }

  /// Merges a sidecar: the newer of two versions of one server's state stays. A text that is not a
  /// sidecar is merged by lines.
  ///
  /// - Throws: The errors of ``mergeRecord()``.
  public func mergeSidecar() throws -> Result {
    let texts = try texts()
    guard let (ref, folder) = call.record,
      let ours = try? Sidecar(bytes: texts.ours, ref: ref),
      let theirs = try? Sidecar(bytes: texts.theirs, ref: ref)
    else { return try mergeLines() }
    let merged = SidecarSides.merge(
      ours, theirs, base: try? Sidecar(bytes: texts.base, ref: ref),
      isShared: isSyncedWithSharedServer(folder))
    guard let merged else {
      try write(marks.file(base: texts.base, ours: texts.ours, theirs: texts.theirs))
      return .twoRecords(ours: ours.id, theirs: theirs.id)
    }
    // An unchanged side keeps its text.
    if merged != ours { try write(merged == theirs ? texts.theirs : merged.fileBytes) }
    return .merged
  }

  // MARK: Sidecars

  private func isSyncedWithSharedServer(_ folder: String) -> Bool {
    let root = Path.join(call.folder, folder)
    guard let library = try? Library(root: root), case .url = library.configuration.server
    else { return false }
    return true
  }

  /// Returns the ancestor's text with what both sides have received from the server since, or `nil` if
  /// that is nothing, or if a text is no record.
  ///
  /// It is itself a merge, of the ancestor's own edits with the server's. A field that both changed has
  /// the value before, so that the sides are in conflict about it. A count is the server's: each side
  /// has sent what the ancestor counted.
  private func base(
    _ ref: RecordRef, _ texts: Texts, ancestor: Sidecar?, _ left: Sidecar, _ right: Sidecar
  ) -> [UInt8]? {
    let older = Sidecar.isVersion(right.updatedAt, before: left.updatedAt) ? right : left
    if let ancestor, !Sidecar.isVersion(ancestor.updatedAt, before: older.updatedAt) { return nil }
    guard let ours = try? RecordFile(ref: ref, bytes: texts.ours),
      let theirs = try? RecordFile(ref: ref, bytes: texts.theirs)
    else { return nil }
    let received = older.baseOfConflicts
    var references = ReferenceTable()
    // A member that a file lacks has the value of that file's own sidecar. And names are not the
    // server's: where its id is the same, they differ by renames. Both are left as they were.
    var kept: [Field] = []
    for field in ref.kind.schema.fields {
      if field.defaultValue != nil,
        [ours, theirs].contains(where: { $0.document.root[field.key] == nil })
      {
        kept.append(field)
      }
      guard let kind = field.referencedKind else { continue }
      if left.base[field] == right.base[field] { kept.append(field) }
      for sidecar in [ancestor, older].compactMap({ $0 }) {
        guard let id = sidecar.base[field]?.string, let name = sidecar.refs[field.key]?.string
        else { continue }
        references.add(RecordRef(kind: kind, name: name), id: id)
      }
    }
    if texts.base.isEmpty {
      var values = received
      for field in kept where field.defaultValue != nil { values[field] = nil }
      return RecordFile.newFile(values, references: references)
    }
    guard let base = try? RecordFile(ref: ref, bytes: texts.base) else { return nil }
    let reading = base.reading(references: references, sidecar: ancestor)
    // A record that was not synced yet had no edits of its own.
    let before = ancestor?.baseOfConflicts ?? reading.values
    var merged = Merge.records(
      base: before, local: reading.values, remote: received, unresolved: reading.unresolved
    ) { _ in .undecided }
    for conflict in merged.conflicts {
      guard let field = ref.kind.schema.field(wireKey: conflict.wireKey) else { continue }
      merged.values[field] = before[field]
    }
    for field in ref.kind.schema.fields where field.merge == .counter {
      merged.values[field] = received[field]
    }
    return try? base.updated(
      to: merged.values, keeping: kept + reading.unresolved, references: references,
      sidecar: ancestor
    ).bytes
  }

  // MARK: Files

  private typealias Texts = (base: [UInt8], ours: [UInt8], theirs: [UInt8])

  private func texts() throws(FileError) -> Texts {
    (try read(call.base), try read(call.ours), try read(call.theirs))
  }

  private func read(_ path: String) throws(FileError) -> [UInt8] {
    try FileSystem.read(Path.absolute(path, in: call.folder))
  }

  /// Git keeps the three texts, so the file need not survive a system crash.
  private func write(_ bytes: [UInt8]) throws(FileError) {
    try AtomicFile.write(bytes, to: Path.absolute(call.ours, in: call.folder), isFlushed: false)
  }

  private func finish(_ outcome: RecordFileMerge.Outcome, _ old: [UInt8]) throws -> Result {
    if outcome.bytes != old { try write(outcome.bytes) }
    return outcome.conflicts.isEmpty ? .merged : .conflict(outcome.conflicts)
  }

  // MARK: Git

  private var marks: MarkedText {
    var marks = MarkedText(size: call.markerSize)
    marks.names = (call.labels.ours, call.labels.base, call.labels.theirs)
    marks.showsBase = false
    return marks
  }

  /// Whether the user wants conflicts to include the base. Git does not tell drivers, so it is
  /// asked, but only if there is a conflict.
  private var showsBase: Bool {
    guard let result = try? git(.config, ["--get", "merge.conflictStyle"]) else { return false }
    let style = String(decoding: result.output, as: UTF8.self)
    return style.hasPrefix("diff3") || style.hasPrefix("zdiff3")
  }

  private func mergeLines() throws -> Result {
    let result = try? git(
      .mergeFile,
      [
        "-q", "--marker-size=\(call.markerSize)", "-L", call.labels.ours, "-L",
        call.labels.base, "-L", call.labels.theirs, call.ours, call.base, call.theirs,
      ])
    guard let result, result.status < 128 else { return .failed }
    return .mergedLines(conflicts: Int(result.status))
  }

  private func git(
    _ query: GitProcess.Query, _ arguments: [String], input: [UInt8] = []
  ) throws -> ChildProcess.Result {
    // Git may have passed the location of its repository in the environment.
    let environment = ChildProcess.inheritedEnvironment
    let own = environment["GIT_DIR"].map {
      GitProcess.Place(
        folder: call.folder, marker: Path.absolute($0, in: call.folder),
        top: environment["GIT_WORK_TREE"].map { Path.absolute($0, in: call.folder) }
          ?? call.folder)
    }
    let place =
      own ?? GitProcess.Place(around: call.folder)
      ?? GitProcess.Place(folder: call.folder, marker: nil)
    return try GitProcess.call(query, arguments, in: place).run(input: input)
  }
}

extension Sidecar {
  /// The base, with the common original values of the fields in conflict.
  fileprivate var baseOfConflicts: FieldValues {
    var values = base
    for conflict in fieldConflicts {
      guard let field = base.kind.schema.field(wireKey: conflict.wireKey) else { continue }
      values[field] = conflict.base
    }
    return values
  }
}

extension MergeDriver.Result {
  /// The exit code for git: 0 for a clean merge, 1 for conflicts, 2 if our file is unchanged and
  /// git must handle the merge.
  public var exitCode: Int32 {
    switch self {
    case .merged, .mergedLines(conflicts: 0): 0
    case .conflict, .twoRecords, .mergedLines: 1
    case .failed: 2
    }
  }
}
