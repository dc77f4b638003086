import Foundation
import TestSupport
import Testing

@testable import stories

/// The scripts for zsh and fish, read by those shells.
@Suite(.inTurn) struct ShellCompletionTests {
  /// The shell's program; `nil` where it is not installed.
  private static func program(_ shell: Shell) -> String? {
    ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(shell.rawValue)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  @Test(.enabled(if: program(.zsh) != nil, "needs zsh")) func tabCompletesInZsh() async throws {
    let zsh = try #require(Self.program(.zsh))
    let library = try SampleLibrary()
    let folder = library.folder
    try folder.write(Shell.zsh.script, to: "completion/_stories")
    // A key of its own tells the line as it stands and gives it up.
    try folder.write(
      """
      fpath=(\(folder.path("completion")) $fpath)
      autoload -Uz compinit; compinit -u -D
      tell() { print -r -- "$BUFFER|" >> told; BUFFER= }
      zle -N tell; bindkey '^X' tell
      zle-line-init() { : >> told }
      zle -N zle-line-init

      """, to: ".zshrc")
    let terminal = try PseudoTerminal()
    let running = try RunningProgram(
      ProgramStart(
        words: [zsh, "-d", "-i"], environment: CompletedLines.environment(library),
        folder: folder.path),
      at: terminal.program)
    defer {
      running.signal(SIGKILL)
      _ = running.wait()
    }
    var shown = ""
    func told(_ count: Int) async throws -> [String] {
      var lines: [String] = []
      try await eventually {
        shown += terminal.shown()
        guard let text = try? folder.read("told") else { return false }
        lines = text.split(separator: "\n").map(String.init)
        return lines.count >= count
      }
      return lines
    }
    _ = try await told(0)
    for (number, (typed, completed)) in CompletedLines.all.enumerated() {
      terminal.type(Array("\(typed)\t\u{18}".utf8))
      let line = try await told(number + 1).last
      #expect(line == completed + "|", "\(shown)")
    }
  }

  @Test(.enabled(if: program(.fish) != nil, "needs fish")) func fishCompletes() async throws {
    let fish = try #require(Self.program(.fish))
    let library = try SampleLibrary()
    try library.folder.write(Shell.fish.script, to: "completion")
    // Asked for the candidates of a line, it prints each with its description.
    let script = CompletedLines.all.map { "complete -C '\($0.0)'; echo ." }.joined(separator: "\n")
    try library.folder.write("source completion\n\(script)\n", to: "asks")
    let running = try RunningProgram(
      ProgramStart(
        words: [fish, "--no-config", "asks"], environment: CompletedLines.environment(library),
        folder: library.folder.path))
    let result = running.wait()
    #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
    let answers = result.output.components(separatedBy: ".\n")
    for ((typed, completed), answer) in zip(CompletedLines.all, answers) {
      let words = answer.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
      let expected = completed.split(separator: " ").last.map(String.init)
      #expect(words == [expected], "\(typed)")
    }
    #expect(result.output.contains("whoami\tShow which account is signed in\n"))
  }
}
