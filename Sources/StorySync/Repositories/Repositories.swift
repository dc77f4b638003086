public import StoryAPI
public import StoryLibrary

/// A library's records for programs, with a server.
///
/// ```swift
/// let repositories = Repositories(library) { scan in try await connect(scan) }
/// let luna = try await repositories.heroes.fetch("luna").value
/// ```
/// The server is opened when first needed, once for all repositories. See <doc:UsingRepositories>.
public struct Repositories: Sendable {
  package let library: Library
  package let time: TimeSource
  private let wording: SyncWording
  private let server: OpenConnection

  /// Creates the repositories of a library.
  ///
  /// - Parameters:
  ///   - library: the library.
  ///   - time: the clocks.
  ///   - wording: the texts that a sync stores for its report and failures.
  ///   - connect: opens the server; called at most once, unless it fails.
  public init(
    _ library: Library, time: TimeSource = .system, wording: SyncWording = .none,
    connect: @escaping @Sendable (Scan) async throws -> Connection
  ) {
    self.library = library
    self.time = time
    self.wording = wording
    server = OpenConnection { scan in
      let connection = try await connect(scan)
      // A sync may have recorded the server since.
      let library = try Library(root: library.root)
      if let stop = library.otherOwner(than: connection.identity, scan) { throw stop }
      return connection
    }
  }

  /// The heroes.
  public var heroes: HeroRepository { HeroRepository(self) }
  /// The stories.
  public var stories: StoryRepository { StoryRepository(self) }
  /// The custom events.
  public var events: CustomEventRepository { CustomEventRepository(self) }
  /// The illustrations of stories.
  public var illustrations: IllustrationRepository { IllustrationRepository(self) }
  /// The account.
  public var user: UserRepository { UserRepository(repositories: self) }

  /// Syncs the library with its server: sends local changes and takes the server's.
  ///
  /// - Throws: `APIError` if an error ended the sync, `SyncStopped` if it stopped for safety,
  ///   `LibraryError`, `FileError`. Failures of single records are in the report.
  @discardableResult
  public func sync(_ options: SyncOptions = SyncOptions()) async throws -> SyncReport {
    let server = server
    // The first sync records the server in library.json, so the file is read again.
    let library = try Library(root: library.root)
    var synchronizer = Synchronizer(library: library, time: time) { scan in
      // The connection is shared, so it is not closed here.
      var connection = try await server.get(scan)
      connection.close = {}
      return connection
    }
    synchronizer.wording = wording
    let report = try await synchronizer.run(options)
    if let error = report.error { throw error }
    guard report.stops.isEmpty else { throw SyncStopped(stops: report.stops) }
    return report
  }

  /// Returns the server's client, for requests that no repository covers.
  ///
  /// - Throws: `SafetyStop` if the library belongs to another server or account; errors from opening
  ///   the server.
  public func client() async throws -> APIClient { try await server.get(try scan()).client }

  /// The time since the server's changes were last pulled, or `nil` if they never were.
  var age: Duration? {
    PullState(library)?.pulledAt.map { max(.zero, time.now().duration(since: $0)) }
  }

  /// Scans the library's records, by default without its illustrations.
  package func scan(_ kinds: [EntityKind] = EntityKind.writable) throws -> Scan {
    var scanner = Scanner(askingGit: library)
    scanner.kinds = kinds
    return try scanner.scan()
  }

  /// Requests the illustrations of stories and writes their records, in a run of its own.
  ///
  /// Waits up to half a minute while a sync has the library's lock, and requests them after that, so that they are not
  /// older than what the sync wrote.
  /// - Parameter stories: the stories, or `nil` for all that have illustrations.
  /// - Throws: `APIError`, `LibraryError`, `FileError`, also after all others were written if one could not
  ///   be, and errors from opening the server.
  package func pullIllustrations(of stories: [IllustrationPuller.StoryPlace]? = nil) async throws {
    try library.checkWritable()
    try await time.waitingForLock {
      let lock = try LibraryLock(library)
      defer { withExtendedLifetime(lock) {} }
      let client = try await client()
      var fetched: [(IllustrationPuller.StoryPlace, [RemoteRecord])] = []
      for story in try stories ?? storiesWithPictures() {
        fetched.append((story, try await client.illustrations(storyID: story.id)))
      }
      let run = RunRecorder(library, time)
      var records = try IllustrationRecords(library)
      try records.clean()
      var puller = IllustrationPuller(library: library, run: run)
      try puller.apply(fetched, records)
      if run.isStarted { try run.finish(command: "pull illustrations") }
      for failure in puller.report.failed {
        if case .file(let error) = failure.reason { throw error }
      }
    }
  }

  private func storiesWithPictures() throws -> [IllustrationPuller.StoryPlace] {
    try scan().entries.compactMap { entry in
      guard entry.ref.kind == .stories, let id = entry.id,
        let sidecar = try? library.sidecar(of: entry),
        IllustrationPuller.hasPictures(sidecar.server)
      else { return nil }
      return (entry.ref, id)
    }
  }

  /// Tells a server that relies on the sidecars that they have changed.
  package func sidecarsChanged() async throws {
    let scan = try scan()
    try await server.get(scan).finish(scan)
  }
}

/// A connection that is opened once, when it is first needed.
private actor OpenConnection {
  private let open: @Sendable (Scan) async throws -> Connection
  private var task: Task<Connection, any Error>?

  init(_ open: @escaping @Sendable (Scan) async throws -> Connection) { self.open = open }

  /// Returns the connection; if opening failed, the next call tries again.
  func get(_ scan: Scan) async throws -> Connection {
    if let task { return try await task.value }
    let task = Task { [open] in try await open(scan) }
    self.task = task
    do {
      return try await task.value
    } catch {
      self.task = nil
      throw error
    }
  }
}

/// The error of a sync that stopped for safety, usually before it changed anything. What it did before
/// it found the reason stays, and is in its run.
public struct SyncStopped: Error, Sendable {
  /// The reasons.
  public var stops: [SafetyStop]
}
