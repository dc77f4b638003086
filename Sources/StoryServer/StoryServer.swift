import StoryLibrary
import Synchronization

/// The embedded server: accounts, records and batches over HTTP/1.1, with its data in one folder.
///
/// A server opens its data when it is created, answers requests between ``start()`` and ``stop()``,
/// and unlocks the data folder when it is stopped or deinitialized. Every write is in the folder's
/// log before it is acknowledged. From then on it survives `kill -9` and, with
/// ``Durability/flush``, a power failure.
///
/// The server speaks plain HTTP. Use it on a loopback address or a trusted network.
public final class StoryServer: Sendable {
  private enum Phase {
    case ready
    case running(Illustrator?)
    case stopped

    func requireReady() throws(StoryServerError) {
      switch self {
      case .ready: return
      case .running: throw .alreadyStarted
      case .stopped: throw .stopped
      }
    }
  }

  let service: Service
  let http: HTTPServer
  private let phase = Mutex(Phase.ready)

  /// Opens the data folder, creating it if needed (mode 0700, files 0600).
  ///
  /// Drops an incomplete last line of the log, and compacts a log that is mostly out of date.
  ///
  /// - Parameter options: The configuration.
  /// - Throws: `StoryServerError.dataFolderInUse`, `.damagedLog` with the line,
  ///   `.unsupportedLogVersion`, or `.file` if the folder cannot be used.
  public init(options: ServerOptions) throws(StoryServerError) {
    var options = options
    options.features = options.api.features(options.features)
    let store = try Store(
      folder: options.dataPath, durability: options.durability, now: options.clock())
    let passwords = PasswordHasher(cost: options.passwordCost, random: options.random)
    let workshop = Workshop(store: store, options: options)
    service = Service(
      store: store, options: options, passwords: passwords,
      names: ServerNames(options), workshop: workshop,
      mediaKey: SHA256.digest(RandomKey.make(words: 4, random: options.random)),
      hook: Monitor(options.hook))
    http = HTTPServer(
      host: options.host, port: options.port, limits: options.limits, clock: options.clock,
      handler: service)
  }

  deinit { stop() }

  // MARK: Life

  /// Binds the address and begins to answer requests.
  ///
  /// - Throws: `StoryServerError.cannotListen`, `.alreadyStarted`, or `.stopped`.
  public func start() throws(StoryServerError) {
    try phase.withLock { (phase) throws(StoryServerError) in
      try phase.requireReady()
      try http.start()
      let draws = service.options.generation.drawsIllustrations
      let illustrator = draws ? Illustrator(service: service) : nil
      illustrator?.start()
      phase = .running(illustrator)
    }
  }

  /// Stops the server: cancels running engines, answers running requests, closes idle connections,
  /// ends the threads and unlocks the data folder. Returns when all of this is done. Further calls
  /// do nothing.
  ///
  /// Requests that take longer than ``ServerLimits/graceMilliseconds`` are cut off.
  public func stop() {
    let illustrator = phase.withLock { phase -> Illustrator? in
      defer { phase = .stopped }
      if case .running(let illustrator) = phase { return illustrator }
      return nil
    }
    hook?.serverStops()
    http.stop { service.workshop.stopEngines() }
    illustrator?.stop()
    store.close()
    service.workshop.media.discard()
  }

  var store: Store { service.store }

  /// A hook for tests.
  package var hook: (any ServerHook)? {
    get { service.hook.withLock { $0 } }
    set { service.hook.withLock { $0 = newValue } }
  }

  /// Answers a request without a connection and without the hook. For tests.
  package func answer(_ request: ServerRequest) -> ServerResponse { service.response(to: request) }

  func requireNotStarted() throws(StoryServerError) {
    try phase.withLock { (phase) throws(StoryServerError) in try phase.requireReady() }
  }

  /// The port that the server listens on or, if it is not running, the configured one.
  public var port: Int { http.port }

  /// The server's origin, such as `http://127.0.0.1:8080`.
  public var url: String { http.url }
}
