import Foundation
import Synchronization
import TestSupport
import Testing

@testable import stories

/// What is typed on a real (pseudo) terminal while a password is asked for.
@Suite struct HiddenLineTests {
  /// Types keys once the terminal is mute, and gives what the program read.
  private func hiddenLine(
    typing keys: [UInt8], suspend: @escaping @Sendable (PseudoTerminal) -> Void = { _ in }
  ) throws -> (line: Result<String?, any Error>, shown: String) {
    let terminal = try PseudoTerminal()
    let typist = Thread {
      // Keys that come before are thrown away, as those of somebody who types ahead should be.
      waitUntil { terminal.isMute }
      terminal.type(keys)
    }
    typist.start()
    let line = Result {
      try TerminalReader(descriptor: terminal.program, suspend: { suspend(terminal) })
        .readHiddenLine()
    }
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

  /// The shell gets a terminal with echo, and the password has no control character.
  @Test func controlZStopsTheProgramMeanwhile() throws {
    let wasMute = Box<[Bool]>([])
    let result = try hiddenLine(typing: Array("sec\u{1A}ret\r".utf8)) { terminal in
      wasMute.change { $0.append(terminal.isMute) }
    }
    #expect(wasMute.value == [false])
    #expect(try result.line.get() == "secret")
  }

  @Test func controlDEndsAnEmptyLine() throws {
    #expect(try hiddenLine(typing: [4]).line.get() == nil)
  }

  @Test func whatIsNoTerminalIsNotRead() throws {
    let pipe = Pipe()
    let reader = TerminalReader(descriptor: pipe.fileHandleForReading.fileDescriptor)
    #expect(try reader.readHiddenLine() == nil)
  }
}
