/// The configuration of an ``APIClient``.
public struct ClientConfiguration: Sendable {
  /// The dialect, or `nil` to ask the server once.
  public var dialect: Dialect?
  /// The memory of a server's dialect between runs if the dialect is left open, or `nil` for none.
  public var dialectMemory: DialectMemory?
  /// The program's version, for the `User-Agent` header.
  public var programVersion: String
  /// The maximum silence of a server.
  public var timeout = Duration.seconds(15)
  /// The maximum silence during slow work, such as writing a story.
  public var generationTimeout = Duration.seconds(180)
  /// The maximum time of the whole run, or `nil` for no limit.
  public var runTime: Duration?
  /// The maximum number of concurrent requests.
  public var maximumRequests = 6
  /// The maximum rate of requests, or `nil` for no limit.
  public var rateLimit: RateLimit?
  /// The schedule for repeating failed requests.
  public var retryPolicy = RetryPolicy()
  /// The store for sessions, or `nil` to keep them only in memory.
  public var tokenStore: (any TokenStore)?
  /// The cache for responses when the server cannot be reached, or `nil` for none.
  public var cache: ResponseCache?
  /// Whether reports contain the redacted bodies.
  public var logsBodies = false
  /// An observer, which is called on any thread and must return quickly.
  public var observe: (@Sendable (RequestEvent) -> Void)?
  /// The clocks.
  public var time: TimeSource
  /// Returns a number from 0 up to but not including 1, for the waits between attempts.
  public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// Creates a configuration with the defaults: the embedded server's dialect and the limits above.
  public init(
    dialect: Dialect? = .v0, programVersion: String = "1.0.0", time: TimeSource = .system
  ) {
    self.dialect = dialect
    self.programVersion = programVersion
    self.time = time
  }
}
