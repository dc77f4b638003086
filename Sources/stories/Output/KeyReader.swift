#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads single keys from a terminal.
///
/// For one key at a time the terminal passes on bytes at once, without echo and without signals, so
/// that an interrupt never leaves it in that state (termios(3)).
struct KeyReader: Sendable {
  let descriptor: Int32
  /// Stops the program until it goes on, for Ctrl-Z.
  var suspend: @Sendable () -> Void = JobControl.suspend

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Returns the next key, or `nil` at the end of the input. Keys that send several characters,
  /// such as arrows, are `\u{1B}`.
  func read() -> Character? {
    while let key = readKey() {
      // Ctrl-Z
      guard key == "\u{1A}", isatty(descriptor) == 1 else { return key }
      suspend()
    }
    return nil
  }

  private func readKey() -> Character? {
    var usual = termios()
    guard tcgetattr(descriptor, &usual) == 0 else { return readCharacter() }
    var raw = usual
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    withUnsafeMutableBytes(of: &raw.c_cc) { codes in
      codes[Int(VMIN)] = 1
      codes[Int(VTIME)] = 0
    }
    guard tcsetattr(descriptor, TCSADRAIN, &raw) == 0 else { return readCharacter() }
    defer { _ = tcsetattr(descriptor, TCSADRAIN, &usual) }
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

  private func readByte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = Self.systemRead(descriptor, &byte)
      if count == 1 { return byte }
      guard count < 0, errno == EINTR else { return nil }
    }
  }

  private static func systemRead(_ descriptor: Int32, _ byte: inout UInt8) -> Int {
    #if canImport(Glibc)
      Glibc.read(descriptor, &byte, 1)
    #else
      Darwin.read(descriptor, &byte, 1)
    #endif
  }
}
