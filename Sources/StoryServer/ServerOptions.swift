import StoryLibrary

/// The configuration of a server.
public struct ServerOptions: Sendable {
  /// The folder for the server's data, or `nil` to discard all data when the server ends.
  public var dataFolder: String?
  /// A folder above ``dataFolder`` that other people can change, such as a library. No folder
  /// between it and the data may be a symbolic link. With `nil`, links on the path to the data are
  /// followed. Links inside the data folder never are.
  public var dataFolderRoot: String?
  /// The address to listen on, as a host name or in numbers.
  public var host = "127.0.0.1"
  /// The port to listen on, or 0 for any free port.
  public var port = 0
  /// Additional origins of the server, such as that of a proxy in front of it:
  /// `https://stories.example`, without a path. Other texts match no origin.
  ///
  /// A request is answered with 421 unless its `Host` is this machine, ``host``, the address that
  /// it arrived at, or the host of one of these. If there are any, the server trusts the last
  /// element of `X-Forwarded-For` from a proxy on this machine.
  public var publicURLs: [String] = []
  /// Whether accounts can be created over HTTP.
  public var isSignUpOpen = true
  /// The `inviteCode` needed to create an account, or `nil` if none is needed.
  public var inviteCode: String?
  /// The dialect of the contract.
  public var api = ServerAPI.v0
  /// The server's features. Those that the dialect does not have are ignored.
  public var features: Set<ServerFeature> = Set(ServerFeature.allCases)
  /// Whether an `Idempotency-Key` covers the whole request, so that the same write in another
  /// batch, or on its own, is answered with 422. For tests of clients: the contract is less strict.
  package var bindsKeysToRequests = false
  /// The point at which a change counts as stored.
  public var durability = Durability.flush
  /// The lifetime of a session in milliseconds. The default is 30 days.
  public var sessionLifetime: Int64 = 30 * 86_400_000
  /// The lifetime of a signed media URL in milliseconds. The default is one hour.
  public var mediaLifetime: Int64 = 3_600_000
  /// Limits on clients.
  public var limits = ServerLimits()
  /// Options for making stories, illustrations and narrations.
  public var generation = GenerationOptions()
  /// The version that `health` reports.
  public var version = "1"
  /// A hook for tests.
  package var hook: (any ServerHook)?
  /// The cost of a password hash, as defined by `crypt_gensalt`. 0 selects the system's default.
  public var passwordCost: UInt = 0
  /// The server's clock, in milliseconds since 1970 in UTC.
  public var clock: @Sendable () -> Int64
  /// A source of random bits for ids, tokens and salts. The default is the system's generator.
  public var random: @Sendable () -> UInt64

  var dataPath: ConfinedPath? {
    guard let dataFolder else { return nil }
    guard let root = dataFolderRoot, dataFolder.hasPrefix(root + "/") else {
      return ConfinedPath(root: dataFolder, "")
    }
    return ConfinedPath(root: root, String(dataFolder.dropFirst(root.count + 1)))
  }

  /// Creates the default options, with data in a folder or, for `nil`, only in memory and temporary
  /// files.
  public init(dataFolder: String? = nil) {
    self.dataFolder = dataFolder
    clock = { Platform.now() }
    random = {
      var generator = SystemRandomNumberGenerator()
      return generator.next()
    }
  }
}

/// The point at which a change counts as stored.
public enum Durability: Sendable {
  /// After a flush (`fdatasync`): the change survives a power failure.
  case flush
  /// After the write: the change survives the end of the process, including `kill -9`.
  case write
}

/// Limits on clients.
public struct ServerLimits: Sendable {
  /// The maximum number of connections. To make room for another one, the server closes the oldest
  /// connection that has not used a session and is not being answered, or else the longest idle one
  /// with a session. If it can close neither, it answers the new connection with 503.
  public var connections = 64
  /// The maximum number of connections from one IPv4 address or one /64 network of IPv6 addresses.
  /// Another one takes the place of one of them in the same way.
  public var addressConnections = 32
  /// The maximum number of bytes of a request line and header fields.
  public var headBytes = 32 << 10
  /// The maximum number of bytes of a request body.
  public var bodyBytes = 8 << 20
  /// The maximum number of bytes of a request body without a session's token in its head.
  public var anonymousBodyBytes = 64 << 10
  /// The time a connection may be silent, and the time that each 64 KiB of an answer may take, in
  /// milliseconds; it has to be positive.
  public var idleMilliseconds = 30_000
  /// The time that a request line and header fields may take after their first byte, in
  /// milliseconds. Without a session, this includes the body.
  public var headMilliseconds = 10_000
  /// The time that a body may take in a request with a session, in milliseconds.
  public var bodyMilliseconds = 120_000
  /// The time that ``StoryServer/stop()`` gives running requests to finish, in milliseconds.
  public var graceMilliseconds = 10_000

  /// Creates the default limits.
  public init() {}
}

/// A dialect of the contract. A server speaks one at a time.
///
/// The data is the same in both, so a folder can be served in one dialect and later in the other.
public enum ServerAPI: String, Sendable, CaseIterable {
  /// The dialect of this project's own clients, with all of ``ServerFeature``.
  case v0
  /// The dialect of the deployed InfiniteStories service: no preconditions, no idempotency keys, no
  /// tombstones, and pages by offset.
  case v1
}

/// A feature beyond plain reads and writes. `health` lists them.
///
/// Each can be switched off, to test a client against a server with fewer guarantees.
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
