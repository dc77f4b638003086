import StoryAPI
import StoryLibrary
import StorySync

/// A server beyond this program, with the sessions that are kept for it.
struct RemoteServer: Sendable {
  /// Its address.
  let address: ServerAddress
  private let setting: ServerSetting
  /// The library that the command works in; `nil` for a server that is named outside of one.
  private let library: Library?
  private let settings: Settings
  private let context: Context

  /// The server that a command without a library's records works with.
  ///
  /// - Throws: `CommandError.noServer`, `.embeddedHasNoAccounts`; `ServerAddress.Problem`.
  init(_ context: Context) throws {
    let library: Library?
    do {
      library = try context.library()
    } catch LibraryError.notFound {
      library = nil
    }
    try self.init(context.serverSetting(library), of: library, context)
  }

  /// The server that an account command works with, for which it may allow plain http first.
  ///
  /// - Throws: as ``init(_:)``; as `Context.allowPlainHTTP(_:isDryRun:)`.
  static func forAccount(allowsPlainHTTP: Bool, _ context: Context) throws -> RemoteServer {
    let library: Library?
    do { library = try context.library() } catch LibraryError.notFound { library = nil }
    let setting = try context.serverSetting(library)
    if allowsPlainHTTP { try context.allowPlainHTTP(setting.server.text) }
    return try context.advisingPlainHTTP {
      try RemoteServer(setting, of: library, context)
    }
  }

  /// A server that is named.
  ///
  /// - Throws: as ``init(_:)``.
  init(_ setting: ServerSetting, of library: Library?, _ context: Context) throws {
    guard case .url(let url) = setting.server else { throw CommandError.embeddedHasNoAccounts }
    address = try context.serverAddress(url)
    settings = try context.settings()
    self.setting = setting
    self.library = library
    self.context = context
  }

  /// A client that keeps its sessions in the person's own configuration. It has none yet.
  ///
  /// A token from the environment goes first, but only to a server that the person named.
  /// - Parameter keepsSession: whether there must be a place to keep a new session in.
  /// - Throws: `CommandError.noConfigurationFolder` if a folder is needed and none is known.
  func client(keepsSession: Bool = false) throws -> APIClient {
    var store: any TokenStore = EnvironmentTokenStore(
      environment: context.environment, namedServer: setting.isNamedByPerson ? address : nil)
    if let kept = keptSessions {
      store = LayeredTokenStore([store], keepingIn: kept)
    } else if keepsSession {
      throw CommandError.noConfigurationFolder
    }
    var configuration = settings.clientConfiguration(
      library?.configuration.api.dialect, context)
    configuration.tokenStore = store
    configuration.cache = cache
    if let library {
      configuration.dialectMemory = KnownDialect(library: library, server: address.text).memory
    }
    return APIClient(
      server: address, transport: settings.transport, configuration: configuration)
  }

  /// The option that names the server in a command for it, with a space before it; empty if the
  /// library names it.
  var option: String {
    library == nil && context.global.server == nil
      ? " --server \(ShellWord.quoting(address.text))" : ""
  }

  /// Where sessions are kept between runs; `nil` where there is no place for the file.
  private var keptSessions: (any TokenStore)? {
    switch settings.tokenStore {
    case .file: context.configurationFolder.map { FileTokenStore(folder: $0) }
    case .git: GitCredentialStore(environment: context.childEnvironment)
    #if canImport(Security)
      case .keychain: KeychainTokenStore()
    #endif
    }
  }

  /// The password that git's credential helpers have for an account, if sessions are kept with them; they
  /// never ask anybody for it.
  ///
  /// - Throws: `APIError.tokenStore` if git cannot be asked.
  func keptPassword(of name: String) async throws(APIError) -> Secret? {
    guard settings.tokenStore == .git else { return nil }
    do throws(TokenStoreError) {
      return try await GitCredentialStore(environment: context.childEnvironment, user: name)
        .password(for: address).map { Secret($0) }
    } catch {
      throw .tokenStore(error)
    }
  }

  /// Where answers are kept for when the server cannot be reached: in the library's own state, and
  /// nowhere outside of a library.
  private var cache: ResponseCache? {
    guard let library, (try? library.prepareStateFolder()) != nil else { return nil }
    return ResponseCache(folder: library.statePath("cache"))
  }

  /// A client with the session that is kept for this server.
  ///
  /// - Throws: `APIError.unauthorized` without a session; `CommandError.unknownLibrary` if nobody but
  ///   the library names the server, see ``confirm(_:)``. Nothing is sent then.
  func signedInClient() async throws -> (APIClient, Session) {
    let client = try client()
    guard let session = try await client.restoreSession() else {
      // Somebody signed out elsewhere, where this library's answers were not at hand.
      await client.configuration.cache?.removeAll(origin: address.origin)
      throw APIError.unauthorized(.notSignedIn)
    }
    if !setting.isNamedByPerson { try confirm(session) }
    return (client, session)
  }

  /// Whether the server answers: one request without a token, which waits a few seconds at most.
  func isReachable() async -> Bool {
    var configuration = settings.clientConfiguration(
      library?.configuration.api.dialect, context)
    configuration.timeout = min(configuration.timeout, .seconds(5))
    configuration.runTime = nil
    let client = APIClient(
      server: address, transport: settings.transport, configuration: configuration)
    return await client.isReachable()
  }

  /// Makes sure that this user wants their session to be used for the library that the command works
  /// in; nothing is sent with it before. A token from the environment is their word for this very
  /// server.
  ///
  /// - Throws: as ``Context/confirm(_:with:as:)``.
  private func confirm(_ session: Session) throws {
    guard let library, session.isRenewable else { return }
    try context.confirm(library.root, with: address, as: name(of: session))
  }

  /// Why a session is not ended that only somebody else's library names the server of; `nil` if there is
  /// no reason.
  func refusalToEnd(_ session: Session) -> CommandError? {
    guard let library, session.isRenewable, !setting.isNamedByPerson,
      !context.isTrusted(library.root, with: address)
    else { return nil }
    return .unknownLibrary(
      root: library.root, server: address.text, account: name(of: session))
  }

  private func name(of session: Session) -> String {
    session.user == nil ? "the account that is signed in" : account(session.user).name
  }

  /// A connection for what the library holds.
  /// - Throws: `APIError`, `unauthorized` if nobody is signed in; `CommandError.unknownLibrary`.
  func connection() async throws -> Connection {
    let (client, session) = try await signedInClient()
    if setting.isNamedByPerson { try confirm(session) }
    let user = try await user(of: session, client)
    return Connection(
      client: client, identity: .init(server: address.text, account: user.id))
  }

  /// Whose session it is; the server is asked where the session does not say.
  ///
  /// - Throws: `APIError`.
  func user(of session: Session, _ client: APIClient) async throws -> User {
    if let user = session.user { return user }
    return try await client.currentUser()
  }

  /// An account on this server, for telling of it.
  func account(_ user: User?) -> AccountText { AccountText(server: address.text, user: user) }

  /// Notes that somebody who signs in within a library means it to be synced with this server.
  func trustLibrary() {
    if let library { context.trust(library.root, with: address) }
  }

  /// Tells that somebody is signed in now.
  func tell(_ what: String, _ user: User, _ context: Context) {
    let account = account(user)
    context.tell(account) {
      context.output.line("\(what) to \(account.server) as \(account.name)")
    }
  }
}
