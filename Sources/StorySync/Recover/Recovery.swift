import StoryLibrary

/// The first step of a sync: finishes the file changes of an interrupted run and scans the library.
struct Recovery {
  let library: Library
  let journal: Journal
  let scanner: Scanner

  /// Scans the library, and again if changes were finished.
  ///
  /// - Parameter isDryRun: whether to change nothing.
  /// - Returns: the scan, and the changes that could not be finished; they stay in the journal.
  /// - Throws: `LibraryError.newerVersion` before anything is changed; `FileError`, `Problem`.
  func run(isDryRun: Bool) throws -> (scan: Scan, failures: [SyncReport.Failure]) {
    var scan = try scanner.scan()
    if let error = scan.newerSidecar { throw error }
    if isDryRun { return (scan, []) }
    // Temporary files show what a run had written; edits among them need their names back first.
    let files = JournalRecovery(library, journal, scan)
    let hadStaged = try files?.finishProvenChanges() ?? false
    let hadTemporary = try Self.clean(scan, in: library)
    let finished = try files?.finishFiles() ?? (isAny: false, failures: [])
    if hadStaged || hadTemporary || finished.isAny { scan = try scanner.scan() }
    let hadRenamed = try ReferenceRewriter(library: library).resumeRenames(scan)
    if try removeVoidDeletes(scan) || hadRenamed { scan = try scanner.scan() }
    library.noteSeenSidecars()
    return (scan, finished.failures)
  }

  /// Takes the library's lock for a change of its files. What an interrupted run left in files is
  /// finished first: the change would go by sidecars that do not belong to the records.
  ///
  /// - Parameter isDryRun: whether to change nothing.
  /// - Returns: the lock, and the scan afterwards, or `nil` if there was nothing to finish.
  /// - Throws: `LibraryError` (`locked`, `newerVersion`); `FileError`; `Problem` for a sidecar.
  static func lock(
    _ library: Library, isDryRun: Bool = false
  ) throws -> (lock: LibraryLock, scan: Scan?) {
    try library.checkWritable()
    let lock = try LibraryLock(library)
    // A damaged journal stops the next sync, which says how to go on.
    guard !isDryRun, let journal = try? Journal(library), !journal.unfinishedFiles.isEmpty else {
      return (lock, nil)
    }
    let recovery = Recovery(
      library: library, journal: journal, scanner: Scanner(askingGit: library))
    return (lock, try recovery.run(isDryRun: false).scan)
  }

  /// Takes requested deletes from sidecars whose records are present: kept, they would count as
  /// requested when such a record is lost later.
  ///
  /// - Returns: whether there were any.
  private func removeVoidDeletes(_ scan: Scan) throws -> Bool {
    let entries = scan.entries.filter(\.hasVoidDelete)
    for entry in entries {
      let bytes = try library.read(entry.sidecarPath)
      var sidecar = try Sidecar(bytes: bytes, ref: entry.place)
      sidecar.isDeleteStated = false
      try AtomicFile.write(
        sidecar.fileBytes, to: library.path(entry.sidecarPath), expecting: .content(.init(bytes)))
    }
    return !entries.isEmpty
  }

  // MARK: Temporary files

  /// Removes stale temporary files; what an editor saved during the crash gets its name back.
  ///
  /// - Returns: whether the scan found any.
  static func clean(_ scan: Scan, in library: Library) throws(FileError) -> Bool {
    var paths: [String] = []
    // Media and the embedded server's data have their own locks and are cleaned with them.
    for folder in ["runs", "edit", "cache"].map({ Path.join(Library.stateFolderName, $0) })
    where try FileSystem.status(library.path(folder))?.type == .folder {
      paths += try temporaryFiles(below: folder, in: library)
    }
    for item in StaleFiles.settle(paths + scan.staleFiles, in: library) {
      if case .failed(let error) = item.outcome { throw error }
    }
    return !scan.staleFiles.isEmpty
  }

  /// Returns the stale temporary files below a folder of `.stories`, which the scan skips.
  private static func temporaryFiles(
    below folder: String, in library: Library
  ) throws(FileError) -> [String] {
    let entries: [FileSystem.Entry]
    do throws(FileError) {
      entries = try FileSystem.list(library.path(folder))
    } catch {
      // An editor removes its folder when it is done.
      guard error.isMissing else { throw error }
      return []
    }
    var found: [String] = []
    for entry in entries {
      let path = Path.join(folder, entry.name)
      if entry.type == .folder {
        found += try temporaryFiles(below: path, in: library)
      } else if StaleFiles.isOne(entry.name), !isInUse(folder, in: library) {
        found.append(path)
      }
    }
    return found
  }

  /// Returns whether an editor is writing to its folder, which it locks meanwhile.
  private static func isInUse(_ folder: String, in library: Library) -> Bool {
    (try? FileLock(library.path(folder), .exclusive)) == nil
  }
}
