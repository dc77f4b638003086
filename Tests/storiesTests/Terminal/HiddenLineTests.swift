import Foundation
import Synchronization
import Testing

@testable import stories

/// What is typed on a real (pseudo) terminal while a password is asked for.
@Suite struct HiddenLineTests {
  /// Both ends of a terminal.
  private final class Terminal: Sendable {
    let keyboard: Int32
    let program: Int32

    init() throws {
      #if canImport(Darwin)
        keyboard = posix_openpt(O_RDWR | O_NOCTTY)
        try #require(keyboard >= 0 && grantpt(keyboard) == 0 && unlockpt(keyboard) == 0)
        let path = String(cString: ptsname(keyboard))
      #else
        // pty(7), with the numbers of TIOCSPTLCK and TIOCGPTN, which Swift does not import.
        keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (lock, number): (Int32, Int32) = (0, 0)
        try #require(keyboard >= 0)
        try #require(ioctl(keyboard, 0x4004_5431, &lock) == 0)
        try #require(ioctl(keyboard, 0x8004_5430, &number) == 0)
        let path = "/dev/pts/\(number)"
      #endif
      program = open(path, O_RDWR | O_NOCTTY)
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
      var waiting = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 0) == 1 else { return "" }
      let handle = FileHandle(fileDescriptor: keyboard, closeOnDealloc: false)
      return String(decoding: handle.availableData, as: UTF8.self)
    }
  }

  /// Types keys once the terminal is mute, and gives what the program read.
  private func hiddenLine(typing keys: [UInt8]) throws -> (
    line: Result<String?, any Error>, shown: String
  ) {
    let terminal = try Terminal()
    let typist = Thread {
      // Keys that come before are thrown away, as those of somebody who types ahead should be.
      for _ in 0..<20_000 where !terminal.isMute { usleep(500) }
      terminal.type(keys)
    }
    typist.start()
    let line = Result { try HiddenLine.read(from: terminal.program) }
    #expect(!terminal.isMute)
    return (line, terminal.shown())
  }

  @Test(arguments: [
    ("secret\r", "secret"), ("secret\n", "secret"), ("secrex\u{7F}t\r", "secret"),
    ("x\u{7F}\u{7F}secret\r", "secret"), ("wrong\u{15}secret\r", "secret"),
    ("é雪\u{7F}\u{8}secret\r", "secret"), ("secret \u{4}Zoë\r", "secret Zoë"), ("\r", ""),
  ])
  func keys(typed: String, line: String) throws {
    let result = try hiddenLine(typing: Array(typed.utf8))
    #expect(try result.line.get() == line)
    #expect(result.shown.isEmpty)
  }

  @Test func controlCGivesUp() throws {
    let result = try hiddenLine(typing: Array("secr\u{3}".utf8))
    #expect(throws: CancellationError.self) { try result.line.get() }
    #expect(result.shown.isEmpty)
  }

  @Test func controlDEndsAnEmptyLine() throws {
    #expect(try hiddenLine(typing: [4]).line.get() == nil)
  }

  @Test func whatIsNoTerminalIsNotRead() throws {
    let pipe = Pipe()
    #expect(try HiddenLine.read(from: pipe.fileHandleForReading.fileDescriptor) == nil)
  }
}
