public import StoryAPI
public import StoryLibrary
import StoryMerge

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Mends what a look at a library found, as far as nobody has to decide: `doctor --fix`.
///
/// Nothing that a person wrote is changed or removed. Sidecars that go or change are kept in a run.
public struct LibraryMender: Sendable {
  /// What became of one repair.
  public enum Outcome: Sendable, Hashable {
    /// It is done.
    case done
    /// A temporary file held an edit, which has its name back.
    case restored
    /// A temporary file held an edit, which is kept under this name.
    case saved(as: String)
    /// There was nothing to repair any more.
    case notNeeded
    /// The folder is not empty any more.
    case notEmpty
    /// The sidecar holds something else now.
    case changed
    /// The sidecar was saved at the same moment.
    case savedMeanwhile
    /// Nobody knows what the temporary file is for.
    case unknown
    /// The temporary file could not be settled.
    case notSettled(FileError)
    /// A file could not be read or written.
    case failed(FileError)
    /// A file cannot be understood.
    case problem(Problem)
  }

  /// The library.
  public let library: Library
  /// The repository that it lies in; `nil` where it lies in none.
  public let repository: GitRepository?
  private let time: TimeSource

  /// A mender of a library.
  public init(_ library: Library, repository: GitRepository?, time: TimeSource = .system) {
    self.library = library
    self.repository = repository
    self.time = time
  }

  private var files: LibraryFiles { LibraryFiles(library: library) }

  /// Carries out repairs, in their order.
  ///
  /// Takes the library's lock and checks again first: repairs that are no longer needed are skipped.
  /// - Parameter repairs: some of ``LibraryHealth/repairs``.
  /// - Returns: what became of each.
  /// - Throws: `LibraryError` (`locked`, `newerVersion`, `unsafeState`), `FileError` if a run cannot
  ///   be written, `Problem` if the journal cannot be understood; repairs made before that stay.
  public func mend(_ repairs: [Repair]) throws -> [(repair: Repair, outcome: Outcome)] {
    guard !repairs.isEmpty else { return [] }
    try library.checkWritable()
    let needed = Set(LibraryHealth(library, repository: repository).repairs)
    let lock = try LibraryLock(library)
    defer { withExtendedLifetime(lock) {} }
    let run = RunRecorder(library, startedAt: time.now().wire)
    if repairs.contains(where: { if case .settleLeftover = $0 { true } else { false } }) {
      // Temporary files prove how far the run came that left them.
      _ = try JournalRecovery(library: library).finishStagedSidecars(Journal(library))
    }
    var results: [(repair: Repair, outcome: Outcome)] = []
    for repair in repairs {
      guard needed.contains(repair) else {
        results.append((repair, .notNeeded))
        continue
      }
      do {
        results.append((repair, try mend(repair, run)))
      } catch let error as FileError {
        results.append((repair, .failed(error)))
      } catch let problem as Problem {
        results.append((repair, .problem(problem)))
      }
    }
    if run.isStarted { try run.finish(command: "doctor --fix") }
    return results
  }

  private func mend(_ repair: Repair, _ run: RunRecorder) throws -> Outcome {
    switch repair {
    case .mendSidecar(let ref, let path): return try mendSidecar(ref, path, run)
    case .dropSidecar(let ref):
      return try replace(ref.sidecarPath, of: ref, by: nil, run)
    case .keepRecord(let ref):
      var sidecar = try files.sidecar(of: ref, at: ref)
      sidecar.isDeleteStated = false
      return try replace(ref.sidecarPath, of: ref, by: sidecar.fileBytes, run)
    case .settleLeftover(let path): return settle(path)
    case .removeFolder(let path):
      return FileSystem.removeFolderIfEmpty(library.path(path))
        ? .done : .notEmpty
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

  private func mendSidecar(
    _ ref: RecordRef, _ path: String, _ run: RunRecorder
  ) throws -> Outcome {
    guard let merged = SidecarSides(try files.read(path), ref: ref)?.merged else {
      return .changed
    }
    return try replace(path, of: ref, by: merged.fileBytes, run)
  }

  /// Changes or removes a sidecar, once what it holds is in the run.
  private func replace(
    _ path: String, of ref: RecordRef, by bytes: [UInt8]?, _ run: RunRecorder
  ) throws -> Outcome {
    let old = try files.read(path)
    run.save(ref, .server, text: [], sidecar: old)
    try run.flush()
    var batch = WriteBatch(root: library.root)
    let expected = ContentDigest(old)
    batch.add(
      record: nil,
      sidecar: (
        library.path(path), bytes.map { .write($0, .content(expected)) } ?? .remove(expected)
      ))
    for result in batch.commit() {
      switch result {
      case .done: break
      case .changedMeanwhile: return .savedMeanwhile
      case .failed(let error): throw error
      }
    }
    if bytes == nil { FileSystem.removeFolderIfEmpty(Path.parent(library.path(path))) }
    return .done
  }

  private func settle(_ path: String) -> Outcome {
    if !FileSystem.exists(library.path(path)) { return .done }
    guard let item = Leftovers.settle([path], in: library).first else { return .done }
    switch item.outcome {
    case .removed: return .done
    case .restored: return .restored
    case .saved(let name): return .saved(as: name)
    case .unknown: return .unknown
    case .failed(let error): return .notSettled(error)
    }
  }
}
