/// The open connections and their threads.
final class ConnectionRegistry: Sendable {
  private struct Entry: Sendable {
    var socket: Socket
    var thread: ServerThread?
    /// Where it comes from: what ``ServerLimits/addressConnections`` counts.
    var network: String
    /// When it came, or has been idle since, as a place in the order of such events.
    var turn: Int
    /// Whether it waits for its next request.
    var isIdle = true
    /// When its thread first looked for a request, in milliseconds of the monotonic clock.
    var began: Int64?
    /// Whether a request is being answered.
    var isAnswering = false
    /// Whether a session was used on it.
    var isKnown = false
    /// Whether it was closed to make room, and its thread has not noticed yet.
    var isClosed = false
  }

  /// How long a connection without a session stays in any case, in milliseconds, so that a request
  /// that is on its way gets there however many others come.
  private static let tenure: Int64 = 30

  /// Whether there is room for another connection.
  private enum Room {
    case free
    /// There will be, in this many milliseconds.
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

    /// Makes room for a connection: closes the oldest one without a session, else the one with a
    /// session that has been idle for longest.
    mutating func makeRoom(for network: String, _ limits: ServerLimits) -> Room {
      // Each closed one still has its thread for a moment.
      guard open.count < 2 * limits.connections else { return .later(1) }
      let all = open.filter { !$0.value.isClosed }
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

  /// Whether every connection waits for its next request. A client has its answer a moment before that.
  var areAllIdle: Bool { state.withLock { $0.open.values.allSatisfy(\.isIdle) } }

  /// Whether the server is being stopped.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Starts the thread of a connection, where there is room or another one can be closed for it.
  ///
  /// Waits a moment where there will be room soon: those that come after it wait in the system's line.
  ///
  /// - Parameter network: where it comes from.
  /// - Returns: `false` where the connection was not taken and stays the caller's.
  func start(
    _ socket: Socket, from network: String, limits: ServerLimits,
    run: @escaping @Sendable (_ number: Int) -> Void
  ) -> Bool {
    let deadline = Platform.monotonicMilliseconds() + 1000
    while Platform.monotonicMilliseconds() < deadline {
      switch state.withLock({ $0.isStopping ? .none : $0.makeRoom(for: network, limits) }) {
      // Only the caller's thread takes room.
      case .free: return add(socket, from: network, run)
      case .later(let milliseconds): sleep(milliseconds: Int(milliseconds))
      case .none: return false
      }
    }
    return false
  }

  private func add(
    _ socket: Socket, from network: String, _ run: @escaping @Sendable (_ number: Int) -> Void
  ) -> Bool {
    state.withLock { state in
      guard !state.isStopping else { return false }
      let number = state.takeTurn()
      state.open[number] = Entry(socket: socket, network: network, turn: number)
      // The thread's end needs this lock, so that it cannot come before its handle is noted.
      guard let thread = ServerThread({ run(number) }) else {
        state.open[number] = nil
        return false
      }
      state.open[number]?.thread = thread
      return true
    }
  }

  /// Notes that a connection waits for a request.
  ///
  /// - Returns: `false` where the server is being stopped or the connection was closed, and none
  ///   should be waited for.
  func setIdle(_ number: Int) -> Bool {
    state.withLock { state in
      let turn = state.takeTurn()
      state.open[number]?.isIdle = true
      state.open[number]?.isAnswering = false
      if state.open[number]?.began == nil {
        state.open[number]?.began = Platform.monotonicMilliseconds()
      }
      // Those without a session go by their age: small requests make none of them worth more.
      if state.open[number]?.isKnown == true { state.open[number]?.turn = turn }
      return !state.isStopping && state.open[number]?.isClosed == false
    }
  }

  /// Notes that a request has begun to arrive.
  func setBusy(_ number: Int) {
    state.withLock { state in
      state.open[number]?.isIdle = false
      state.open[number]?.isAnswering = false
    }
  }

  /// Notes that a session is used on a connection; from now on a request on it is not broken off.
  func setKnown(_ number: Int) {
    state.withLock { $0.open[number]?.isKnown = true }
  }

  /// Notes that a request is there and will be answered.
  ///
  /// - Returns: `false` where the connection was closed before that: nobody waits for the answer.
  func setAnswering(_ number: Int) -> Bool {
    state.withLock { state in
      state.open[number]?.isAnswering = true
      return state.open[number]?.isClosed == false
    }
  }

  /// Closes a connection; the last thing that its thread does.
  func finish(_ number: Int) {
    state.change { state in
      guard let entry = state.open.removeValue(forKey: number) else { return }
      // Within the lock: a descriptor must not be shut down by `stop` after another took its number.
      entry.socket.close()
      if let thread = entry.thread { state.finished.append(thread) }
    }
  }

  /// Waits, until the server is stopped at the latest.
  func sleep(milliseconds: Int) {
    _ = state.wait(milliseconds: Int64(milliseconds)) { $0.isStopping ? true : nil }
  }

  /// Frees the threads that have ended.
  func joinFinished() {
    let finished = state.withLock { state in
      defer { state.finished = [] }
      return state.finished
    }
    for thread in finished { thread.join() }
  }

  /// Closes idle connections, lets requests under way end for some time, then ends them all.
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
