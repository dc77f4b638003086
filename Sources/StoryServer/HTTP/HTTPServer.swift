/// Answers the requests that an ``HTTPServer`` reads.
package protocol RequestHandler: Sendable {
  /// Returns the answer to a request, or `nil` to close the connection without one.
  func answer(_ request: ServerRequest) -> ServerResponse?
  /// Returns the answer to a request that cannot be read or accepted.
  func refusal(_ failure: APIFailure) -> ServerResponse
  /// Returns whether the sender is known, for example by the token of a current session. Its
  /// requests may have larger bodies and take longer.
  func isKnown(_ request: ServerRequest) -> Bool
  /// Returns the failure for a request of an unknown sender whose body exceeds `limit`.
  func refusalOfBody(_ request: ServerRequest, over limit: Int) -> APIFailure
}

extension RequestHandler {
  package func refusalOfBody(_ request: ServerRequest, over limit: Int) -> APIFailure {
    .bodyTooLarge(limit: limit)
  }
}

/// Serves HTTP/1.1 (RFC 9112) on one address, with a thread for each connection.
package final class HTTPServer: Sendable {
  let host: String
  let limits: ServerLimits
  /// The clock for `Date`, in milliseconds since 1970 (UTC).
  let clock: @Sendable () -> Int64
  let handler: any RequestHandler
  let connections = ConnectionRegistry()
  private let requestedPort: Int
  private let listener = Monitor<Listener?>(nil)

  /// Creates a server, which does not listen yet. With port 0 it will use any free port.
  init(
    host: String, port: Int, limits: ServerLimits, clock: @escaping @Sendable () -> Int64,
    handler: any RequestHandler
  ) {
    self.host = host
    requestedPort = port
    self.limits = limits
    self.clock = clock
    self.handler = handler
  }

  /// Binds the address and begins to answer requests. Call this at most once.
  ///
  /// - Throws: `StoryServerError.cannotListen`.
  package func start() throws(StoryServerError) {
    let started = try Listener(server: self, port: requestedPort)
    listener.withLock { $0 = started }
  }

  /// Stops listening, calls `interrupt`, gives running requests
  /// ``ServerLimits/graceMilliseconds`` to finish, and closes all connections. Does nothing if the
  /// server is not running.
  package func stop(interrupting interrupt: () -> Void = {}) {
    let running = listener.withLock { listener in
      defer { listener = nil }
      return listener
    }
    guard let running else { return }
    running.stop()
    interrupt()
    connections.stop(graceMilliseconds: limits.graceMilliseconds)
  }

  /// The port that the server listens on or, if it is not running, the requested one.
  package var port: Int { listener.withLock { $0?.port } ?? requestedPort }

  /// The server's origin, such as `http://127.0.0.1:8080`.
  var url: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
  }
}
