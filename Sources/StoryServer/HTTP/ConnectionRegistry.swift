/// The open connections and their threads.
final class ConnectionRegistry: Sendable {
  private struct Entry: Sendable {
    var socket: Socket
    var thread: ServerThread?
    /// Whether it waits for its next request.
    var isIdle = true
  }

  private struct State: Sendable {
    var nextNumber = 0
    var open: [Int: Entry] = [:]
    var finished: [ServerThread] = []
    var isStopping = false
  }

  private let state = Monitor(State())

  /// Whether the server is being stopped.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Starts the thread of a connection, unless there are too many.
  ///
  /// - Returns: `false` where the connection was not taken and stays the caller's.
  func start(
    _ socket: Socket, limit: Int, run: @escaping @Sendable (_ number: Int) -> Void
  ) -> Bool {
    state.withLock { state in
      guard state.open.count < limit, !state.isStopping else { return false }
      let number = state.nextNumber
      state.nextNumber += 1
      state.open[number] = Entry(socket: socket)
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
  /// - Returns: `false` where the server is being stopped and none should be waited for.
  func setIdle(_ number: Int) -> Bool {
    state.withLock { state in
      state.open[number]?.isIdle = true
      return !state.isStopping
    }
  }

  /// Notes that a request has begun to arrive.
  func setBusy(_ number: Int) {
    state.withLock { $0.open[number]?.isIdle = false }
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
