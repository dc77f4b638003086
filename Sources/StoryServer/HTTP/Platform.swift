#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Differences between the supported systems.
enum Platform {
  static var streamSocket: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  /// Flags for `send`. A disconnected peer must not end the process with SIGPIPE.
  static var sendFlags: Int32 {
    #if canImport(Glibc)
      Int32(MSG_NOSIGNAL)
    #else
      0  // Darwin has the socket option SO_NOSIGPIPE instead.
    #endif
  }

  // Descriptors are closed in child processes, because an inherited one would keep a connection or
  // lock open after its owner closed it. `accept4`, which would do this atomically, is not available
  // in Swift.

  /// Creates a TCP socket, or returns -1.
  static func socket(_ family: Int32, _ type: Int32, _ transport: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.socket(family, type | Int32(SOCK_CLOEXEC.rawValue), transport)
    #else
      closedOnExec(Darwin.socket(family, type, transport))
    #endif
  }

  /// Accepts the next connection of a listening socket, in blocking mode, or returns -1.
  static func accept(_ socket: Int32) -> Int32 {
    #if canImport(Glibc)
      return closedOnExec(Glibc.accept(socket, nil, nil))
    #else
      // On Darwin, the connection inherits the listening socket's mode.
      let descriptor = closedOnExec(Darwin.accept(socket, nil, nil))
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
      }
      return descriptor
    #endif
  }

  /// Marks a descriptor to be closed in child processes.
  static func closedOnExec(_ descriptor: Int32) -> Int32 {
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return descriptor
  }

  static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// Returns the milliseconds since 1970 by the system's clock.
  static func now() -> Int64 { milliseconds(of: CLOCK_REALTIME) }

  /// Returns the milliseconds of a clock that is never set back, for timeouts.
  static func monotonicMilliseconds() -> Int64 { milliseconds(of: CLOCK_MONOTONIC) }

  private static func milliseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
