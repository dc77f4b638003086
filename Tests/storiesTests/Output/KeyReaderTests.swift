import Foundation
import TestSupport
import Testing

@testable import stories

@Suite struct KeyReaderTests {
  /// Types once the terminal hands over keys one by one, and gives what the program read.
  private func key(typing text: String) throws -> Character? {
    let terminal = try PseudoTerminal()
    let typist = Thread {
      waitUntil { terminal.isMute }
      terminal.type(Array(text.utf8))
    }
    typist.start()
    let key = TerminalReader(descriptor: terminal.program).readKey()
    #expect(!terminal.isMute)
    #expect(terminal.shown().isEmpty)
    return key
  }

  @Test(
    arguments: [
      ("m", "m"), ("é", "é"), ("界", "界"), ("\u{3}", "\u{3}"), ("\u{4}", nil),
      ("\u{1B}[A", "\u{1B}"), ("\r", "\n"),
    ] as [(String, Character?)])
  func readsOneKey(typed: String, expected: Character?) throws {
    #expect(try key(typing: typed) == expected)
  }

  @Test func controlZStopsTheProgramMeanwhile() throws {
    let terminal = try PseudoTerminal()
    let typist = Thread {
      waitUntil { terminal.isMute }
      terminal.type(Array("\u{1A}".utf8))
    }
    let wasMute = Box<[Bool]>([])
    var reader = TerminalReader(descriptor: terminal.program)
    reader.suspend = {
      wasMute.change { $0.append(terminal.isMute) }
      Thread {
        waitUntil { terminal.isMute }
        terminal.type(Array("y".utf8))
      }.start()
    }
    typist.start()
    #expect(reader.readKey() == "y")
    #expect(wasMute.value == [false])
  }

  @Test func readsFromWhatIsNoTerminal() throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("mé".utf8))
    try pipe.fileHandleForWriting.close()
    let reader = TerminalReader(descriptor: pipe.fileHandleForReading.fileDescriptor)
    #expect(reader.readKey() == "m")
    #expect(reader.readKey() == "é")
    #expect(reader.readKey() == nil)
  }
}
