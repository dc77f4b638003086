import Foundation
import StoryServer
import TestSupport
import Testing

/// What a person at a terminal sees of work that the server does.
@Suite(.inTurn) struct BuiltGenerationTests {
  private let libraries: ServedLibraries
  private let program: BuiltProgram
  private let terminal: PseudoTerminal
  private let gate = Gate()

  init() throws {
    libraries = try ServedLibraries { $0.generation.engine = TestEngine() }
    program = try libraries.program("mine")
    terminal = try PseudoTerminal()
    try libraries.folder.write(SampleLibrary.luna, to: "mine/heroes/luna.json")
  }

  private func hold(_ method: String, _ path: String, number: Int = 1) {
    libraries.server.server.addFault(
      FaultRule(.before { [gate] _ in gate.pass() }, method: method, path: path, number: number))
  }

  /// What is shown from now on until something is.
  private func shown(until isThere: @escaping @Sendable (String) -> Bool) async throws -> String {
    var shown = ""
    waitUntil {
      shown += terminal.shown()
      return isThere(shown)
    }
    return shown
  }

  /// Waits for the end of a program; what it shows until then is read, for a terminal that nobody reads
  /// holds little, and who writes to it waits.
  private func end(_ running: RunningProgram) async throws -> (code: Int32, shown: String) {
    var shown = ""
    while running.isRunning {
      shown += terminal.shown()
      usleep(500)
    }
    return (running.wait().code, shown + terminal.shown())
  }

  @Test func aBarShowsWhatIsDoneWhatFailedAndWhatIsToCome() async throws {
    libraries.server.server.addFault(
      FaultRule(
        .answer(status: 500, body: Array("too dark".utf8)), method: FaultRule.work,
        path: "/illustrations/*/2"))
    hold(FaultRule.work, "/illustrations/*/3")
    let running = try program.start(["generate", "story", "--illustrations"], at: terminal)
    let words = "1 of 4 done, 1 failed, 2 to come"
    var shown = try await shown { $0.contains(words) }
    #expect(shown.contains(words), "\(shown)")
    let bar = "█████×████"
    #expect(!shown.contains(bar) && shown.contains("█████×××××░░░░░░░░░░"), "\(shown)")
    gate.open()
    let last = try await end(running)
    #expect(last.code == 1)
    shown += last.shown
    #expect(shown.contains("picture 2 could not be made: too dark"), "\(shown)")
    #expect(shown.contains("stories/"))
  }

  @Test func whoeverStopsWaitingIsToldHowToLookLater() async throws {
    hold("POST", "/api/stories")
    let running = try program.start(["generate", "story", "--illustrations"], at: terminal)
    let waiting = "Waiting for a story about heroes/luna, with pictures, "
    // How many seconds went by is a matter of the machine.
    @Sendable func isWaiting(_ text: String) -> Bool {
      text.ranges(of: waiting).contains {
        text[$0.upperBound...].firstMatch(of: /^[0-9]+ s/) != nil
      }
    }
    var shown = try await shown(until: isWaiting)
    #expect(isWaiting(shown), "\(shown)")
    #expect(
      ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"].contains { shown.contains($0) }, "\(shown)"
    )
    let drawing = Gate()
    defer { drawing.open() }
    libraries.server.server.addFault(
      FaultRule(
        .before { _ in drawing.pass() }, method: FaultRule.work, path: "/illustrations/*/2"))
    gate.open()
    let drawn = "1 of 4 done, 3 to come"
    shown += try await self.shown { $0.contains(drawn) }
    #expect(shown.contains(drawn), "\(shown)")
    running.signal(SIGINT)
    let last = try await end(running)
    #expect(last.code == 130)
    shown += last.shown
    let hint = "the server goes on; look later: stories generate illustrations stories/"
    // Notes are wrapped.
    let line = shown.replacing(/\s+/, with: " ")
    let words = try #require(line.ranges(of: hint).first.map { line[$0.upperBound...] })
    let name = String(words.prefix { !$0.isWhitespace })
    // The server goes on, and whoever looks later asks for nothing again.
    drawing.open()
    let later = try program.run("generate", "illustrations", "stories/\(name)")
    #expect(later.code == 0, "\(later.errors)")
    let orders = libraries.server.server.requestLog.filter {
      $0.method == "POST" && $0.path.hasSuffix("/illustrations")
    }
    #expect(orders.isEmpty, "the story was ordered with its pictures")
  }

  @Test func aDownloadTellsHowFarItIs() async throws {
    let made = try program.run("generate", "avatar", "luna")
    #expect(made.code == 0, "\(made.errors)")
    hold("GET", "*media*")
    let running = try program.start(["media", "pull"], at: terminal)
    let words = "Fetching 1 of 1, 0 bytes"
    var shown = try await shown { $0.contains(words) }
    #expect(shown.contains(words), "\(shown)")
    gate.open()
    let last = try await end(running)
    #expect(last.code == 0)
    shown += last.shown
    #expect(shown.contains(".stories/media/avatars/luna."), "\(shown)")
    #expect(shown.contains("Fetched 1 file"))
  }
}
