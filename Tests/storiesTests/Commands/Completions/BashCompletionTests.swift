import Foundation
import TestSupport
import Testing

@testable import stories

/// The script for bash, read by bash, with keys pressed at a terminal.
@Suite(.inTurn) struct BashCompletionTests {
  private static let bash = "/bin/bash"
  private static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: bash) }

  @Test(.enabled(if: isInstalled, "needs bash")) func tabCompletes() async throws {
    let library = try SampleLibrary()
    let terminal = try PseudoTerminal()
    try library.folder.write(Shell.bash.script + "PS1='> '\n", to: "completion")
    let running = try RunningProgram(
      ProgramStart(
        words: [
          Self.bash, "--noprofile", "--rcfile", library.folder.path("completion"), "-i",
        ],
        environment: CompletedLines.environment(library),
        folder: library.folder.path),
      at: terminal.program)
    defer {
      running.signal(SIGKILL)
      _ = running.wait()
    }
    var shown = ""
    func wait(until isThere: (String) -> Bool) async throws {
      try await eventually {
        shown += terminal.shown()
        return isThere(shown)
      }
    }
    try await wait { $0.contains("> ") }
    for (typed, completed) in CompletedLines.all {
      shown = ""
      // The bar is typed behind what the key does, so all of that is shown before it; then the line
      // is given up (Ctrl-C).
      terminal.type(Array("\(typed)\t|".utf8))
      try await wait { $0.contains("|") }
      #expect(shown.contains(completed + "|"), "\(shown)")
      shown = ""
      terminal.type([0x15, 0x0D])
      // The prompt of the same line may be drawn once more; on the next line keys are read again.
      try await wait { text in
        text.unicodeScalars.lastIndex(of: "\n").map { text[$0...].contains("> ") } ?? false
      }
    }
  }
}
