#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a line from a terminal without echo.
enum HiddenLine {
  /// The function of a key in a hidden line.
  private enum Key {
    case character(UInt8)
    case erase, eraseAll, enter, end, interrupt, suspend

    init(_ byte: UInt8) {
      switch byte {
      case 0x03, 0x1C: self = .interrupt
      case 0x04: self = .end
      case 0x08, 0x7F: self = .erase
      case 0x15: self = .eraseAll
      case 0x1A: self = .suspend
      case 0x0A, 0x0D: self = .enter
      default: self = .character(byte)
      }
    }
  }

  /// Reads a line from the terminal at `descriptor`; `nil` at its end or if it is not a terminal.
  ///
  /// Keys are read one by one without echo, including Ctrl-C and Ctrl-Z: a signal would end or stop the
  /// program and leave the terminal without echo.
  /// - Parameter suspend: stops the program until it goes on, for Ctrl-Z.
  /// - Throws: `CancellationError` for Ctrl-C.
  static func read(
    from descriptor: Int32, suspend: () -> Void = JobControl.suspend
  ) throws -> String? {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return nil }
    var mute = settings
    mute.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard tcsetattr(descriptor, TCSAFLUSH, &mute) == 0 else { return nil }
    defer { tcsetattr(descriptor, TCSAFLUSH, &settings) }
    var line: [UInt8] = []
    while let byte = nextByte(from: descriptor) {
      switch Key(byte) {
      case .character(let byte): line.append(byte)
      case .erase:
        while let last = line.popLast(), last & 0xC0 == 0x80 {}
      case .eraseAll: line = []
      case .enter: return String(decoding: line, as: UTF8.self)
      case .end where line.isEmpty: return nil
      case .end: break
      case .interrupt: throw CancellationError()
      case .suspend:
        tcsetattr(descriptor, TCSADRAIN, &settings)
        suspend()
        tcsetattr(descriptor, TCSADRAIN, &mute)
      }
    }
    return nil
  }

  private static func nextByte(from descriptor: Int32) -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = systemRead(descriptor, &byte, 1)
      if count == 1 { return byte }
      if count < 0, errno == EINTR { continue }
      return nil
    }
  }
}

/// The job control of a shell.
enum JobControl {
  /// Stops this program as Ctrl-Z does; returns when the shell continues it (signal(7)).
  static func suspend() { kill(getpid(), SIGTSTP) }
}

private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(file, buffer, count)
}
