import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

final class Listener: Sendable {
  let port: Int
  private let socket: Int32
  /// Two connected sockets, one of which is closed to wake the thread, which polls the other.
  private let wake: (polled: Int32, closed: Int32)
  private let server: HTTPServer
  private let thread: Monitor<ServerThread?>

  /// Binds the address and starts listening.
  ///
  /// - Throws: `StoryServerError.cannotListen`.
  init(server: HTTPServer, port: Int) throws(StoryServerError) {
    self.server = server
    let host = server.host
    socket = try Self.bind(host: host, port: port)
    guard let (polled, closed) = ChildProcess.socketPair() else {
      let reason = Platform.message(errno)
      close(socket)
      throw .cannotListen(host: host, port: port, reason: reason)
    }
    wake = (polled, closed)
    self.port = Self.port(of: socket)
    thread = Monitor(nil)
    let started = ServerThread { [self] in run() }
    guard let started else {
      for descriptor in [socket, wake.polled, wake.closed] { close(descriptor) }
      throw .cannotListen(host: host, port: port, reason: "no thread can be started")
    }
    thread.withLock { $0 = started }
  }

  /// Stops listening. Call this exactly once.
  func stop() {
    close(wake.closed)
    thread.withLock { $0 }?.join()
    close(wake.polled)
    close(socket)
  }

  private static func bind(host: String, port: Int) throws(StoryServerError) -> Int32 {
    func failure(_ reason: String) -> StoryServerError {
      .cannotListen(host: host, port: port, reason: reason)
    }
    var hints = addrinfo()
    hints.ai_socktype = Platform.streamSocket
    hints.ai_flags = AI_PASSIVE
    var found: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, String(port), &hints, &found)
    guard result == 0, let first = found else {
      throw failure(String(cString: gai_strerror(result)))
    }
    defer { freeaddrinfo(first) }
    var reason = ""
    var next: UnsafeMutablePointer<addrinfo>? = first
    while let address = next?.pointee {
      next = address.ai_next
      let descriptor = Platform.socket(
        address.ai_family, address.ai_socktype, address.ai_protocol)
      guard descriptor >= 0 else {
        reason = Platform.message(errno)
        continue
      }
      var on: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
      // A connection may be closed before it is accepted, and then `accept` must not block.
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
      if systemBind(descriptor, address.ai_addr, address.ai_addrlen) == 0,
        listen(descriptor, SOMAXCONN) == 0
      {
        return descriptor
      }
      reason = Platform.message(errno)
      close(descriptor)
    }
    throw failure(reason)
  }

  private static func port(of socket: Int32) -> Int {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes in
      guard
        getsockname(
          socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length) == 0
      else { return 0 }
      // The port has the same offset for IPv4 and IPv6, in network byte order.
      return Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
    }
  }

  // MARK: The thread

  private func run() {
    while true {
      server.connections.joinFinished()
      var polled = [socket, wake.polled].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
      if polled[1].revents != 0 { return }
      acceptAll()
    }
  }

  private func acceptAll() {
    while true {
      let descriptor = Platform.accept(socket)
      guard descriptor >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        // Out of descriptors: the connection stays in the backlog until one is free.
        if errno == EMFILE || errno == ENFILE { server.connections.sleep(milliseconds: 50) }
        return
      }
      let connected = Socket(
        descriptor: descriptor, timeout: server.limits.idleMilliseconds)
      let peer = connected.address(of: .peer)
      let isTaken = server.connections.start(
        connected, from: Socket.network(of: peer), limits: server.limits
      ) { [server, port] number, isRefused in
        let connection = Connection(
          number: number, socket: connected, peer: peer, port: port, server: server)
        if isRefused { connection.refuse() } else { connection.run() }
        server.connections.finish(number)
      }
      if !isTaken { connected.close() }
    }
  }
}

private func systemBind(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t
) -> Int32 {
  bind(descriptor, address, length)
}
