public import StoryAPI
public import StoryLibrary

/// The library's face for programs: its records, with a server behind them.
///
/// ```swift
/// let repositories = Repositories(library) { scan in try await connect(scan) }
/// let luna = try await repositories.heroes.fetch("luna").value
/// ```
/// The server is opened when something needs it, once for all repositories. See <doc:Repositories>.
public struct Repositories: Sendable {
  let core: RepositoryCore

  /// The repositories of a library.
  ///
  /// - Parameters:
  ///   - time: the clocks.
  ///   - connect: opens the server; called at most once, unless it fails.
  public init(
    _ library: Library, time: TimeSource = .system,
    connect: @escaping @Sendable (Scan) async throws -> Connection
  ) {
    core = RepositoryCore(library: library, time: time, server: OpenConnection(connect))
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

/// Records of one kind that people write.
public protocol RecordRepository: Sendable {
  /// What the records are.
  associatedtype Record: LibraryRecord
  /// The records.
  var records: RecordStore<Record> { get }
  /// Where a read looks where nothing else is said.
  static var usualPolicy: CachePolicy { get }
}

extension RecordRepository {
  /// Heroes, stories and events lie here already; the server is asked where nothing does.
  public static var usualPolicy: CachePolicy { .cacheFirst }

  /// See ``RecordStore/fetchAll(policy:)``.
  public func fetchAll(policy: CachePolicy = Self.usualPolicy) async throws -> Cached<[Record]> {
    try await records.fetchAll(policy: policy)
  }

  /// See ``RecordStore/fetch(_:policy:)``.
  public func fetch(
    _ name: String, policy: CachePolicy = Self.usualPolicy
  ) async throws -> Cached<Record> {
    try await records.fetch(name, policy: policy)
  }

  /// See ``RecordStore/create(_:)``.
  public func create(_ record: Record) throws -> Record { try records.create(record) }

  /// See ``RecordStore/update(_:_:)``.
  @discardableResult
  public func update(_ name: String, _ change: (inout Record) throws -> Void) throws -> Record {
    try records.update(name, change)
  }

  /// See ``RecordStore/delete(_:)``.
  public func delete(_ name: String) throws { try records.delete(name) }
}

/// The heroes of a library.
public struct HeroRepository: RecordRepository {
  /// The records.
  public let records: RecordStore<Hero>
  let core: RepositoryCore

  init(_ core: RepositoryCore) {
    self.core = core
    records = RecordStore(core)
  }

  /// Has the server draw a hero. See ``Generation``.
  public func generateAvatar(
    _ name: String, prompt: String? = nil, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).avatar(
      RecordRef(kind: .heroes, name: name), prompt: prompt)
  }
}

/// The stories of a library.
public struct StoryRepository: RecordRepository {
  /// The records.
  public let records: RecordStore<Story>
  let core: RepositoryCore

  init(_ core: RepositoryCore) {
    self.core = core
    records = RecordStore(core)
  }

  /// Has the server write a story, which becomes a new record. See ``Generation``.
  public func generate(
    _ order: StoryWish, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).story(order)
  }

  /// Has the server read a story aloud. See ``Generation``.
  public func generateAudio(
    _ name: String, voice: String? = nil, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).audio(
      RecordRef(kind: .stories, name: name), voice: voice)
  }

  /// Has the server draw a story's scenes. See ``Generation``.
  public func generateIllustrations(
    _ name: String, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(core: core, options: options).illustrations(RecordRef(kind: .stories, name: name))
  }
}

/// The custom events of a library.
public struct CustomEventRepository: RecordRepository {
  /// The records.
  public let records: RecordStore<CustomEvent>

  init(_ core: RepositoryCore) { records = RecordStore(core) }
}

/// The pictures of stories: records that only the server makes.
public struct IllustrationRepository: Sendable {
  private let records: RecordStore<Illustration>

  init(_ core: RepositoryCore) {
    records = RecordStore(core) {
      let client = try await core.connection().client
      try await IllustrationPuller(library: core.library, client: client, time: core.time)
        .pull(stories: nil)
    }
  }

  /// All pictures, by story and order; see ``RecordStore/fetchAll(policy:)``.
  public func fetchAll(
    policy: CachePolicy = .cacheAndNetwork
  ) async throws -> Cached<[Illustration]> {
    try await records.fetchAll(policy: policy)
  }

  /// One picture by its name (`first-snow/01`); see ``RecordStore/fetch(_:policy:)``.
  public func fetch(
    _ name: String, policy: CachePolicy = .cacheAndNetwork
  ) async throws -> Cached<Illustration> {
    try await records.fetch(name, policy: policy)
  }
}

/// The account on the server.
public struct UserRepository: Sendable {
  private let core: RepositoryCore

  init(_ core: RepositoryCore) { self.core = core }

  /// Whose account it is.
  ///
  /// - Throws: as `APIClient.currentUser(policy:)`, and what keeps the server from being opened.
  public func profile(policy: CachePolicy = .networkFirst) async throws -> Cached<User> {
    try await core.connection().client.currentUser(policy: policy)
  }

  /// What is left of the server's work, in the server's order.
  ///
  /// - Throws: as ``profile(policy:)``.
  public func usage(policy: CachePolicy = .networkFirst) async throws -> Cached<[UsageLimit]> {
    try await core.connection().client.usage(policy: policy)
  }

  /// Changes the account's name, on the server and at once.
  ///
  /// - Throws: `APIError`.
  public func rename(to name: String) async throws -> User {
    try await core.connection().client.updateProfile(name: name)
  }
}
