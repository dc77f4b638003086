#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What differs between the systems that the server runs on.
enum Platform {
  /// The type of a TCP socket.
  static var streamSocket: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  /// Flags for `send`: a peer that went away must not end the process with SIGPIPE.
  static var sendFlags: Int32 {
    #if canImport(Glibc)
      Int32(MSG_NOSIGNAL)
    #else
      0  // Darwin has the socket option SO_NOSIGPIPE instead.
    #endif
  }

  /// Marks a descriptor so that child processes do not inherit it.
  static func closeOnExec(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Makes the bytes of a file survive a loss of power.
  ///
  /// - Returns: the error number, 0 where all is well.
  static func flush(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      let result = fdatasync(descriptor)
    #else
      let result = fcntl(descriptor, F_FULLFSYNC)
    #endif
    return result == 0 ? 0 : errno
  }

  /// Makes the names in a folder survive a loss of power; a folder that cannot be opened is left.
  static func flushFolder(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  /// The system's words for an error number.
  static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// Milliseconds since the start of 1970 by the system's clock.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Milliseconds of a clock that nobody sets back, for time limits.
  static func monotonicMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
