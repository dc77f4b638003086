#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A connected TCP socket. The owner closes it exactly once.
struct Socket: Sendable {
  let descriptor: Int32
  /// In milliseconds.
  private let timeout: Int

  /// Configures a socket: answers are sent at once, and waiting ends after a timeout.
  init(descriptor: Int32, timeout milliseconds: Int) {
    self.descriptor = descriptor
    timeout = milliseconds
    set(TCP_NODELAY, Int32(1), level: Int32(IPPROTO_TCP))
    #if canImport(Darwin)
      set(SO_NOSIGPIPE, Int32(1))
    #endif
    setReceiveTimeout(milliseconds)
    // The system wakes a sender only when much of its buffer is free, and a slow peer may take long
    // until then. Look again and again whether there is room for some bytes.
    setTimeout(100, of: SO_SNDTIMEO)
  }

  private func set<Value: BitwiseCopyable>(
    _ option: Int32, _ value: Value, level: Int32 = SOL_SOCKET
  ) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Value>.size))
  }

  /// Limits the time that one `receive` waits.
  func setReceiveTimeout(_ milliseconds: Int) { setTimeout(milliseconds, of: SO_RCVTIMEO) }

  private func setTimeout(_ milliseconds: Int, of option: Int32) {
    set(option, timeval(tv_sec: milliseconds / 1000, tv_usec: .init(milliseconds % 1000 * 1000)))
  }

  enum End { case local, peer }

  /// Returns the numeric address of one end, without brackets, port or scope. An IPv4 address
  /// mapped to IPv6 is returned as IPv4. Empty if the connection is closed.
  func address(of end: End) -> String {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let text = withUnsafeMutableBytes(of: &storage) { bytes -> String in
      guard let name = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        (end == .local
          ? getsockname(descriptor, name, &length) : getpeername(descriptor, name, &length)) == 0
      else { return "" }
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
        guard let start = text.baseAddress,
          getnameinfo(name, length, start, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return "" }
        return String(cString: start)
      }
    }
    let address = text.prefix { $0 != "%" }
    return String(address.hasPrefix("::ffff:") ? address.dropFirst(7) : address)
  }

  /// Returns the network of an address: an IPv4 address itself, or the /64 network of an IPv6
  /// address, which is usually one household.
  static func network(of address: String) -> String {
    guard address.utf8.contains(UInt8(ascii: ":")) else { return address }
    let halves = address.split(separator: "::", omittingEmptySubsequences: false)
      .map { $0.split(separator: ":") }
    let zeros = halves.count == 2 ? max(0, 8 - halves[0].count - halves[1].count) : 0
    let groups =
      halves[0] + Array(repeating: "0", count: zeros) + (halves.count == 2 ? halves[1] : [])
    return groups.prefix(4).joined(separator: ":")
  }

  enum Received: Equatable {
    case bytes(Int)
    case closed
    case timedOut
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .closed }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .timedOut
      default: return .closed
      }
    }
  }

  /// The number of bytes that a peer has to receive within the timeout. With less, it would hold a
  /// connection for as long as it likes.
  static let piece = 64 << 10

  /// Sends a head and a body, in one call if possible.
  ///
  /// - Returns: `false` if the peer has disconnected, or takes longer than the timeout for a ``piece``
  ///   or for the rest.
  func send(_ head: [UInt8], _ body: ArraySlice<UInt8> = []) -> Bool {
    head.withUnsafeBytes { head in
      body.withUnsafeBytes { body in
        var sent = 0
        var (end, deadline) = (0, Int64(0))
        while sent < head.count + body.count {
          let now = Platform.monotonicMilliseconds()
          if sent >= end { (end, deadline) = (sent + Self.piece, now + Int64(timeout)) }
          guard now < deadline else { return false }
          let count = send(head, body, from: sent)
          if count < 0, [EINTR, EAGAIN, EWOULDBLOCK].contains(errno) { continue }
          guard count > 0 else { return false }
          sent += count
        }
        return true
      }
    }
  }

  private func send(
    _ head: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer, from start: Int
  ) -> Int {
    func part(_ bytes: UnsafeRawBufferPointer, from start: Int) -> iovec {
      let start = min(start, bytes.count)
      // The system only reads the bytes.
      let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      return iovec(iov_base: base.map { $0 + start }, iov_len: bytes.count - start)
    }
    var parts = [part(head, from: start), part(body, from: max(0, start - head.count))]
    return parts.withUnsafeMutableBufferPointer { parts in
      var message = msghdr()
      message.msg_iov = parts.baseAddress
      message.msg_iovlen = .init(parts.count)
      return sendmsg(descriptor, &message, Platform.sendFlags)
    }
  }

  /// Shuts down one or both directions, waking a thread that waits in ``receive(into:)``.
  func shutDown(_ direction: Direction) { shutdown(descriptor, direction.code) }

  enum Direction {
    case reading, writing, both

    fileprivate var code: Int32 {
      switch self {
      case .reading: Int32(SHUT_RD)
      case .writing: Int32(SHUT_WR)
      case .both: Int32(SHUT_RDWR)
      }
    }
  }

  func close() { systemClose(descriptor) }
}

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
