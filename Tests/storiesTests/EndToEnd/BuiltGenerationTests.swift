import Foundation
import StoryServer
import TestSupport
import Testing

/// What a person at a terminal sees of work that the server does.
@Suite struct BuiltGenerationTests {
  private let libraries: ServedLibraries
  private let program: BuiltProgram
  private let terminal: PseudoTerminal
  private let gate = Gate()

  init() throws {
    libraries = try ServedLibraries { $0.generation.pictureMilliseconds = 0 }
    program = try libraries.program("mine")
    terminal = try PseudoTerminal()
    try libraries.folder.write(SampleLibrary.luna, to: "mine/heroes/luna.json")
  }

  private func hold(_ method: String, _ path: String, number: Int = 1) {
    libraries.server.server.addFault(
      FaultRule(.before { [gate] _ in gate.pass() }, method: method, path: path, number: number))
  }

  /// Reads what is shown until it contains something; half a minute at most.
  private func wait(for text: String, _ shown: inout String) -> Bool {
    for _ in 0..<60_000 {
      shown += terminal.shown()
      if shown.contains(text) { return true }
      usleep(500)
    }
    return false
  }

  @Test func aBarShowsWhatIsDoneWhatFailedAndWhatIsToCome() throws {
    libraries.server.server.addFault(
      FaultRule(
        .answer(status: 500, body: Array("too dark".utf8)), method: FaultRule.work,
        path: "/illustrations/*/2"))
    hold(FaultRule.work, "/illustrations/*/3")
    let running = try program.start(["generate", "story", "--illustrations"], at: terminal)
    var shown = ""
    let bar = "█████×████"
    #expect(wait(for: "1 of 4 done, 1 failed, 2 to come", &shown), "\(shown)")
    #expect(!shown.contains(bar) && shown.contains("█████×××××░░░░░░░░░░"), "\(shown)")
    gate.open()
    #expect(running.wait().code == 1)
    shown += terminal.shown()
    #expect(shown.contains("picture 2 could not be made: too dark"), "\(shown)")
    #expect(shown.contains("stories/"))
  }

  @Test func whoeverStopsWaitingIsToldHowToLookLater() throws {
    hold("POST", "/api/stories")
    let running = try program.start(["generate", "story", "--illustrations"], at: terminal)
    var shown = ""
    #expect(wait(for: "Waiting for a story about heroes/luna, with pictures, 1 s", &shown))
    #expect(
      ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"].contains { shown.contains($0) }, "\(shown)"
    )
    let drawing = Gate()
    defer { drawing.open() }
    libraries.server.server.addFault(
      FaultRule(
        .before { _ in drawing.pass() }, method: FaultRule.work, path: "/illustrations/*/2"))
    gate.open()
    #expect(wait(for: "1 of 4 done, 3 to come", &shown), "\(shown)")
    running.signal(SIGINT)
    #expect(running.wait().code == 130)
    shown += terminal.shown()
    let hint = "the server goes on; look later: stories generate illustrations stories/"
    let words = try #require(shown.ranges(of: hint).first.map { shown[$0.upperBound...] })
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

  @Test func aDownloadTellsHowFarItIs() throws {
    #expect(try program.run("generate", "avatar", "luna").code == 0)
    hold("GET", "*media*")
    let running = try program.start(["media", "pull"], at: terminal)
    var shown = ""
    #expect(wait(for: "Fetching 1 of 1, 0 bytes", &shown), "\(shown)")
    gate.open()
    #expect(running.wait().code == 0)
    shown += terminal.shown()
    #expect(shown.contains(".stories/media/avatars/luna."), "\(shown)")
    #expect(shown.contains("Fetched 1 file"))
  }
}
