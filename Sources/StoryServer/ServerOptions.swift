import StoryLibrary

/// How a server is set up.
public struct ServerOptions: Sendable {
  /// The folder for the server's data; `nil` keeps everything for the life of the server only.
  public var dataFolder: String?
  /// A folder above ``dataFolder`` that belongs to somebody else than who runs the server, such as a
  /// library: no folder from there to the data may be a symbolic link. `nil` lets links be followed on
  /// the way to the data; in it none ever is.
  public var dataFolderRoot: String?
  /// The address to listen on, as a name or in numbers.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 takes a free one.
  public var port = 0
  /// Further origins under which the server is reached, such as that of a proxy in front of it:
  /// `https://stories.example`, without a path. Any other text matches no origin.
  ///
  /// A request whose `Host` is neither of this machine, nor ``host`` or the address that it came to,
  /// nor the host of one of these, is answered 421. Where there is one, a proxy on this machine is
  /// believed what it adds to `X-Forwarded-For`.
  public var publicURLs: [String] = []
  /// Whether new accounts can be made over HTTP.
  public var isSignUpOpen = true
  /// What a new account has to send as `inviteCode`; `nil` lets everybody make one.
  public var inviteCode: String?
  /// The form of the contract that is spoken.
  public var api = ServerAPI.v0
  /// What the server can do, as far as the form of the contract has it.
  public var features: Set<ServerFeature> = Set(ServerFeature.allCases)
  /// Whether an `Idempotency-Key` belongs to the whole request that it came in, so that the same write
  /// in another batch, or alone, is answered 422. For tests of clients; the contract is milder.
  package var bindsKeysToRequests = false
  /// When a change counts as stored.
  public var durability = Durability.flush
  /// How long a session lasts, in milliseconds; 30 days.
  public var sessionLifetime: Int64 = 30 * 86_400_000
  /// How long the URL of a file holds where URLs are signed, in milliseconds; one hour.
  public var mediaLifetime: Int64 = 3_600_000
  /// The bounds on what clients may do.
  public var limits = ServerLimits()
  /// How stories, pictures and narrations are made.
  public var generation = GenerationOptions()
  /// What `health` tells as the server's version.
  public var version = "1"
  /// What tests set around the handling of requests.
  package var hook: (any ServerHook)?
  /// The work that a password hash takes, as `crypt_gensalt` counts it; 0 is the system's default.
  public var passwordCost: UInt = 0
  /// The server's clock, in milliseconds since the start of 1970, UTC.
  public var clock: @Sendable () -> Int64
  /// Random bits for ids, tokens and salts; the system's generator unless a test needs another.
  public var random: @Sendable () -> UInt64

  var dataPath: ConfinedPath? {
    guard let dataFolder else { return nil }
    guard let root = dataFolderRoot, dataFolder.hasPrefix(root + "/") else {
      return ConfinedPath(root: dataFolder, "")
    }
    return ConfinedPath(root: root, String(dataFolder.dropFirst(root.count + 1)))
  }

  /// The defaults, with the data in a folder or, for `nil`, nowhere.
  public init(dataFolder: String? = nil) {
    self.dataFolder = dataFolder
    clock = { Platform.now() }
    random = {
      var generator = SystemRandomNumberGenerator()
      return generator.next()
    }
  }
}

/// The bounds on what clients may do.
public struct ServerLimits: Sendable {
  /// The most connections at a time. For one more, the oldest one is closed that no session was
  /// used on and that is not being answered, else the one of a session that has been idle for
  /// longest; without such a one, the new connection is answered 503.
  public var connections = 64
  /// The most connections of one IPv4 address, or of one /64 network of IPv6 addresses; one more
  /// takes the place of another one of them in the same way.
  public var addressConnections = 32
  /// The most bytes of a request line and header fields.
  public var headBytes = 32 << 10
  /// The most bytes of a request body.
  public var bodyBytes = 8 << 20
  /// The same for a request whose head does not carry the token of a session.
  public var anonymousBodyBytes = 64 << 10
  /// How long a connection may be silent, in milliseconds.
  public var idleMilliseconds = 30_000
  /// How long a request line and header fields may take from their first byte on, in milliseconds;
  /// without a session the body too.
  public var headMilliseconds = 10_000
  /// How long a body may take where there is a session, in milliseconds.
  public var bodyMilliseconds = 120_000
  /// How long ``StoryServer/stop()`` lets requests under way go on, in milliseconds.
  public var graceMilliseconds = 10_000

  /// The defaults.
  public init() {}
}

/// The forms of the contract that a server can speak; it speaks one at a time.
///
/// The data is the same in both: a folder may be served in one and later in the other.
public enum ServerAPI: String, Sendable, CaseIterable {
  /// The form of this project's own clients, with all of ``ServerFeature``.
  case v0
  /// The form of the InfiniteStories service as it is deployed: no preconditions, no keys, no
  /// tombstones, pages by offset.
  case v1

  var dialect: any Dialect {
    switch self {
    case .v0: DialectV0()
    case .v1: DialectV1()
    }
  }
}

/// What a server can do beyond plain reads and writes; `health` lists it.
///
/// Each can be switched off by itself, to try a client against servers that give less.
public enum ServerFeature: String, Sendable, CaseIterable {
  /// `ETag`, `If-Match`, `If-None-Match`, and `ifMatch` in batches.
  case etag
  /// `Idempotency-Key` on writes, remembered for 7 days.
  case idempotency
  /// `POST /api/batch`.
  case batch
  /// `includeDeleted=true` in lists.
  case tombstones
  /// `cursor` and `next` in lists.
  case cursor
}
