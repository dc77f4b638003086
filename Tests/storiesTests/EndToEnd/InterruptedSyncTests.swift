import Foundation
import JSONText
import StoryServer
import Synchronization
import TestSupport
import Testing

/// Signals to the real program while it syncs.
@Suite(.inTurn) struct InterruptedSyncTests {
  /// What sends a signal to a program that may still be starting.
  private final class Sender: Sendable {
    private let running = Mutex<RunningProgram?>(nil)

    func set(_ program: RunningProgram) { running.withLock { $0 = program } }

    func send(_ numbers: Int32...) {
      waitUntil { running.withLock { $0 } != nil }
      for number in numbers { running.withLock { $0 }?.signal(number) }
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func theRecordsUnderWayAreFinishedAndTheReportIsTrue(number: Int32) async throws {
    let world = try ServedLibraries { $0.features.remove(.batch) }
    let program = try world.program("lib")
    try world.writeHeroes(1...30, in: "lib")
    let sender = Sender()
    let server = world.server.server
    server.addFault(
      FaultRule(
        .before { _ in sender.send(number) }, method: "POST", path: "/api/heroes", number: 1))
    // Time for the signal to arrive; without it the answers would be too fast for it. Only those under
    // way take it.
    server.addFault(FaultRule(.delay(milliseconds: 3_000), method: "POST", path: "/api/heroes"))
    let running = try program.start(["sync", "push", "--json"])
    sender.set(running)
    running.send("")
    let result = running.wait()
    server.removeFaults()
    #expect(result.code == 130)
    #expect(
      result.errors.contains("Error: interrupted\nHint: run the same command again to continue\n"))
    let report = try JSONValue(parsing: Array(result.output.utf8))
    #expect(report["schema"] == "stories.sync/1")
    let told = report["sent"]?["created"]?.array ?? []
    #expect(!told.isEmpty && told.count < 30)
    // What it says was sent is what the server has, and that has sidecars here.
    #expect(try told.count == world.heroes().count)
    #expect(world.folder.exists("lib/heroes/.sync/hero-1.json"))
    let next = try program.run("sync", "--json")
    #expect(next.code == 0, "\(next.errors)")
    #expect(try world.heroes().count == 30)
  }

  @Test(arguments: [[SIGINT, SIGTERM], [SIGTERM, SIGINT], [SIGINT, SIGINT]])
  func aSecondSignalStopsAtOnce(numbers: [Int32]) async throws {
    let world = try ServedLibraries()
    let program = try world.program("lib")
    try world.writeHeroes(1...3, in: "lib")
    let gate = Gate()
    world.server.server.addFault(
      FaultRule(.before { _ in gate.pass() }, method: "POST", number: 1))
    let running = try program.start(["sync", "push"])
    running.send("")
    #expect(gate.waitForArrival())
    running.signal(numbers[0])
    // Two signals of one number that come too fast are one.
    waitUntil {
      running.signal(numbers[1])
      return !running.isRunning
    }
    let code = running.wait().code
    #expect(code == 130)
    gate.open()
    world.server.server.removeFaults()
    let next = try program.run("sync")
    #expect(next.code == 0, "\(next.errors)")
    #expect(try world.heroes() == ["Hero 1", "Hero 2", "Hero 3"])
  }

  @Test func whoWaitsForAnotherSyncCanLeave() async throws {
    let world = try ServedLibraries()
    let program = try world.program("lib")
    try world.writeHeroes(1...2, in: "lib")
    let gate = Gate()
    world.server.server.addFault(FaultRule(.before { _ in gate.pass() }, number: 1))
    let first = try program.start(["sync"])
    first.send("")
    #expect(gate.waitForArrival())
    let second = try program.start(["sync"])
    second.send("")
    #expect(second.hasSaid("Waiting for another command"))
    second.signal(SIGINT)
    let code = second.wait().code
    gate.open()
    let codes = [first.wait().code, code]
    #expect(codes == [0, 130])
    #expect(try world.heroes().count == 2)
  }
}
