import Foundation

/// Reads keys and hidden lines from a terminal.
///
/// While it reads, the terminal delivers each byte immediately, without echo and without signals, so that
/// an interrupt never leaves it in that state (termios(3)).
struct TerminalReader: Sendable {
  let descriptor: Int32
  /// Stops the program as Ctrl-Z does, until the shell continues it (signal(7)).
  var suspend: @Sendable () -> Void = { kill(getpid(), SIGTSTP) }

  // MARK: Keys

  /// Returns the next key, or `nil` at the end of the input. Keys that send several characters,
  /// such as arrows, are `\u{1B}`.
  func readKey() -> Character? {
    while let key = readOneKey() {
      // Ctrl-Z
      guard key == "\u{1A}", isatty(descriptor) == 1 else { return key }
      suspend()
    }
    return nil
  }

  private func readOneKey() -> Character? {
    guard let usual = mute(TCSADRAIN) else { return readCharacter() }
    defer { set(usual, TCSADRAIN) }
    let key = readCharacter()
    if key == "\u{1B}" { while isWaiting, readByte() != nil {} }
    // Ctrl-D (end of transmission) ends the input.
    return key == "\u{4}" ? nil : key
  }

  /// Whether a byte can be read without waiting.
  private var isWaiting: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0 && request.revents & Int16(POLLIN) != 0
  }

  private func readCharacter() -> Character? {
    guard let first = readByte() else { return nil }
    var bytes = [first]
    // The first byte gives the number of following ones (RFC 3629, section 3).
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    while bytes.count < count, let next = readByte() { bytes.append(next) }
    return String(decoding: bytes, as: UTF8.self).first
  }

  // MARK: Lines

  /// Reads a line; returns `nil` at the end of the input or if it is not a terminal.
  ///
  /// - Throws: `CancellationError` for Ctrl-C.
  func readHiddenLine() throws -> String? {
    guard let usual = mute(TCSAFLUSH) else { return nil }
    defer { set(usual, TCSAFLUSH) }
    var line: [UInt8] = []
    while let byte = readByte() {
      switch byte {
      case 0x0A, 0x0D: return String(decoding: line, as: UTF8.self)
      // Ctrl-C and Ctrl-\
      case 0x03, 0x1C: throw CancellationError()
      // Ctrl-D
      case 0x04: if line.isEmpty { return nil }
      // Backspace and Delete
      case 0x08, 0x7F: while let last = line.popLast(), last & 0xC0 == 0x80 {}
      // Ctrl-U
      case 0x15: line = []
      // Ctrl-Z
      case 0x1A:
        set(usual, TCSADRAIN)
        suspend()
        _ = mute(TCSADRAIN)
      default: line.append(byte)
      }
    }
    return nil
  }

  // MARK: The terminal

  /// Makes the terminal deliver each byte immediately, without echo. Returns its previous settings, or `nil`
  /// if the descriptor is not a terminal.
  private func mute(_ when: Int32) -> termios? {
    var usual = termios()
    guard tcgetattr(descriptor, &usual) == 0 else { return nil }
    var raw = usual
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    withUnsafeMutableBytes(of: &raw.c_cc) { codes in
      codes[Int(VMIN)] = 1
      codes[Int(VTIME)] = 0
    }
    return tcsetattr(descriptor, when, &raw) == 0 ? usual : nil
  }

  private func set(_ settings: termios, _ when: Int32) {
    var settings = settings
    tcsetattr(descriptor, when, &settings)
  }

  private func readByte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count == 1 { return byte }
      guard count < 0, errno == EINTR else { return nil }
    }
  }
}
