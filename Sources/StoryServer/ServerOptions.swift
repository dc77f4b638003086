/// How a server is set up.
public struct ServerOptions: Sendable {
  /// The folder for the server's data; `nil` keeps everything for the life of the server only.
  public var dataFolder: String?
  /// The address to listen on, as a name or in numbers.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 takes a free one.
  public var port = 0
  /// Whether new accounts can be made over HTTP.
  public var isSignUpOpen = true
  /// The form of the contract that is spoken.
  public var api = ServerAPI.v0
  /// What the server can do, as far as the form of the contract has it.
  public var features: Set<ServerFeature> = Set(ServerFeature.allCases)
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
  /// How many requests the request log keeps; 0 keeps none.
  public var requestLogSize = 0
  /// The work that a password hash takes, as `crypt_gensalt` counts it; 0 is the system's default.
  public var passwordCost: UInt = 0
  /// The server's clock, in milliseconds since the start of 1970, UTC.
  public var clock: @Sendable () -> Int64
  /// Random bits for ids, tokens and salts; the system's generator unless a test needs another.
  public var random: @Sendable () -> UInt64

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
  /// The most connections at a time; one more is answered 503 and closed.
  public var connections = 64
  /// The most bytes of a request line and header fields.
  public var headBytes = 32 << 10
  /// The most bytes of a request body.
  public var bodyBytes = 8 << 20
  /// How long a connection may be silent, in milliseconds; also the time for a whole head.
  public var idleMilliseconds = 30_000
  /// How long ``StoryServer/stop()`` lets requests under way go on, in milliseconds.
  public var graceMilliseconds = 10_000

  /// The defaults.
  public init() {}
}
