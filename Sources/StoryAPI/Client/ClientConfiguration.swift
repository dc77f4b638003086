/// What an ``APIClient`` goes by.
public struct ClientConfiguration: Sendable {
  /// The dialect; `nil` asks the server which one it speaks, once.
  public var dialect: Dialect?
  /// What is remembered of a server whose dialect is left open, from one run to the next; `nil` for
  /// nothing.
  public var dialectMemory: DialectMemory?
  /// The program's version, for the `User-Agent` header.
  public var programVersion: String
  /// How long a server may stay silent.
  public var timeout = Duration.seconds(15)
  /// How long a whole answer may take.
  public var answerTime = Duration.seconds(300)
  /// How long the server may stay silent over work that takes a server long, such as writing a story.
  public var generationTimeout = Duration.seconds(180)
  /// How long the client may be at work in all; `nil` for as long as it takes.
  public var runTime: Duration?
  /// How many requests are under way at most.
  public var maximumRequests = 6
  /// How many requests are sent at most in a period; `nil` for no limit.
  public var rateLimit: RateLimit?
  /// How often and when a request that failed is sent again.
  public var retryPolicy = RetryPolicy()
  /// Where sessions are kept; `nil` keeps them in memory alone.
  public var tokenStore: (any TokenStore)?
  /// Where answers are kept for when the server cannot be reached; `nil` keeps none.
  public var cache: ResponseCache?
  /// Whether reports hold the bodies, redacted.
  public var logsBodies = false
  /// Told what happens, from whatever thread it happens on; it must return at once.
  public var observe: (@Sendable (RequestEvent) -> Void)?
  /// The clocks.
  public var time: TimeSource
  /// Numbers from 0 up to but without 1, for the waits between tries.
  public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// The usual: the embedded server's dialect, the limits that stand at each property.
  public init(
    dialect: Dialect? = .v0, programVersion: String = "1.0.0", time: TimeSource = .system
  ) {
    self.dialect = dialect
    self.programVersion = programVersion
    self.time = time
  }
}

extension APIClient {
  /// What a client goes by.
  public typealias Configuration = ClientConfiguration
}
