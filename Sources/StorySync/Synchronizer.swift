public import StoryAPI
public import StoryLibrary

/// Syncs a library with a server.
///
/// If killed at any point and run again, it converges: data is written first, bookkeeping last, and
/// unconfirmed writes are in the journal. It writes the records' files and sidecars, `library.json`
/// at the first sync, and `.stories/`, and sends requests to one server.
public struct Synchronizer: Sendable {
  /// The library.
  public private(set) var library: Library
  /// Opens the server; called after the library was scanned, and only if there is a reason to. A
  /// `SafetyStop` that it throws ends the sync like one that the sync finds itself, and the sync
  /// waits after a `LibraryError.locked` as for the library's own lock.
  public var connect: @Sendable (Scan) async throws -> Connection
  /// The clocks.
  public var time: TimeSource
  /// The limits for kept runs.
  public var runLimits = RunHistory.Limits()
  /// The texts for the report and failures.
  public var wording = SyncWording.none
  /// The library's git repository, or `nil`.
  public var repository: GitRepository?
  /// The scanner to use; the synchronizer sets its git queries.
  public var scanner: Scanner

  /// Creates a synchronizer for a library.
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

  /// Syncs once: recover, scan, list, plan, apply locally, apply on the server, finish.
  ///
  /// Failures of single records are in the report; so are an error that ended the sync after it had
  /// begun (``SyncReport/error``) and every reason not to begin (``SyncReport/stops``).
  /// - Throws: `LibraryError` (locked, newer form, unsafe state), `FileError`, `Problem`,
  ///   `APIError.cancelled` while it waits for the lock, and the errors of ``connect``; nothing was
  ///   changed then.
  public func run(
    _ options: SyncOptions, progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) async throws -> SyncReport {
    try library.checkWritable()
    if repository?.mayTrackState == true { return .stopped(by: .stateIsTracked, options) }
    return try await time.waitingForLock(limit: .max) { holder in
      guard options.waits else { throw LibraryError.locked(holder: holder) }
      progress(.waiting(holder: holder))
    } work: {
      let lock = try LibraryLock(library)
      defer { withExtendedLifetime(lock) {} }
      var rounds = 0
      while true {
        rounds += 1
        let git = try await waitForGit(progress)
        if let lock = git?.lock { return .stopped(by: .gitIsAtWork(lock: lock), options) }
        let before = rounds < Self.roundsOfGit ? git : nil
        if let report = try await runLocked(options, before, progress) { return report }
      }
    }
  }

  /// The number of times that a sync waits for git, 0.2 s each.
  private static let waitsForGit = 50
  /// The number of times that a sync begins if git goes on changing its index.
  private static let roundsOfGit = 3

  /// Waits while git changes the working tree: it writes sidecars before records, and removes a record
  /// before it writes it, so that a scan would find edits and deletes that nobody made.
  private func waitForGit(
    _ progress: (SyncProgress) -> Void
  ) async throws -> GitRepository.IndexState? {
    guard let repository else { return nil }
    var waits = 0
    while true {
      let state = repository.indexState
      guard state.lock != nil, waits < Self.waitsForGit else { return state }
      if waits == 0 { progress(.waiting(holder: "git")) }
      waits += 1
      do { try await time.sleep(.milliseconds(200)) } catch { throw APIError.cancelled }
    }
  }

  /// Syncs once; the connection is closed when this returns, before the lock is released.
  ///
  /// - Parameter git: git's index before the scan, or `nil` if it does not matter.
  /// - Returns: `nil` if git has changed its index until the server was listed; nothing was sent then.
  private func runLocked(
    _ options: SyncOptions, _ git: GitRepository.IndexState?,
    _ progress: @escaping @Sendable (SyncProgress) -> Void
  ) async throws -> SyncReport? {
    // The previous holder of the lock may have recorded the library's server.
    var current = self
    current.library = try Library(root: library.root)
    try current.library.checkWritable()
    repository?.describe(to: &current.scanner)
    let journal = try Journal(library)
    progress(.scanning)
    let (scan, unfinished) = try Recovery(
      library: current.library, journal: journal, scanner: current.scanner
    ).run(isDryRun: options.isDryRun)
    let connection: Connection
    do {
      connection = try await connect(scan)
    } catch let stop as SafetyStop {
      return .stopped(by: stop, options)
    }
    defer { connection.close() }
    // The session forgets the scan before it scans again, so nothing may hold it here.
    let session = try SyncSession(
      current, connection, options, scan: consume scan, unfinished: unfinished, journal: journal,
      progress: progress)
    do {
      try await session.list()
      if let git, git != repository?.indexState { return nil }
      while try session.makePlan() {
        try session.applyLocal()
        if let lock = try await waitForGit(progress)?.lock {
          throw SafetyStop.gitIsAtWork(lock: lock)
        }
        try await session.applyRemote()
      }
      try await session.finish()
    } catch let stop as SafetyStop {
      session.report.stops.append(stop)
    } catch let error as APIError {
      session.report.error = error
    }
    return try await session.close()
  }
}

extension TimeSource {
  /// Runs `work`, and again while another process, or another task of this one, has the library or
  /// its server. It may need the lock to finish, so `work` must not hold it when it throws.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of waits of 0.2 s. The default of half a minute is longer than most
  ///     syncs take.
  ///   - isBusy: Called once with the holder before the first wait; an error that it throws ends it.
  ///   - work: Throws `LibraryError.locked` to be run again.
  /// - Throws: The errors of `work`, also `locked` after the last wait; `APIError.cancelled` if the task
  ///   is cancelled while it waits.
  package func waitingForLock<Value>(
    limit: Int = 150, isBusy: (_ holder: String) throws -> Void = { _ in },
    work: () async throws -> Value
  ) async throws -> Value {
    var waits = 0
    while true {
      do {
        return try await work()
      } catch LibraryError.locked(let holder) {
        if waits == 0 { try isBusy(holder) }
        guard waits < limit else { throw LibraryError.locked(holder: holder) }
        waits += 1
        do { try await sleep(.milliseconds(200)) } catch { throw APIError.cancelled }
      }
    }
  }
}

/// A connection to the server that a library is synced with.
public struct Connection: Sendable {
  /// The client, signed in.
  public var client: APIClient
  /// The server and account of the library's ids.
  public var identity: LibraryConfiguration.Identity
  /// Called at the end of a sync with the last scan: its ids, revisions and conflicts are those on
  /// disk.
  public var finish: @Sendable (Scan) async throws -> Void
  /// Closes what was opened for this connection. A ``Synchronizer`` calls it when it is done, while
  /// it still holds the library's lock.
  public var close: @Sendable () -> Void

  /// Creates a connection.
  public init(
    client: APIClient, identity: LibraryConfiguration.Identity,
    finish: @escaping @Sendable (Scan) async throws -> Void = { _ in },
    close: @escaping @Sendable () -> Void = {}
  ) {
    self.client = client
    self.identity = identity
    self.finish = finish
    self.close = close
  }
}
