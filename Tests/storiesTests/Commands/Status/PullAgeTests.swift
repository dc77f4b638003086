import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// `stories status --max-age`.
@Suite(.inTurn) struct PullAgeTests {
  private let folder: TemporaryFolder
  private let server: TestServer
  private let clock = SteppingClock()
  private let setting: CommandSetting

  init() throws {
    folder = try TemporaryFolder()
    server = try TestServer()
    var setting = try server.library(in: folder, "a")
    setting.time = clock.source
    self.setting = setting
    try folder.write(SampleLibrary.luna, to: "a/heroes/luna.json")
  }

  private func status() async -> CommandRun { await setting.run("status", "--max-age", "24h") }

  @Test func failsWhereThereWasNone() async throws {
    let run = await status()
    #expect(run.code == .failed)
    #expect(
      run.errors == "Error: there has been no complete pull yet\nHint: stories sync pull\n")
    #expect(run.output.contains("heroes/luna"), "what it shows is shown all the same")
    // A push reads the list, but takes nothing in.
    #expect(await setting.run("sync", "push").code == .done)
    #expect(await status().code == .failed)
  }

  @Test(arguments: ["sync", "pull"])
  func holdsForAsLongAsIsSaid(words: String) async throws {
    let words = words == "pull" ? ["sync", "pull"] : ["sync"]
    #expect(await setting.run(words).code == .done)
    #expect(await status().code == .done)
    clock.advance(by: .seconds(86_400))
    #expect(await status().code == .done)
    clock.advance(by: .seconds(1))
    let run = await status()
    #expect(run.code == .failed)
    #expect(run.errors.contains("the last complete pull was 1 day 1 h ago, more than 1d"))
    let json = await setting.run("status", "--max-age", "24h", "--json", "--exit-code")
    #expect(json.code == .failed, "stale goes before pending")
    #expect(json.json?["pulledAt"] == "2026-11-20T10:00:00.000Z")
    #expect(json.json?["error"]?["code"] == "stale")
    #expect(json.json?["schema"] == "stories.status/1")
    #expect(await setting.run(words).code == .done)
    #expect(await status().code == .done)
  }

  @Test func aPullThatFailedOrLeftSomethingOutIsNone() async throws {
    #expect(await setting.run("sync").code == .done)
    clock.advance(by: .seconds(2 * 86_400))
    let outage = server.server.addFault(FaultRule(.answer(status: 400), path: "/api/stories"))
    #expect(await setting.run("sync", "pull").code != .done)
    #expect(await status().code == .failed)
    server.server.removeFault(outage)
    // A record that cannot be understood is left out, and with it the pull is not whole.
    let body = """
      {"data":[{"id":"x","name":7}],"pagination":{"total":1,"limit":100,"offset":0,"hasMore":false,"next":null}}
      """
    let broken = server.server.addFault(
      FaultRule(.replaceBody(Array(body.utf8)), method: "GET", path: "/api/custom-events"))
    let pull = await setting.run("sync", "pull")
    #expect(pull.code == .failed)
    #expect(
      pull.errors.contains("Error: events/x: skipped, because the server's record is malformed"),
      "\(pull.errors)")
    #expect(await status().code == .failed)
    server.server.removeFault(broken)
    #expect(await setting.run("sync", "pull").code == .done)
    #expect(await status().code == .done)
  }

  @Test func anotherServersPullDoesNotCount() async throws {
    #expect(await setting.run("sync").code == .done)
    #expect(await status().code == .done)
    #expect(await setting.run("remote", "set", "embedded").code == .done)
    #expect(await status().code == .failed)
  }

  @Test func aPullInTheFutureTellsOfTheClock() async throws {
    clock.advance(by: .seconds(86_400))
    #expect(await setting.run("sync").code == .done)
    var earlier = setting
    earlier.time = SteppingClock().source
    let run = await earlier.run("status", "--max-age", "24h")
    #expect(run.code == .failed)
    #expect(run.errors.contains("in the future for this machine's clock"))
  }
}
