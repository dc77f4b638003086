import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// A server other than the embedded one, with the sessions stored for it.
struct RemoteServer: Sendable {
  let address: ServerAddress
  private let setting: ServerSetting
  private let library: Library?
  private let settings: Settings
  private let context: Context

  /// Creates the server of a command that does not use records.
  ///
  /// - Throws: `CommandError.noServer`, `.embeddedHasNoAccounts`; `ServerAddress.Problem`.
  init(_ context: Context) throws {
    let library = try context.libraryIfAny()
    try self.init(context.serverSetting(library), of: library, context)
  }

  /// Returns the server of an account command, after allowing plain http for it if requested.
  static func forAccount(allowsPlainHTTP: Bool, _ context: Context) throws -> RemoteServer {
    let library = try context.libraryIfAny()
    let setting = try context.serverSetting(library)
    if allowsPlainHTTP { try context.allowPlainHTTP(setting.server.text) }
    return try context.advisingPlainHTTP { try RemoteServer(setting, of: library, context) }
  }

  /// Creates a server from a setting.
  init(_ setting: ServerSetting, of library: Library?, _ context: Context) throws {
    guard case .url(let url) = setting.server else { throw CommandError.embeddedHasNoAccounts }
    address = try context.serverAddress(url)
    settings = try context.settings()
    self.setting = setting
    self.library = library
    self.context = context
  }

  /// Returns a client without a session, which stores sessions in the user's configuration.
  ///
  /// A token from the environment takes precedence, but only for a server that the user named.
  /// - Parameter keepsSession: whether it must be possible to store a new session.
  /// - Throws: `CommandError.noConfigurationFolder` if a folder is needed and none is known.
  func client(keepsSession: Bool = false) throws -> APIClient {
    let kept = settings.tokenStore.store(context)
    if kept == nil, keepsSession { throw CommandError.noConfigurationFolder }
    var configuration = configuration
    configuration.tokenStore = EnvironmentTokenStore(
      environment: context.environment, namedServer: setting.isNamedByPerson ? address : nil,
      keepingIn: kept)
    configuration.cache = cache
    if let library { configuration.dialectMemory = library.dialectMemory(of: address.text) }
    return APIClient(server: address, transport: settings.transport, configuration: configuration)
  }

  /// The option that names the server in a command for it, with a space before it; empty if the
  /// library names it.
  var option: String {
    library == nil && context.global.server == nil
      ? " --server \(ShellWord.quoting(address.text))" : ""
  }

  /// Returns the password that git's credential helpers have for an account, or `nil` if sessions are
  /// not stored with them. The helpers do not ask the user.
  ///
  /// - Throws: `TokenStoreError` if git cannot be asked.
  func keptPassword(of name: String) async throws(TokenStoreError) -> Secret? {
    guard settings.tokenStore == .git else { return nil }
    return try await GitCredentialStore(environment: context.childEnvironment, user: name)
      .password(for: address).map { Secret($0) }
  }

  private var configuration: ClientConfiguration {
    settings.clientConfiguration(library?.configuration.api.dialect, context)
  }

  /// The cached answers in the library's state, or `nil` outside a library.
  private var cache: ResponseCache? {
    guard let library, (try? library.prepareStateFolder()) != nil else { return nil }
    return ResponseCache(folder: library.statePath("cache"))
  }

  /// Returns a client with the stored session for this server.
  ///
  /// - Throws: `APIError.unauthorized` without a session; `CommandError.unknownLibrary` if only
  ///   the library names the server, see ``confirm(_:)``. Nothing is sent in that case.
  func signedInClient() async throws -> (APIClient, Session) {
    let client = try client()
    guard let session = try await client.restoreSession() else {
      // The user signed out elsewhere, which did not remove this library's answers.
      await client.configuration.cache?.removeAll(origin: address.origin)
      throw APIError.unauthorized(.notSignedIn)
    }
    if !setting.isNamedByPerson { try confirm(session) }
    return (client, session)
  }

  /// Returns whether the server answers a request without a token within a few seconds.
  func isReachable() async -> Bool {
    var configuration = configuration
    configuration.timeout = min(configuration.timeout, .seconds(5))
    configuration.runTime = nil
    let client = APIClient(
      server: address, transport: settings.transport, configuration: configuration)
    return await client.isReachable()
  }

  /// Confirms that this user wants their session to be used for the command's library, before anything
  /// is sent with it. A token from the environment needs no confirmation, as it is for this server.
  private func confirm(_ session: Session) throws {
    guard let library, session.isRenewable else { return }
    try context.confirm(library.root, with: address, as: name(of: session))
  }

  /// Returns the error for ending a session whose server only an unknown library names, or `nil` if it
  /// may be ended.
  func refusalToEnd(_ session: Session) -> CommandError? {
    guard let library, session.isRenewable, !setting.isNamedByPerson,
      !context.isTrusted(library.root, with: address)
    else { return nil }
    return .unknownLibrary(root: library.root, server: address.text, account: name(of: session))
  }

  private func name(of session: Session) -> String {
    session.user == nil ? "the account that is signed in" : account(session.user).name
  }

  /// Returns a connection for the library's records.
  ///
  /// - Throws: `APIError`, `unauthorized` if nobody is signed in; `CommandError.unknownLibrary`.
  func connection() async throws -> Connection {
    let (client, session) = try await signedInClient()
    if setting.isNamedByPerson { try confirm(session) }
    let user = try await user(of: session, client)
    return Connection(client: client, identity: .init(server: address.text, account: user.id))
  }

  /// Returns the user of a session. The server is asked if the session does not say.
  ///
  /// - Throws: `APIError`.
  func user(of session: Session, _ client: APIClient) async throws -> User {
    if let user = session.user { return user }
    return try await client.currentUser()
  }

  func account(_ user: User?) -> AccountText { AccountText(server: address.text, user: user) }

  /// Records that a user who signs in from within a library wants to sync it with this server.
  func trustLibrary() {
    if let library { context.trust(library.root, with: address) }
  }

  func tell(_ what: String, _ user: User, _ context: Context) {
    let account = account(user)
    context.tell(account) { context.output.line("\(what) to \(account.server) as \(account.name)") }
  }
}

extension Library {
  /// The dialect that a server was found to speak, for `"api": "auto"`: `.stories/api.json`,
  /// `{"version":1,"server":"https://…","api":"v1"}`.
  ///
  /// If the file is missing, cannot be read or is for another server, the dialects are tried in turn.
  /// In a read-only library, nothing is stored and the server is asked each time.
  func dialectMemory(of server: String) -> DialectMemory {
    let path = statePath("api.json")
    return DialectMemory {
      guard let bytes = try? FileSystem.read(path), let value = try? JSONValue(parsing: bytes),
        value["version"]?.integer == 1, value["server"]?.string == server
      else { return nil }
      return value["api"]?.string.flatMap(Dialect.init(rawValue:))
    } keep: { dialect in
      let value: JSONValue = [
        "version": 1, "server": .string(server), "api": .string(dialect.rawValue),
      ]
      guard (try? prepareStateFolder()) != nil else { return }
      _ = try? AtomicFile.writePrivate(value.fileBytes(), to: path)
    }
  }
}
