public import StoryAPI
public import StoryLibrary

/// Brings a library and a server together.
///
/// Killed anywhere and run again, it converges: everything is written data first, bookkeeping last,
/// and what was sent without an answer stands in the journal. Effects: the records' files and
/// sidecars, `library.json` at the first sync, `.stories/`, and requests to one server.
public struct Synchronizer: Sendable {
  /// The library.
  public private(set) var library: Library
  /// Opens the server; called once the library was scanned, and only if there is a reason to ask it.
  /// A `SafetyStop` that it throws ends the sync like one that the sync finds itself.
  public var connect: @Sendable (Scan) async throws -> Connection
  /// The clocks.
  public var time: TimeSource
  /// How long and how much of what runs kept stays.
  public var runLimits = RunHistory.Limits()
  /// What is kept of the report and of failures.
  public var wording = SyncWording.none
  /// The repository that the library lies in; `nil` where it lies in none.
  public var repository: GitRepository?
  /// How the library is scanned. What it asks git is the synchronizer's own.
  public var scanner: Scanner

  /// A synchronizer of one library.
  public init(
    library: Library, time: TimeSource = .system,
    connect: @escaping @Sendable (Scan) async throws -> Connection
  ) {
    self.library = library
    self.time = time
    self.connect = connect
    repository = GitRepository(library)
    scanner = Scanner(library)
  }

  /// Syncs once: recover, scan, list, plan, apply here, apply there, finish.
  ///
  /// What concerns single records is in the report; so is an error that ended the sync after it had
  /// begun (``SyncReport/error``) and every reason not to begin (``SyncReport/stops``).
  /// - Throws: `LibraryError` (locked, newer form, unsafe state), `FileError`, `Problem`, and what
  ///   ``connect`` throws; nothing was changed then.
  public func run(
    _ options: SyncOptions, progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) async throws -> SyncReport {
    try library.checkWritable()
    if repository?.mayTrackState == true { return .stopped(by: .stateIsTracked, options) }
    let lock = try await takeLock(options, progress)
    defer { withExtendedLifetime(lock) {} }
    return try await runLocked(options, progress)
  }

  /// Syncs once; the connection is closed when this returns, before the lock is released.
  private func runLocked(
    _ options: SyncOptions, _ progress: @escaping @Sendable (SyncProgress) -> Void
  ) async throws -> SyncReport {
    // Whoever held the lock until now may have noted to whom the library belongs.
    let library = try Library(root: library.root)
    try library.checkWritable()
    let journal = try Journal(library)
    progress(.scanning)
    let (scan, unfinished) = try Recovery(library: library, journal: journal, scanner: gitScanner)
      .run(isDryRun: options.isDryRun)
    let connection: Connection
    do {
      connection = try await connect(scan)
    } catch let stop as SafetyStop {
      return .stopped(by: stop, options)
    }
    defer { connection.close() }
    let older = olderVersions(options, scan)
    let session = try SyncSession(
      library: library, connection: connection, options: options, scan: scan, journal: journal,
      run: RunRecorder(library, startedAt: time.now().wire), time: time, scanner: gitScanner,
      progress: progress)
    do {
      try await session.list()
      while try session.makePlan() {
        try session.applyLocal()
        try await session.applyRemote()
      }
      try await session.finish()
    } catch {
      try session.end(with: error)
    }
    return try await session.close(unfinished: unfinished, older: older, runLimits, wording)
  }

  private var gitScanner: Scanner {
    var scanner = scanner
    repository?.describe(to: &scanner)
    return scanner
  }

  /// The past is not sent as an edit without a word.
  private func olderVersions(_ options: SyncOptions, _ scan: Scan) -> Set<RecordRef> {
    guard options.direction != .pull, let repository else { return [] }
    return OlderVersions(library, in: repository).found(in: scan)
  }

  private func takeLock(
    _ options: SyncOptions, _ progress: (SyncProgress) -> Void
  ) async throws -> LibraryLock {
    var isNoted = false
    while true {
      do {
        return try LibraryLock(library)
      } catch LibraryError.locked(let holder) {
        guard options.waits else { throw LibraryError.locked(holder: holder) }
        if !isNoted { progress(.waiting(holder: holder)) }
        isNoted = true
        try await time.sleep(.milliseconds(200))
      }
    }
  }
}
