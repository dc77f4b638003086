#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A connected TCP socket. Whoever holds it closes it, once.
struct Socket: Sendable {
  let descriptor: Int32

  /// Sets what a connection needs: answers leave at once, waiting ends after the given time, and
  /// nothing of it is inherited by child processes.
  init(descriptor: Int32, timeout milliseconds: Int) {
    self.descriptor = descriptor
    Platform.closeOnExec(descriptor)
    set(IPPROTO_TCP_LEVEL, TCP_NODELAY, 1)
    #if canImport(Darwin)
      set(SOL_SOCKET, SO_NOSIGPIPE, 1)
    #endif
    setTimeout(milliseconds)
  }

  private var IPPROTO_TCP_LEVEL: Int32 { Int32(IPPROTO_TCP) }

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

  /// Sends all bytes.
  ///
  /// - Returns: `false` where the peer is gone or takes nothing for as long as the timeout.
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        systemSend(descriptor, $0.baseAddress! + sent, bytes.count - sent, Platform.sendFlags)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
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

private func systemSend(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int, _ flags: Int32
) -> Int {
  send(descriptor, bytes, count, flags)
}

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
