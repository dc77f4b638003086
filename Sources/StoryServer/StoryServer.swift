import StoryLibrary
import Synchronization

/// The embedded backend: accounts, records and batches over HTTP/1.1, with its data in one folder.
///
/// A server opens its data when it is made, answers between ``start()`` and ``stop()``, and gives
/// the data folder back when it is stopped or let go. Every write is in the folder's log before it
/// is answered, and survives `kill -9` from then on; with ``Durability/flush`` a loss of power too.
///
/// It speaks plain HTTP and belongs on a loopback address or a network that is trusted.
public final class StoryServer: Sendable {
  private enum Phase {
    case ready
    case running(Listener, Illustrator?)
    case stopped
  }

  let core: ServerCore
  private let phase = Mutex(Phase.ready)

  /// Opens the data folder, making it where it is missing (mode 0700, files 0600).
  ///
  /// A last line of the log that was not written to its end is dropped; a log that is mostly out of
  /// date is compacted.
  ///
  /// - Throws: `StoryServerError.dataFolderInUse`, `.damagedLog` with the line,
  ///   `.unsupportedLogVersion`, or `.file` where the folder cannot be used.
  public init(options: ServerOptions) throws(StoryServerError) {
    let dialect = options.api.dialect
    var options = options
    options.features = dialect.features(options.features)
    let store = try Store(
      folder: options.dataPath, durability: options.durability, now: options.clock())
    let passwords = PasswordHasher(cost: options.passwordCost, random: options.random)
    let workshop = Workshop(store: store, options: options)
    let service = Service(
      store: store, options: options, dialect: dialect, passwords: passwords,
      names: ServerNames(options), workshop: workshop,
      mediaKey: SHA256.digest(IssuedSession.secret(options.random)))
    core = ServerCore(options: options, service: service)
  }

  deinit { stop() }

  // MARK: Life

  /// Binds the address and begins to answer.
  ///
  /// - Throws: `StoryServerError.cannotListen`; `.alreadyStarted`; `.stopped`.
  public func start() throws(StoryServerError) {
    try phase.withLock { (phase) throws(StoryServerError) in
      switch phase {
      case .ready:
        let listener = try Listener(core: core)
        let draws = core.options.generation.drawsIllustrations
        let illustrator = draws ? Illustrator(core: core) : nil
        illustrator?.start()
        phase = .running(listener, illustrator)
      case .running: throw .alreadyStarted
      case .stopped: throw .stopped
      }
    }
  }

  /// Ends the server: what engines are doing is cancelled, requests under way are answered, idle connections closed, threads ended, the
  /// data folder given back. Returns when all that is done; a second call does nothing.
  ///
  /// Requests that take longer than ``ServerLimits/graceMilliseconds`` are cut off.
  public func stop() {
    let running = phase.withLock { phase -> (Listener, Illustrator?)? in
      defer { phase = .stopped }
      if case .running(let listener, let illustrator) = phase { return (listener, illustrator) }
      return nil
    }
    hook?.serverStops()
    if let (listener, illustrator) = running {
      listener.stop()
      core.service.workshop.stopEngines()
      core.connections.stop(graceMilliseconds: core.options.limits.graceMilliseconds)
      illustrator?.stop()
    }
    store.close()
    core.service.workshop.media.discard()
  }

  var store: Store { core.service.store }

  /// What tests set around the handling of requests.
  package var hook: (any ServerHook)? {
    get { core.hook.withLock { $0 } }
    set { core.hook.withLock { $0 = newValue } }
  }

  /// Checks that the server has not begun to answer.
  func requireNotStarted() throws(StoryServerError) {
    try phase.withLock { (phase) throws(StoryServerError) in
      switch phase {
      case .ready: return
      case .running: throw .alreadyStarted
      case .stopped: throw .stopped
      }
    }
  }

  /// The port that the server listens on; the one asked for while it does not.
  public var port: Int {
    phase.withLock { phase in
      if case .running(let listener, _) = phase { listener.port } else { core.options.port }
    }
  }

  /// The server's origin, such as `http://127.0.0.1:8080`.
  public var url: String {
    let host = core.options.host
    return host.utf8.contains(UInt8(ascii: ":"))
      ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
  }
}

/// What the threads of a server share.
final class ServerCore: Sendable {
  let options: ServerOptions
  let service: Service
  let connections = ConnectionRegistry()
  let hook: Monitor<(any ServerHook)?>

  init(options: ServerOptions, service: Service) {
    self.options = options
    self.service = service
    hook = Monitor(options.hook)
  }
}
