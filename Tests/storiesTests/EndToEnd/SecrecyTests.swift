import Foundation
import StoryAPI
import StoryServer
import TestSupport
import Testing

@testable import stories

/// No token, no password and no signed URL stands in anything that is written, but for the token file.
@Suite(.inTurn) struct SecrecyTests {
  @Test(arguments: ServerAPI.allCases)
  func `no command writes a secret anywhere`(_ api: ServerAPI) async throws {
    let library = try MarkedLibrary(api)
    var codes: Set<ExitCode> = []
    for (number, mood) in MarkedLibrary.moods.enumerated() {
      library.server.server.removeFaults()
      try await library.signUp()
      for (place, words) in library.commandLines.enumerated() {
        try library.set(mood)
        // Every second one as JSON, the other half in the next mood.
        let json = (place + number).isMultiple(of: 2) ? ["--json"] : []
        let result = await library.run(words + json)
        codes.insert(result.code)
        try library.noteTokens()
        expectNothing(of: library, in: result, "a server that \(mood): \(words)")
      }
      #expect(try library.filesWithSecrets() == [], "a server that \(mood)")
    }
    // The secrets were really there, and so was every way to end.
    #expect(library.tokenCount >= (api == .v0 ? 4 : 2))
    #expect(codes.isSuperset(of: [.done, .failed, .signInFirst, .unreachable]))
  }

  @Test(arguments: ServerAPI.allCases)
  func `a sync that goes on for long writes none either`(_ api: ServerAPI) async throws {
    let library = try MarkedLibrary(api)
    try await library.signUp()
    let (signals, ask) = AsyncStream<Int32>.makeStream()
    // A mood for each round; in the pause after the last one it is told to end.
    let clock = SteppingClock { number in
      do {
        if number < MarkedLibrary.moods.count {
          try library.set(MarkedLibrary.moods[number])
          try library.noteTokens()
        } else {
          ask.yield(SIGTERM)
        }
      } catch {
        Issue.record(error)
      }
    }
    var setting = library.setting()
    setting.environment["STORIES_RETRY"] = "0"
    setting.signals = Signals { signals }
    setting.time = clock.source
    setting.time.sleep = { [sleep = setting.time.sleep] duration in
      try await sleep(duration)
      guard clock.slept.count >= MarkedLibrary.moods.count else { return }
      // The signal that was sent ends this, and nothing else does.
      for await _ in AsyncStream<Never>.makeStream().stream {}
      throw CancellationError()
    }
    let run = await setting.run("sync", "--every", "15m", "-vv")
    #expect(clock.slept.count == MarkedLibrary.moods.count)
    #expect(run.lines.count > MarkedLibrary.moods.count / 2, "\(run.output)")
    expectNothing(of: library, in: run, "rounds")
    #expect(try library.filesWithSecrets() == [])
  }

  private func expectNothing(of library: MarkedLibrary, in run: CommandRun, _ what: String) {
    for (stream, text) in [("output", run.output), ("errors", run.errors)] {
      let lines = text.split(separator: "\n").filter { !library.secrets(in: String($0)).isEmpty }
      #expect(lines.isEmpty, "\(what) wrote to \(stream): \(lines.first?.prefix(300) ?? "")")
    }
  }

  /// The signals of a program that crashes leave nothing of its memory behind, where a piece of a
  /// token might be.
  @Test(arguments: [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGQUIT])
  func `a crash tells nothing`(_ number: Int32) async throws {
    let crash = try await Crash()
    let result = try await crash.end(by: number)
    #expect(result.code == number)
    #expect(result.errors.contains("Server: "))
    try crash.expectNothing(in: result)
    for word in ["Backtrac", "Registers", "crashed"] { #expect(!result.errors.contains(word)) }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/limits"), "needs procfs"))
  func `no core is handed to a program either`() async throws {
    let crash = try await Crash()
    let limits = try String(
      contentsOfFile: "/proc/\(crash.running.identifier)/limits", encoding: .utf8)
    let words = try #require(limits.split(separator: "\n").first { $0.contains("core file") })
      .split(separator: " ")
    // `Max core file size  SOFT  HARD  bytes`: of exactly 1 the kernel makes no core at all.
    #expect(words[4] == (words[5] == "0" ? "0" : "1"), "\(words)")
    _ = try await crash.end(by: SIGKILL)
  }

  @Test func `who asks where it crashed is told without the memory`() async throws {
    // The report is the Swift runtime's work, which seldom hangs while it stops the other threads.
    let isTold = try await withTime(of: [.seconds(20), .seconds(60), patience]) { time in
      let crash = try await Crash(["SWIFT_BACKTRACE": "enable=yes,registers=none"])
      crash.running.signal(SIGSEGV)
      let isTold = crash.running.hasSaid("Backtrace took", within: time)
      // A signal that came from outside does not come again by itself after the report.
      try crash.expectNothing(in: await crash.end(by: SIGKILL))
      return isTold
    }
    #expect(isTold)
  }

  /// The built program in a sync whose first write is never answered.
  private struct Crash: Sendable {
    let library: MarkedLibrary
    let running: RunningProgram

    init(_ environment: [String: String] = [:]) async throws {
      library = try MarkedLibrary(.v0)
      try await library.signUp()
      library.server.server.addFault(
        FaultRule(.delay(milliseconds: 600_000), method: "POST", path: "/api/*"))
      var program = try BuiltProgram(in: library.folder)
      program.environment["STORIES_CONFIG_DIR"] = library.folder.path("config")
      program.environment["STORIES_REQUEST_TIMEOUT"] = "10m"
      program.environment.merge(environment) { $1 }
      let server = library.server.server
      server.clearRequestLog()
      running = try program.start(["-C", "library", "sync", "-vv"])
      try await eventually { server.requestLog.last?.method == "POST" || !running.isRunning }
      try #require(running.isRunning, "the sync sent nothing")
    }

    func end(by number: Int32) async throws -> RunningProgram.Result {
      running.signal(number)
      return running.wait()
    }

    func expectNothing(in result: RunningProgram.Result) throws {
      #expect(library.tokenCount > 0)
      #expect(library.secrets(in: result.output + result.errors).isEmpty, "\(result.errors)")
      #expect(try library.filesWithSecrets() == [])
    }
  }
}
