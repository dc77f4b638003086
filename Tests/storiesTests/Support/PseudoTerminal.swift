import Foundation
import Testing

/// Both ends of a terminal that nobody sits at.
final class PseudoTerminal: Sendable {
  let keyboard: Int32
  let program: Int32

  init() throws {
    #if canImport(Darwin)
      keyboard = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
      try #require(keyboard >= 0 && grantpt(keyboard) == 0 && unlockpt(keyboard) == 0)
      let path = String(cString: ptsname(keyboard))
    #else
      // pty(7), with the numbers of TIOCSPTLCK and TIOCGPTN, which Swift does not import.
      keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (lock, number): (Int32, Int32) = (0, 0)
      try #require(keyboard >= 0)
      try #require(ioctl(keyboard, 0x4004_5431, &lock) == 0)
      try #require(ioctl(keyboard, 0x8004_5430, &number) == 0)
      let path = "/dev/pts/\(number)"
    #endif
    program = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(program >= 0)
  }

  deinit {
    close(program)
    close(keyboard)
  }

  var isMute: Bool {
    var settings = termios()
    return tcgetattr(program, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) == 0
  }

  func type(_ keys: [UInt8]) {
    _ = keys.withUnsafeBytes { write(keyboard, $0.baseAddress, $0.count) }
  }

  /// What has been shown so far.
  func shown() -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      var waiting = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 0) == 1 else { break }
      let count = read(keyboard, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
