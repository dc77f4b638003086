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
    /// It is done; the text says what came of it where that was open before.
    case done(String?)
    /// Something else was found now, so it was left; the text says what.
    case left(String)
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
        results.append((repair, .left("there is nothing to mend any more")))
        continue
      }
      do {
        results.append((repair, try mend(repair, run)))
      } catch let error as FileError {
        results.append((repair, .left(error.description)))
      } catch let problem as Problem {
        results.append((repair, .left(problem.message)))
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
        ? .done(nil) : .left("it is not empty any more")
    case .closeState:
      try FileSystem.setMode(library.statePath(), 0o700)
      return .done(nil)
    case .ignoreState:
      try AtomicFile.write(Array("*\n".utf8), to: library.statePath(".gitignore"))
      return .done(nil)
    case .dropState(let path):
      try FileSystem.remove(library.path(path))
      return .done(nil)
    }
  }

  private func mendSidecar(
    _ ref: RecordRef, _ path: String, _ run: RunRecorder
  ) throws -> Outcome {
    guard let merged = SidecarSides(try files.read(path), ref: ref)?.merged else {
      return .left("it holds something else now")
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
      case .changedMeanwhile: return .left("it was saved at the same moment")
      case .failed(let error): throw error
      }
    }
    if bytes == nil { FileSystem.removeFolderIfEmpty(Path.parent(library.path(path))) }
    return .done(nil)
  }

  private func settle(_ path: String) -> Outcome {
    if !FileSystem.exists(library.path(path)) { return .done(nil) }
    guard let item = Leftovers.settle([path], in: library).first else { return .done(nil) }
    switch item.outcome {
    case .removed: return .done(nil)
    case .restored: return .done("it held an edit, which has its name back")
    case .saved(let name): return .done("it held an edit, which is kept as \(name)")
    case .unknown: return .left("nobody knows what it is for")
    case .failed(let error): return .left(error.reason)
    }
  }
}
