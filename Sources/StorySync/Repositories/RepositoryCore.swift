package import StoryAPI
package import StoryLibrary

/// The state shared by the repositories of one library.
package struct RepositoryCore: Sendable {
  package let library: Library
  package let time: TimeSource
  let wording: SyncWording
  let server: OpenConnection

  /// The time since the server's changes were last pulled, or `nil` if they never were.
  var age: Duration? {
    PullState(library)?.pulledAt.map { max(.zero, time.now().duration(since: $0)) }
  }

  /// Scans the library's records, without its illustrations.
  package func scan() throws -> Scan { try Scanner(library).scan() }

  /// Returns the connection to the server, opened when first needed.
  package func connection() async throws -> Connection { try await server.get(try scan()) }

  /// Pulls the server's changes, as `stories sync pull` does.
  ///
  /// - Throws: `APIError`, `SyncStopped`, `LibraryError`, `FileError`.
  func pull() async throws {
    var options = SyncOptions()
    options.direction = .pull
    _ = try await sync(options)
  }

  /// Syncs over the shared connection.
  ///
  /// - Throws: as ``pull()``.
  @discardableResult
  package func sync(_ options: SyncOptions) async throws -> SyncReport {
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

  /// Requests the illustrations of stories and writes their records, in a run of its own.
  ///
  /// - Parameter stories: the stories, or `nil` for all that have illustrations.
  /// - Throws: `APIError`, `LibraryError`, `FileError`, and errors from opening the server.
  package func pullIllustrations(of stories: [IllustrationPuller.StoryPlace]? = nil) async throws {
    try await IllustrationPuller(
      library: library, client: connection().client, time: time
    ).pull(stories: stories)
  }

  /// Tells a server that relies on the sidecars that they have changed.
  package func sidecarsChanged() async throws {
    let scan = try scan()
    try await server.get(scan).finish(scan)
  }
}

/// A connection that is opened once, when it is first needed.
actor OpenConnection {
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

/// The error of a sync that stopped before it changed anything.
public struct SyncStopped: Error, Sendable {
  /// The reasons.
  public var stops: [SafetyStop]
}
