public import StoryAPI
public import StoryLibrary
import StoryMerge

/// Carries out the repairs that need no decision: `doctor --fix`.
///
/// Nothing that people wrote is changed or removed. Changed or removed sidecars are kept in a run.
public struct LibraryRepairer: Sendable {
  /// The result of one repair.
  public enum Outcome: Sendable, Hashable {
    /// It is done.
    case done
    /// An edit in a temporary file got its name back.
    case restored
    /// An edit in a temporary file was kept under this name.
    case saved(as: String)
    /// There is nothing left to repair.
    case notNeeded
    /// The folder is not empty any more.
    case notEmpty
    /// The sidecar's content has changed.
    case changed
    /// The sidecar was saved at the same time.
    case savedMeanwhile
    /// The temporary file's purpose is unknown.
    case unknown
    /// The temporary file could not be renamed or removed.
    case notSettled(FileError)
    /// A file could not be read or written.
    case failed(FileError)
    /// A file cannot be parsed.
    case problem(Problem)
  }

  /// The library.
  public let library: Library
  /// The library's repository, or `nil`.
  public let repository: GitRepository?
  private let time: TimeSource

  /// Creates a repairer for a library.
  public init(_ library: Library, repository: GitRepository?, time: TimeSource = .system) {
    self.library = library
    self.repository = repository
    self.time = time
  }

  /// Carries out repairs in order.
  ///
  /// Takes the library's lock and checks again first: repairs that are no longer needed are
  /// skipped.
  /// - Parameter repairs: some of ``LibraryHealth/repairs``.
  /// - Returns: the result of each.
  /// - Throws: `LibraryError` (`locked`, `newerVersion`, `unsafeState`), `FileError` if a run
  ///   cannot be written, `Problem` if the journal cannot be parsed; repairs made before that stay.
  public func fix(_ repairs: [Repair]) throws -> [(repair: Repair, outcome: Outcome)] {
    guard !repairs.isEmpty else { return [] }
    try library.checkWritable()
    let needed = Set(LibraryHealth(library, repository: repository).repairs)
    let lock = try LibraryLock(library)
    defer { withExtendedLifetime(lock) {} }
    let run = RunRecorder(library, time)
    if repairs.contains(where: { if case .settleStaleFile = $0 { true } else { false } }) {
      // Temporary files show how far the interrupted run came.
      let scan = try Scanner(askingGit: library).scan()
      _ = try JournalRecovery(library, Journal(library), scan)?.finishProvenChanges()
    }
    var results: [(repair: Repair, outcome: Outcome)] = []
    for repair in repairs {
      guard needed.contains(repair) else {
        results.append((repair, .notNeeded))
        continue
      }
      do {
        results.append((repair, try fix(repair, run)))
      } catch let error as FileError {
        results.append((repair, .failed(error)))
      } catch let problem as Problem {
        results.append((repair, .problem(problem)))
      }
    }
    if run.isStarted { try run.finish(command: "doctor --fix") }
    return results
  }

  private func fix(_ repair: Repair, _ run: RunRecorder) throws -> Outcome {
    switch repair {
    case .repairSidecar(let ref, let path):
      guard let merged = SidecarSides(try library.read(path), ref: ref)?.merged else {
        return .changed
      }
      return try replace(path, of: ref, by: merged.fileBytes, run)
    case .dropSidecar(let ref):
      return try replace(ref.sidecarPath, of: ref, by: nil, run)
    case .keepRecord(let ref):
      var sidecar = try library.sidecar(at: ref)
      sidecar.isDeleteStated = false
      return try replace(ref.sidecarPath, of: ref, by: sidecar.fileBytes, run)
    case .settleStaleFile(let path): return settle(path)
    case .removeFolder(let path):
      return FileSystem.removeFolderIfEmpty(library.path(path)) ? .done : .notEmpty
    case .closeState:
      try FileSystem.setMode(library.statePath(), 0o700)
      return .done
    case .ignoreState:
      try AtomicFile.write(Array("*\n".utf8), to: library.statePath(".gitignore"))
      return .done
    case .dropState(let path):
      try FileSystem.remove(library.path(path))
      return .done
    }
  }

  /// Replaces or removes a sidecar, after saving its content in the run.
  private func replace(
    _ path: String, of ref: RecordRef, by bytes: [UInt8]?, _ run: RunRecorder
  ) throws -> Outcome {
    let old = try library.read(path)
    run.pending.save(ref, server: nil, sidecar: old)
    try run.flush()
    var batch = WriteBatch(root: library.root)
    let expected = ContentDigest(old)
    batch.add(
      record: nil,
      sidecar: (
        library.path(path), bytes.map { .write($0, .content(expected)) } ?? .remove(expected)
      ))
    guard try batch.commit()[0].isDone() else { return .savedMeanwhile }
    if bytes == nil { FileSystem.removeFolderIfEmpty(Path.parent(library.path(path))) }
    return .done
  }

  private func settle(_ path: String) -> Outcome {
    if !FileSystem.exists(library.path(path)) { return .done }
    guard let item = StaleFiles.settle([path], in: library).first else { return .done }
    switch item.outcome {
    case .removed: return .done
    case .restored: return .restored
    case .saved(let name): return .saved(as: name)
    case .unknown: return .unknown
    case .failed(let error): return .notSettled(error)
    }
  }
}
