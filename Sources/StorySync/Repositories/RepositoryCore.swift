package import StoryAPI
package import StoryLibrary

/// What the repositories of one library share: the library, its server and the clocks.
package struct RepositoryCore: Sendable {
  package let library: Library
  package let time: TimeSource
  let wording: SyncWording
  let server: OpenConnection

  /// How long ago the server's news were taken in; `nil` where they never were.
  var age: Duration? {
    PullState(library)?.pulledAt.map { max(.zero, time.now().duration(since: $0)) }
  }

  /// Scans the library's records, without its illustrations.
  package func scan() throws -> Scan { try Scanner(library).scan() }

  /// The connection to the server, opened when it is first needed.
  package func connection() async throws -> Connection { try await server.get(try scan()) }

  /// Takes the server's news in, as `stories sync pull` does.
  ///
  /// - Throws: `APIError`, `SyncStopped`, `LibraryError`, `FileError`.
  func pull() async throws {
    var options = SyncOptions()
    options.direction = .pull
    _ = try await sync(options)
  }

  /// Syncs with the connection that is open.
  ///
  /// - Throws: as ``pull()``.
  @discardableResult
  package func sync(_ options: SyncOptions) async throws -> SyncReport {
    let server = server
    // The first sync notes in library.json whom the library belongs to, so it is read again.
    let library = try Library(root: library.root)
    var synchronizer = Synchronizer(library: library, time: time) { scan in
      // Others go on with it.
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

  /// Asks for the pictures of stories and brings their records here, as a run of its own.
  ///
  /// - Parameter stories: the stories; `nil` for all that have pictures.
  /// - Throws: `APIError`, `LibraryError`, `FileError`, and what keeps the server from being opened.
  package func pullIllustrations(of stories: [IllustrationPuller.StoryPlace]? = nil) async throws {
    try await IllustrationPuller(
      library: library, client: connection().client, time: time
    ).pull(stories: stories)
  }

  /// Tells the server, where it goes by the sidecars, that they have changed.
  package func sidecarsChanged() async throws {
    let scan = try scan()
    try await server.get(scan).finish(scan)
  }
}
