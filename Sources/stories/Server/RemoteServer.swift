import StoryAPI
import StoryLibrary
import StorySync

/// A server beyond this program, with the sessions that are kept for it.
struct RemoteServer: Sendable {
  /// Where it is.
  let address: ServerAddress
  private let setting: ServerSetting
  private let api: LibraryConfiguration.API
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
    try self.init(
      context.serverSetting(library), api: library?.configuration.api ?? .auto, context)
  }

  /// A server that is named.
  ///
  /// - Throws: as ``init(_:)``.
  init(_ setting: ServerSetting, api: LibraryConfiguration.API, _ context: Context) throws {
    guard case .url(let url) = setting.server else { throw CommandError.embeddedHasNoAccounts }
    address = try context.serverAddress(url)
    self.setting = setting
    self.api = api
    self.context = context
  }

  /// A client that keeps its sessions in the person's own configuration. It has none yet.
  ///
  /// A token from the environment goes first, but only to a server that the person named.
  /// - Parameter keepsSession: whether there must be a place to keep a new session in.
  /// - Throws: `CommandError.noConfigurationFolder` where there is none, and one is needed.
  func client(keepsSession: Bool = false) throws -> APIClient {
    var store: any TokenStore = EnvironmentTokenStore(
      environment: context.environment, namedServer: setting.isNamedByPerson ? address : nil)
    if let folder = ConfigurationFolder.path(environment: context.environment) {
      store = LayeredTokenStore([store], keepingIn: FileTokenStore(folder: folder))
    } else if keepsSession {
      throw CommandError.noConfigurationFolder
    }
    var configuration = ServerAccess.configuration(api)
    configuration.tokenStore = store
    configuration.logsBodies = context.global.verbosity > 1
    configuration.observe = { [context] in RequestNotes(context: context).tell($0) }
    return APIClient(server: address, configuration: configuration)
  }

  /// A client with the session that is kept for this server.
  ///
  /// - Throws: `APIError.unauthorized` where there is none; nothing is sent then.
  func signedInClient() async throws -> (APIClient, Session) {
    let client = try client()
    guard let session = try await client.restoreSession() else {
      throw APIError.unauthorized(.notSignedIn)
    }
    return (client, session)
  }

  /// A connection for a sync.
  ///
  /// - Throws: `APIError`, `unauthorized` where nobody is signed in.
  func connection() async throws -> Connection {
    let (client, session) = try await signedInClient()
    let user = try await user(of: session, client)
    return Connection(
      client: client, identity: .init(server: address.origin, account: user.id))
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

  /// Tells that somebody is signed in now.
  func tell(_ what: String, _ user: User, _ context: Context) {
    let account = account(user)
    if context.isJSON {
      context.output.json(account.json)
    } else {
      context.output.line("\(what) to \(account.server) as \(account.name)")
    }
  }
}
