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
    /// Our file has both sides between git's markers: the sidecars are of different records.
    case twoRecords(ours: String, theirs: String)
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
  /// If both sides were synced with one server, they are merged from the older of the two versions
  /// that their sidecars have of it, not from git's common ancestor: what one side has already
  /// received from the other through the server, and has changed or removed since, is not applied
  /// again. (Embedded servers are separate, so their versions have no common order.) If the sidecars
  /// are of different records, nothing is merged.
  /// - Throws: `FileError` if a file cannot be read or written; ours is unchanged in that case.
  public func mergeRecord() throws -> Result {
    var texts = try texts()
    guard let (ref, folder) = call.record else { return try mergeLines() }
    let isShared = isSyncedWithSharedServer(folder)
    if isShared || isRenamed(ref, texts), let sides = sidecars(of: ref, in: folder) {
      guard sides.ours.id == sides.theirs.id else {
        try write(marks.file(base: texts.base, ours: texts.ours, theirs: texts.theirs))
        return .twoRecords(ours: sides.ours.id, theirs: sides.theirs.id)
      }
      if isShared { texts.base = syncedBase(ref, texts, sides) ?? texts.base }
    }
    guard
      let merge = RecordFileMerge(
        ref.kind, base: texts.base, ours: texts.ours, theirs: texts.theirs, marks: marks)
    else { return try mergeLines() }
    let clean: RecordFileMerge.Outcome
    do {
      clean = try merge.outcome()
    } catch {
      return try mergeLines()
    }
    guard !clean.conflicts.isEmpty, showsBase else { return try finish(clean, texts.ours) }
    var marks = marks
    marks.showsBase = true
    let shown = RecordFileMerge(
      ref.kind, base: texts.base, ours: texts.ours, theirs: texts.theirs, marks: marks)
    return try finish(shown?.outcome() ?? clean, texts.ours)
  }

  /// Merges a sidecar.
  ///
  /// - Throws: The errors of ``mergeRecord()``.
  public func mergeSidecar() throws -> Result {
    let texts = try texts()
    guard let (ref, _) = call.record,
      let merge = SidecarFileMerge(
        ref, base: texts.base, ours: texts.ours, theirs: texts.theirs, marks: marks)
    else { return try mergeLines() }
    switch merge.outcome {
    case .merged(let bytes):
      if bytes != texts.ours { try write(bytes) }
      return .merged
    case .conflict(let bytes, let ours, let theirs):
      try write(bytes)
      return .twoRecords(ours: ours, theirs: theirs)
    }
  }

  // MARK: Sidecars

  private typealias Sides = (ours: Sidecar, theirs: Sidecar)

  private func isSyncedWithSharedServer(_ folder: String) -> Bool {
    let root = Path.join(call.folder, folder)
    guard let library = try? Library(root: root), case .url = library.configuration.server
    else { return false }
    return true
  }

  /// Returns whether a side gave the record another name or title, as another record has it.
  private func isRenamed(_ ref: RecordRef, _ texts: Texts) -> Bool {
    let key = ref.kind.schema.titleKey
    func title(_ bytes: [UInt8]) -> JSONValue? { (try? JSONValue(parsing: bytes))?[key] }
    let base = title(texts.base)
    return base != nil && (title(texts.ours) != base || title(texts.theirs) != base)
  }

  /// Returns the sidecars that the merged commits have of a record, or `nil` if git does not say.
  private func sidecars(of ref: RecordRef, in folder: String) -> Sides? {
    guard let commit = call.theirCommit else { return nil }
    func sidecar(_ commit: String) -> Sidecar? {
      let name = "\(commit):\(Path.join(folder, ref.sidecarPath))"
      guard let result = try? git(.catFile, ["blob", name]), result.status == 0 else { return nil }
      return try? Sidecar(bytes: result.output, ref: ref)
    }
    guard let ours = sidecar("HEAD"), let theirs = sidecar(commit) else { return nil }
    return (ours, theirs)
  }

  /// Returns the older of the server's versions in two sidecars of one record, in the ancestor's
  /// layout; `nil` if a text is no record.
  private func syncedBase(_ ref: RecordRef, _ texts: Texts, _ sides: Sides) -> [UInt8]? {
    let isTheirsOlder = Sidecar.isVersion(sides.theirs.updatedAt, before: sides.ours.updatedAt)
    let older = isTheirsOlder ? sides.theirs : sides.ours
    var references = ReferenceTable()
    // Names are not the server's: where its id is the same, they differ by renames.
    var kept = ref.kind.schema.references.filter { sides.ours.base[$0] == sides.theirs.base[$0] }
    for field in ref.kind.schema.references {
      guard let kind = field.referencedKind, let id = older.base[field]?.string,
        let name = older.refs[field.key]?.string
      else { continue }
      references.add(RecordRef(kind: kind, name: name), id: id)
    }
    guard let ours = try? RecordFile(ref: ref, bytes: texts.ours),
      let theirs = try? RecordFile(ref: ref, bytes: texts.theirs)
    else { return nil }
    // A member that a file lacks has the value of that file's own sidecar, so it is left as it was.
    kept += ref.kind.schema.fields.filter { field in
      field.defaultValue != nil
        && [ours, theirs].contains { $0.document.root[field.key] == nil }
    }
    if texts.base.isEmpty {
      var values = older.base
      for field in kept where field.defaultValue != nil { values[field] = nil }
      return RecordFile.newFile(values, references: references)
    }
    guard let ancestor = try? RecordFile(ref: ref, bytes: texts.base) else { return nil }
    return try? ancestor.updated(
      to: older.base, keeping: kept, references: references, sidecar: nil
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
    _ query: GitProcess.Query, _ arguments: [String]
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
    return try GitProcess.call(query, arguments, in: place).run()
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
