#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

final class Listener: Sendable {
  let port: Int
  private let socket: Int32
  /// A pipe whose writing end is closed to wake the thread.
  private let wake: (reading: Int32, writing: Int32)
  private let server: HTTPServer
  private let thread: Monitor<ServerThread?>

  /// Binds the address and starts listening.
  ///
  /// - Throws: `StoryServerError.cannotListen`.
  init(server: HTTPServer, port: Int) throws(StoryServerError) {
    self.server = server
    let host = server.host
    socket = try Self.bind(host: host, port: port)
    guard let pipe = Platform.pipe() else {
      let reason = Platform.message(errno)
      close(socket)
      throw .cannotListen(host: host, port: port, reason: reason)
    }
    wake = pipe
    self.port = Self.port(of: socket)
    thread = Monitor(nil)
    let started = ServerThread { [self] in run() }
    guard let started else {
      for descriptor in [socket, wake.reading, wake.writing] { close(descriptor) }
      throw .cannotListen(host: host, port: port, reason: "no thread can be started")
    }
    thread.withLock { $0 = started }
  }

  /// Stops listening. Call this exactly once.
  func stop() {
    close(wake.writing)
    thread.withLock { $0 }?.join()
    close(wake.reading)
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
    var refusals = Refusals(server: server)
    while true {
      server.connections.joinFinished()
      var polled = [pollfd(fd: socket, events: Int16(POLLIN), revents: 0)]
      polled.append(pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0))
      polled += refusals.polled
      let count = poll(&polled, nfds_t(polled.count), refusals.isEmpty ? -1 : 100)
      if polled[1].revents != 0 { break }
      refusals.proceed(polled.dropFirst(2))
      if count > 0, polled[0].revents != 0 { acceptAll(&refusals) }
    }
    refusals.closeAll()
  }

  private func acceptAll(_ refusals: inout Refusals) {
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
      ) { [server, port] number in
        Connection(number: number, socket: connected, peer: peer, port: port, server: server).run()
        server.connections.finish(number)
      }
      if !isTaken { refusals.add(connected) }
    }
  }
}

/// Connections without room. Each receives an answer to its first request, without a thread.
///
/// The answer is sent after the request arrives, and the socket is closed after the peer closes.
/// Closing earlier would make the system discard the answer.
private struct Refusals {
  private struct Entry {
    var socket: Socket
    var deadline: Int64
    var isAnswered = false
  }

  let server: HTTPServer
  private var entries: [Entry] = []

  init(server: HTTPServer) { self.server = server }

  var isEmpty: Bool { entries.isEmpty }

  var polled: [pollfd] {
    entries.map { pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0) }
  }

  mutating func add(_ socket: Socket) {
    guard entries.count < 256 else {
      socket.close()
      return
    }
    entries.append(Entry(socket: socket, deadline: Platform.monotonicMilliseconds() + 2000))
  }

  mutating func proceed(_ polled: ArraySlice<pollfd>) {
    let now = Platform.monotonicMilliseconds()
    var left: [Entry] = []
    for (var entry, state) in zip(entries, polled) {
      var isOver = entry.deadline < now
      if state.revents != 0 {
        let received = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) {
          entry.socket.receive(into: $0)
        }
        if received == .closed {
          isOver = true
        } else if !entry.isAnswered {
          answer(entry.socket)
          entry.isAnswered = true
        }
      }
      if isOver { entry.socket.close() } else { left.append(entry) }
    }
    entries = left
  }

  private func answer(_ socket: Socket) {
    var response = server.handler.refusal(
      APIFailure(
        503, "tooManyConnections", "This server has all the connections it takes.",
        headers: [HTTPHeader("Retry-After", "1")]))
    response.closes = true
    let date = Timestamp(milliseconds: server.clock()).httpDate
    _ = socket.send(response.head(date: date), response.body[...])
    socket.shutDown(.writing)
  }

  mutating func closeAll() {
    for entry in entries { entry.socket.close() }
    entries = []
  }
}

private func systemBind(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t
) -> Int32 {
  bind(descriptor, address, length)
}
