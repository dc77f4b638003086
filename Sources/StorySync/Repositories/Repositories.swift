public import StoryAPI
public import StoryLibrary

/// The library's face for programs: its records, with a server behind them.
///
/// ```swift
/// let repositories = Repositories(library) { scan in try await connect(scan) }
/// let luna = try await repositories.heroes.fetch("luna").value
/// ```
/// The server is opened when something needs it, once for all repositories. See <doc:UsingRepositories>.
public struct Repositories: Sendable {
  package let core: RepositoryCore

  /// The repositories of a library.
  ///
  /// - Parameters:
  ///   - library: the library.
  ///   - time: the clocks.
  ///   - wording: what a sync keeps of its report and of failures.
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
  /// The pictures of stories.
  public var illustrations: IllustrationRepository { IllustrationRepository(core) }
  /// The account.
  public var user: UserRepository { UserRepository(core) }

  /// Brings the library and its server together: what was written here is sent, and what is new
  /// there comes.
  ///
  /// - Throws: `APIError` for what ended the sync, `SyncStopped` where it stopped for safety,
  ///   `LibraryError`, `FileError`. What concerns one record is in the report.
  @discardableResult
  public func sync(_ options: SyncOptions = SyncOptions()) async throws -> SyncReport {
    try await core.sync(options)
  }

  /// The client of the server, for what no repository has.
  ///
  /// - Throws: what keeps the server from being opened.
  public func client() async throws -> APIClient { try await core.connection().client }
}
