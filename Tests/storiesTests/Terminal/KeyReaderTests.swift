import Foundation
import Testing

@testable import stories

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct KeyReaderTests {
  /// The two ends of a terminal that nobody sits at.
  private final class PseudoTerminal {
    let main: Int32
    let other: Int32

    init() throws {
      main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      try #require(main >= 0)
      #if os(Linux)
        // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)), whose macros Swift does not see.
        var (lock, number): (Int32, Int32) = (0, 0)
        try #require(ioctl(main, UInt(0x4004_5431), &lock) == 0)
        try #require(ioctl(main, UInt(0x8004_5430), &number) == 0)
        let name = "/dev/pts/\(number)"
      #else
        try #require(grantpt(main) == 0 && unlockpt(main) == 0)
        let name = try #require(ptsname(main).map { String(cString: $0) })
      #endif
      other = open(name, O_RDWR | O_NOCTTY)
      try #require(other >= 0)
    }

    deinit {
      close(other)
      close(main)
    }

    func type(_ text: String) {
      _ = text.withCString { write(main, $0, strlen($0)) }
    }

    var settings: termios {
      var settings = termios()
      tcgetattr(other, &settings)
      return settings
    }
  }

  @Test(
    arguments: [
      ("m", "m"), ("é", "é"), ("界", "界"), ("\u{3}", "\u{3}"), ("\u{4}", nil),
      ("\u{1B}[A", "\u{1B}"), ("\r", "\r"),
    ] as [(String, Character?)])
  func readsOneKey(typed: String, key: Character?) throws {
    let terminal = try PseudoTerminal()
    terminal.type(typed)
    // The terminal's own line editing must not have seen it: keys wait in the line until then.
    let reader = KeyReader(descriptor: terminal.other)
    #expect(reader.read() == (key == "\r" ? "\n" : key))
  }

  @Test func leavesTheTerminalAsItWas() throws {
    let terminal = try PseudoTerminal()
    let before = terminal.settings
    terminal.type("q")
    _ = KeyReader(descriptor: terminal.other).read()
    #expect(terminal.settings.c_lflag == before.c_lflag)
  }

  @Test func readsFromWhatIsNoTerminal() throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("mé".utf8))
    try pipe.fileHandleForWriting.close()
    let reader = KeyReader(descriptor: pipe.fileHandleForReading.fileDescriptor)
    #expect(reader.read() == "m")
    #expect(reader.read() == "é")
    #expect(reader.read() == nil)
  }
}
