final class ConnectionRegistry: Sendable {
  private struct Entry: Sendable {
    var socket: Socket
    var thread: ServerThread?
    /// The peer's network, for ``ServerLimits/addressConnections``.
    var network: String
    /// The connection's position in the order of arrival or, with a session, of becoming idle.
    var turn: Int
    /// Whether the connection is waiting for its next request.
    var isIdle = true
    /// The time when its thread first looked for a request, in milliseconds of the monotonic clock.
    var began: Int64?
    var isAnswering = false
    var isKnown = false
    /// Whether it was closed to make room and its thread has not noticed yet.
    var isClosed = false
    /// Whether there was no room for it. Its thread answers its first request with that.
    var isRefused = false
  }

  /// The minimum time that a connection without a session stays open, in milliseconds, so that a
  /// request on its way arrives no matter how many other connections come.
  private static let tenure: Int64 = 30
  /// The maximum number of connections that are being refused. Further ones are closed at once.
  private static let mostRefused = 256

  private enum Room {
    case free
    /// There will be room in this many milliseconds.
    case later(Int64)
    case none
  }

  private struct State: Sendable {
    var nextTurn = 0
    var open: [Int: Entry] = [:]
    var finished: [ServerThread] = []
    var isStopping = false

    mutating func takeTurn() -> Int {
      defer { nextTurn += 1 }
      return nextTurn
    }

    /// Makes room for a connection by closing the oldest one without a session, or else the longest
    /// idle one with a session.
    mutating func makeRoom(for network: String, _ limits: ServerLimits) -> Room {
      let taken = open.filter { !$0.value.isRefused }
      // A closed connection briefly keeps its thread.
      guard taken.count < 2 * limits.connections else { return .later(1) }
      let all = taken.filter { !$0.value.isClosed }
      let own = all.filter { $0.value.network == network }
      let isShareUsed = own.count >= limits.addressConnections
      guard isShareUsed || all.count >= limits.connections else { return .free }
      let some = (isShareUsed ? own : all).filter { !$0.value.isAnswering }
      let strangers = some.filter { !$0.value.isKnown }
      if let oldest = strangers.min(by: { $0.value.turn < $1.value.turn }) {
        guard let began = oldest.value.began else { return .later(1) }
        let left = began + ConnectionRegistry.tenure - Platform.monotonicMilliseconds()
        guard left <= 0 else { return .later(left) }
        close(oldest.key)
        return .free
      }
      let idle = some.filter(\.value.isIdle).min { $0.value.turn < $1.value.turn }
      guard let idle else { return .none }
      close(idle.key)
      return .free
    }

    private mutating func close(_ number: Int) {
      open[number]?.isClosed = true
      open[number]?.socket.shutDown(.both)
    }
  }

  private let state = Monitor(State())

  /// Whether every connection is waiting for its next request. A client receives its answer
  /// slightly before that.
  var areAllIdle: Bool { state.withLock { $0.open.values.allSatisfy(\.isIdle) } }

  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Starts the thread of a connection. Without room, another connection is closed, or else this one
  /// is to be refused.
  ///
  /// Waits if there will be room soon. Later connections wait in the system's backlog.
  ///
  /// - Parameter network: The peer's network.
  /// - Returns: `false` if the connection was not accepted. It still belongs to the caller.
  func start(
    _ socket: Socket, from network: String, limits: ServerLimits,
    run: @escaping @Sendable (_ number: Int, _ isRefused: Bool) -> Void
  ) -> Bool {
    // Nobody else takes the room: only the caller's thread starts connections.
    let hasRoom = waitForRoom(for: network, limits)
    return state.withLock { state in
      guard !state.isStopping,
        hasRoom || state.open.values.count(where: \.isRefused) < Self.mostRefused
      else { return false }
      let number = state.takeTurn()
      state.open[number] = Entry(
        socket: socket, network: network, turn: number, isRefused: !hasRoom)
      // The thread needs this lock to finish, so it cannot finish before its handle is stored.
      guard let thread = ServerThread({ run(number, !hasRoom) }) else {
        state.open[number] = nil
        return false
      }
      state.open[number]?.thread = thread
      return true
    }
  }

  private func waitForRoom(for network: String, _ limits: ServerLimits) -> Bool {
    let deadline = Platform.monotonicMilliseconds() + 1000
    while Platform.monotonicMilliseconds() < deadline {
      switch state.withLock({ $0.isStopping ? .none : $0.makeRoom(for: network, limits) }) {
      case .free: return true
      case .later(let milliseconds): sleep(milliseconds: Int(milliseconds))
      case .none: return false
      }
    }
    return false
  }

  /// Marks a connection as waiting for a request.
  ///
  /// - Returns: `false` if the server is stopping or the connection was closed, so that there is
  ///   nothing to wait for.
  func setIdle(_ number: Int) -> Bool {
    state.withLock { state in
      let turn = state.takeTurn()
      state.open[number]?.isIdle = true
      state.open[number]?.isAnswering = false
      if state.open[number]?.began == nil {
        state.open[number]?.began = Platform.monotonicMilliseconds()
      }
      // Connections without a session keep their age: small requests do not make them stay longer.
      if state.open[number]?.isKnown == true { state.open[number]?.turn = turn }
      return !state.isStopping && state.open[number]?.isClosed == false
    }
  }

  /// Marks a connection as receiving a request.
  func setBusy(_ number: Int) {
    state.withLock { state in
      state.open[number]?.isIdle = false
      state.open[number]?.isAnswering = false
    }
  }

  /// Marks a connection as having used a session. Its requests are not interrupted from now on.
  func setKnown(_ number: Int) {
    state.withLock { $0.open[number]?.isKnown = true }
  }

  /// Marks a connection as answering a request.
  ///
  /// - Returns: `false` if the connection has been closed, so that nobody waits for the answer.
  func setAnswering(_ number: Int) -> Bool {
    state.withLock { state in
      state.open[number]?.isAnswering = true
      return state.open[number]?.isClosed == false
    }
  }

  /// Closes a connection. This is the last thing its thread does.
  func finish(_ number: Int) {
    state.change { state in
      guard let entry = state.open.removeValue(forKey: number) else { return }
      // Under the lock, so that `stop` does not shut down a descriptor whose number has been
      // reused.
      entry.socket.close()
      if let thread = entry.thread { state.finished.append(thread) }
    }
  }

  func sleep(milliseconds: Int) {
    _ = state.wait(milliseconds: Int64(milliseconds)) { $0.isStopping ? true : nil }
  }

  func joinFinished() {
    let finished = state.withLock { state in
      defer { state.finished = [] }
      return state.finished
    }
    for thread in finished { thread.join() }
  }

  /// Closes idle connections, gives requests some time to finish, then closes all connections.
  func stop(graceMilliseconds: Int) {
    state.change { state in
      state.isStopping = true
      for entry in state.open.values where entry.isIdle { entry.socket.shutDown(.reading) }
    }
    let grace = Int64(graceMilliseconds)
    if state.wait(milliseconds: grace, until: { $0.open.isEmpty ? true : nil }) == nil {
      state.withLock { state in
        for entry in state.open.values { entry.socket.shutDown(.both) }
      }
      _ = state.wait { $0.open.isEmpty ? true : nil }
    }
    joinFinished()
  }
}
