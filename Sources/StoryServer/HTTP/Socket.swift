#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A connected TCP socket. Whoever holds it closes it, once.
struct Socket: Sendable {
  let descriptor: Int32

  /// Sets what a connection needs: answers leave at once, and waiting ends after the given time.
  init(descriptor: Int32, timeout milliseconds: Int) {
    self.descriptor = descriptor
    set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    #if canImport(Darwin)
      set(SOL_SOCKET, SO_NOSIGPIPE, 1)
    #endif
    setTimeout(milliseconds)
  }

  private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Bounds how long one `receive` or `send` waits.
  func setTimeout(_ milliseconds: Int) {
    var time = timeval()
    time.tv_sec = milliseconds / 1000
    time.tv_usec = .init(milliseconds % 1000 * 1000)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
  }

  enum Received: Equatable {
    case bytes(Int)
    case closed
    case timedOut
  }

  /// Waits for bytes and puts them into a buffer.
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

  /// Sends a head and a body, in one piece where the system takes them at once.
  ///
  /// - Returns: `false` where the peer is gone or takes nothing for as long as the timeout.
  func send(_ head: [UInt8], _ body: ArraySlice<UInt8> = []) -> Bool {
    head.withUnsafeBytes { head in
      body.withUnsafeBytes { body in
        var sent = 0
        while sent < head.count + body.count {
          let count = send(head, body, from: sent)
          if count < 0, errno == EINTR { continue }
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
      // The system only reads what is sent.
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

  /// Ends one or both directions; a thread that waits in ``receive(into:)`` wakes up.
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
