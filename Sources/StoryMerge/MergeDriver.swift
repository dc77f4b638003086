import StoryLibrary

/// Does what git asks a merge driver for: reads three files and writes one.
///
/// A file that cannot be merged as what it should be is merged by lines, by `git merge-file`, so that
/// nobody has less than without the driver.
public struct MergeDriver: Sendable {
  /// How a merge ended.
  public enum Result: Sendable, Equatable {
    /// Our file holds the merged text.
    case merged
    /// Our file holds both sides with git's markers where they clash: these members of a record.
    case conflict([String])
    /// Our file holds both sides with git's markers: the sidecars name two records of the server.
    case twoRecords(ours: String, theirs: String)
    /// `git merge-file` merged the lines, and these are the number of places where they clash.
    case mergedLines(conflicts: Int)
    /// Nothing was written: `git merge-file` could not be run or refused, as with a text that is binary.
    case failed
  }

  /// What is asked for.
  public let call: MergeCall

  /// A driver for one file.
  public init(_ call: MergeCall) { self.call = call }

  /// Merges a record.
  ///
  /// - Throws: `FileError` where a file cannot be read or written; ours is as it was then.
  public func mergeRecord() throws -> Result {
    let texts = try texts()
    guard let ref = MergeCall.record(at: call.path, in: call.folder),
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
  /// - Throws: as ``mergeRecord()``.
  public func mergeSidecar() throws -> Result {
    let texts = try texts()
    guard let ref = MergeCall.record(at: call.path, in: call.folder),
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

  // MARK: Files

  private func texts() throws(FileError) -> (base: [UInt8], ours: [UInt8], theirs: [UInt8]) {
    (try read(call.base), try read(call.ours), try read(call.theirs))
  }

  private func read(_ path: String) throws(FileError) -> [UInt8] {
    try FileSystem.read(Path.absolute(path, in: call.folder))
  }

  /// Git keeps the three texts, so the file need not survive a crash of the system.
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

  /// Whether the person wants to see in a conflict what both sides started from. Git tells drivers
  /// nothing of it; it is asked only where there is a conflict.
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
    // Git, which called this, may have said where its repository is.
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
  /// What git takes from it: 0 for a clean merge, 1 for a conflict, 2 where our file is as it was, so
  /// that somebody else has to merge.
  public var exitCode: Int32 {
    switch self {
    case .merged, .mergedLines(conflicts: 0): 0
    case .conflict, .twoRecords, .mergedLines: 1
    case .failed: 2
    }
  }
}
