import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import StorySync
import Synchronization
import TestSupport
import Testing

@testable import stories

/// `stories sync --every`, by a clock that never waits.
@Suite(.inTurn) struct PeriodicSyncTests {
  private let folder: TemporaryFolder
  private let server: TestServer

  init() throws {
    folder = try TemporaryFolder()
    server = try TestServer()
  }

  /// A library, a clock, and what happens in its pauses: `nil` asks the program to end.
  private func setting(
    _ pauses: (@Sendable () -> Void)?...
  ) throws -> (CommandSetting, SteppingClock) {
    let (signals, ask) = AsyncStream<Int32>.makeStream()
    let clock = SteppingClock { number in
      if number <= pauses.count, let work = pauses[number - 1] {
        work()
      } else {
        ask.yield(SIGTERM)
      }
    }
    var setting = try server.library(in: folder, "a")
    try folder.write(SampleLibrary.luna, to: "a/heroes/luna.json")
    setting.signals = Signals { signals }
    // The program is told within a sleep, which goes on for as long as that takes to arrive.
    var time = clock.source
    let sleep = time.sleep
    time.sleep = { duration in
      try await sleep(duration)
      guard clock.slept.count > pauses.count || pauses[clock.slept.count - 1] == nil else { return }
      while !Task.isCancelled { await Task.yield() }
      throw CancellationError()
    }
    setting.time = time
    return (setting, clock)
  }

  @Test func aLineForEachRoundUntilItIsToldToEnd() async throws {
    let folder = folder
    let (setting, clock) = try setting(
      { try? folder.edit("a/heroes/luna.json", "7", to: "8") }, nil)
    let run = await setting.run("sync", "--every", "15m")
    #expect(run.code == .done)
    #expect(run.errors.hasPrefix("Syncing with \(server.url) every 15 min; Ctrl-C ends it.\n"))
    #expect(clock.slept == [.seconds(900), .seconds(900)])
    #expect(run.lines.count == 3, "\(run.output)")
    #expect(run.line(0).hasPrefix("2026-11-20T10:00:00Z  Sent 1 hero in "), "\(run.output)")
    #expect(run.line(1).hasPrefix("2026-11-20T10:15:00Z  Sent 1 hero in "))
  }

  @Test func theDocumentsAreOneALine() async throws {
    let (setting, _) = try setting({}, nil)
    let run = await setting.run("sync", "--every", "1h", "--json")
    let documents = try run.output.split(separator: "\n").map {
      try JSONValue(parsing: Array($0.utf8))
    }
    #expect(documents.count == 2)
    #expect(documents.map { $0["schema"] } == ["stories.sync-round/1", "stories.sync-round/1"])
    #expect(documents[0]["sync"]?["schema"] == "stories.sync/1")
    #expect(documents[0]["sync"]?["sent"]?["created"] == ["heroes/luna"])
    #expect(documents[0]["startedAt"] == "2026-11-20T10:00:00.000Z")
    #expect(documents[0]["exitCode"]?.integer == 0)
    #expect(documents[0]["nextWithinSeconds"]?.integer == 3_600)
    #expect(documents[1]["sync"]?["sent"]?["created"] == [])
  }

  @Test func afterAnOutageTheNextRoundFollowsTheFirstAnswer() async throws {
    let server = server.server
    server.addFault(FaultRule(.dropBeforeHandling))
    let (base, clock) = try setting({}, {}, {}, { server.removeFaults() }, nil)
    let run = await base.run("sync", "--every", "15m", "--set", "retry=0")
    // Twice as long each time while nobody answers, then a round at once, then the whole pause.
    #expect(
      clock.slept
        == [.seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(900)])
    #expect(run.lines.count == 3, "\(run.output)")
    #expect(
      run.line(0).hasSuffix(
        "  The connection to \(server.url) was lost. "
          + "Next round when the server answers, at most in 15 min."), "\(run.output)"
    )
    #expect(run.line(1).hasPrefix("2026-11-20T10:00:30Z  Sent 1 hero in "))
    #expect(run.code == .done)
    // A dropped connection to a round's first request, four probes, and what the last round asks.
    #expect(server.requestLog.prefix(5).map(\.path).filter { $0 == "/api/health" }.count >= 4)
  }

  @Test func aServerThatNeverEndsItsHeadEndsTheRounds() async {
    let endless = APIError.network(.headTooSlow(limit: .seconds(15)))
    let rounds = Box(0)
    let periodic = PeriodicSync(
      interval: .seconds(60), time: SteppingClock().source, random: { 0.5 },
      sync: {
        guard rounds.value < 3 else { throw CancellationError() }
        throw endless
      },
      isReachable: { true }, tell: { _ in rounds.value += 1 })
    await #expect(throws: endless) { try await periodic.run() }
    #expect(rounds.value == 1)
  }

  @Test func withoutAnAnswerTheRoundComesWhenThePauseIsOver() async throws {
    server.server.addFault(FaultRule(.dropBeforeHandling))
    let (base, clock) = try setting({}, {}, {}, nil)
    let run = await base.run("sync", "--every", "10s", "--set", "retry=0", "--json")
    #expect(clock.slept == [.seconds(2), .seconds(4), .seconds(4), .seconds(8)])
    let documents = try run.output.split(separator: "\n").map {
      try JSONValue(parsing: Array($0.utf8))
    }
    #expect(documents.map { $0["exitCode"]?.integer } == [6, 6])
    #expect(documents[0]["error"]?["code"] == "network")
    #expect(run.code == .unreachable)
  }

  @Test func whatFailsWithARecordIsToldOnceAndInTheEnd() async throws {
    try folder.write(#"{"name": "Otto"}"#, to: "a/heroes/otto.json")
    let (setting, _) = try setting({}, nil)
    let run = await setting.run("sync", "--every", "1h")
    #expect(run.code == .failed)
    #expect(run.output.components(separatedBy: "1 hero was not synced").count == 3)
    #expect(run.errors.components(separatedBy: "Error: ").count == 3, "\(run.errors)")
  }

  @Test func pausesDifferByATenth() async throws {
    for (random, seconds) in [(0.0, 900.0 * 0.9), (0.999_999, 900 * 1.1)] {
      let slept = Mutex<[Duration]>([])
      var time = TimeSource.system
      time.sleep = { duration in
        slept.withLock { $0.append(duration) }
        throw CancellationError()
      }
      try await PeriodicSync(
        interval: .seconds(900), time: time, random: { random }, sync: { .init() },
        isReachable: { true }, tell: { _ in }
      ).run()
      let pause = try #require(slept.withLock { $0.first }) / .seconds(1)
      #expect(abs(pause - seconds) < 0.01)
    }
  }

  @Test(arguments: [
    (["--dry-run"], "cannot be combined"), (["--max-delete", "3"], "cannot be combined"),
    (["--every", "10ms"], "at least a second"), (["--every", "15"], "a time with its unit"),
    (["--set", "retry=x"], "--set retry must be"),
    (["--server", "nonsense"], "nonsense"), (["-C", "/"], "no library here"),
  ])
  func whatCannotBeIsToldAtOnce(words: [String], message: String) async throws {
    let (setting, clock) = try setting(nil)
    let run = await setting.run(["sync", "--every", "15m"] + words)
    #expect(run.code == .wrongUsage)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(clock.slept.isEmpty)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func theBuiltProgramEndsCleanly(number: Int32) throws {
    let program = try BuiltProgram(in: folder)
    _ = try program.run("init", "lib")
    let running = try program.start(["-C", "lib", "sync", "--every", "1h"])
    let line = try #require(running.firstLine())
    #expect(line.hasSuffix("nothing was sent or received."))
    running.signal(number)
    let result = running.wait()
    #expect(result.code == 0)
    #expect(result.output == line + "\n")
    #expect(try program.run("-C", "lib", "sync").code == 0)
  }
}
