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
  package let core: RepositoryCore

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
    core = RepositoryCore(
      library: library, time: time, wording: wording, server: OpenConnection(connect))
  }

  /// The heroes.
  public var heroes: HeroRepository { HeroRepository(core) }
  /// The stories.
  public var stories: StoryRepository { StoryRepository(core) }
  /// The custom events.
  public var events: CustomEventRepository { CustomEventRepository(core) }
  /// The illustrations of stories.
  public var illustrations: IllustrationRepository { IllustrationRepository(core) }
  /// The account.
  public var user: UserRepository { UserRepository(core) }

  /// Syncs the library with its server: sends local changes and takes the server's.
  ///
  /// - Throws: `APIError` if an error ended the sync, `SyncStopped` if it stopped for safety,
  ///   `LibraryError`, `FileError`. Failures of single records are in the report.
  @discardableResult
  public func sync(_ options: SyncOptions = SyncOptions()) async throws -> SyncReport {
    try await core.sync(options)
  }

  /// Returns the server's client, for requests that no repository covers.
  ///
  /// - Throws: errors from opening the server.
  public func client() async throws -> APIClient { try await core.connection().client }
}
