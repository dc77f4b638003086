import JSONText
public import StoryAPI
public import StoryLibrary

/// Changes records by name, with their sidecars and with whatever names them: `mv` and `rm`.
///
/// It takes the library's lock for each change. Nothing is sent; the next sync does that.
public struct LibraryEditor {
  /// The library.
  public let library: Library
  private let time: TimeSource

  /// An editor of a library.
  public init(_ library: Library, time: TimeSource = .system) {
    self.library = library
    self.time = time
  }

  private var files: LibraryFiles { LibraryFiles(library: library) }

  /// Gives a record another name. Its sidecar follows, and records that name it name it anew; the
  /// server learns nothing, for names are the library's own.
  ///
  /// The record is renamed first, then its sidecar, then the references are rewritten. Interrupted in
  /// between, the next scan takes the record for one that was renamed by hand, and the next sync
  /// finishes.
  /// - Parameters:
  ///   - old: the record.
  ///   - new: its new name, of the same kind; folders on the way are made.
  ///   - isDryRun: whether only to tell what would be done.
  /// - Returns: the records whose reference was, or would be, rewritten.
  /// - Throws: `EditError` (`noSuchRecord`, `exists`, `otherKind`), `LibraryError` (`locked`,
  ///   `newerVersion`), `FileError`.
  @discardableResult
  public func move(
    _ old: RecordRef, to new: RecordRef, isDryRun: Bool = false
  ) throws -> [RecordRef] {
    guard old.kind == new.kind else { throw EditError.otherKind(old, new.kind) }
    try library.checkWritable()
    let lock = try LibraryLock(library)
    defer { withExtendedLifetime(lock) {} }
    let scan = try Scanner(library).scan()
    guard let entry = scan.entry(old), entry.hasRecord || entry.state == .unreadable else {
      throw EditError.noSuchRecord(old, nearest: Self.nearest(old, scan))
    }
    guard !isTaken(new, by: entry) else { throw EditError.exists(new) }
    let rewriter = ReferenceRewriter(library: library)
    let namers = rewriter.namers(of: old, scan)
    guard !isDryRun else { return namers }
    var guardian = PathGuard(root: library.root)
    try guardian.check(above: library.path(old.path))
    try guardian.makeFolders(above: library.path(new.path))
    try FileSystem.rename(library.path(old.path), to: library.path(new.path))
    if entry.id != nil {
      try guardian.makeFolders(above: library.path(new.sidecarPath))
      try FileSystem.rename(library.path(entry.sidecarPath), to: library.path(new.sidecarPath))
    }
    for folder in Set([old.path, new.path].map { Path.parent(library.path($0)) }) {
      try FileSystem.flushFolder(folder)
    }
    FileSystem.removeFolderIfEmpty(Path.parent(library.path(old.sidecarPath)))
    if Path.parent(old.name) != "" {
      FileSystem.removeFolderIfEmpty(Path.parent(library.path(old.path)))
    }
    try rewriter.rewrite(namers, from: old, to: new)
    return namers
  }

  /// Whether a name is taken by another record than the one that is to have it.
  private func isTaken(_ new: RecordRef, by entry: ScanEntry) -> Bool {
    guard let status = try? FileSystem.status(library.path(new.path)) else { return false }
    // On a file system that ignores case, the new name of a case-only rename is the same file.
    let own = try? FileSystem.status(library.path(entry.ref.path))
    return own?.inode != status.inode || own?.device != status.device
  }

  /// Removes a record and notes that it shall go on the server as well.
  ///
  /// What it held is kept in a run, so that `undo` brings it back.
  /// - Parameters:
  ///   - ref: the record; one whose file is gone already can be removed as well.
  ///   - isDryRun: whether only to tell whether it could be done.
  /// - Throws: `EditError` (`noSuchRecord`, `stillNamed`, `changedMeanwhile`), `LibraryError`
  ///   (`locked`, `newerVersion`), `FileError`, `Problem` where record or sidecar cannot be read.
  public func remove(_ ref: RecordRef, isDryRun: Bool = false) throws {
    try library.checkWritable()
    let lock = try LibraryLock(library)
    defer { withExtendedLifetime(lock) {} }
    let scan = try Scanner(library).scan()
    guard let entry = scan.entry(ref) else {
      throw EditError.noSuchRecord(ref, nearest: Self.nearest(ref, scan))
    }
    let namers = ReferenceRewriter(library: library).namers(of: ref, scan)
    guard namers.isEmpty else { throw EditError.stillNamed(ref, by: namers) }
    guard !isDryRun else { return }
    let run = RunRecorder(library, startedAt: time.now().wire)
    var sidecarChange: WriteBatch.Change?
    if entry.id != nil {
      var sidecar = try files.sidecar(of: ref, at: entry.renamedFrom ?? ref)
      sidecar.isDeleteStated = true
      sidecar.conflict = nil
      sidecarChange = .write(sidecar.fileBytes, .anything)
    }
    var recordChange: WriteBatch.Change?
    if FileSystem.exists(library.path(ref.path)) {
      let bytes = try files.read(ref.path)
      run.save(ref, .here, text: bytes)
      run.note(ref, after: nil)
      recordChange = .remove(ContentDigest(bytes))
    }
    try run.flush()
    var batch = WriteBatch(root: library.root)
    batch.add(
      record: recordChange.map { (library.path(ref.path), $0) },
      sidecar: sidecarChange.map { (library.path(entry.sidecarPath), $0) })
    for result in batch.commit() {
      switch result {
      case .done: break
      case .changedMeanwhile: throw EditError.changedMeanwhile(ref)
      case .failed(let error): throw error
      }
    }
    if run.isStarted { try run.finish(command: "rm \(ref)") }
  }

  static func nearest(_ ref: RecordRef, _ scan: Scan) -> RecordRef? {
    let names = scan.entries.lazy.filter { $0.ref.kind == ref.kind }.map(\.ref.name)
    return Nearest.match(ref.name, among: names).map { RecordRef(kind: ref.kind, name: $0) }
  }
}
