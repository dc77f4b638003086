import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// What `whoami` and `usage` say where the server cannot be asked.
@Suite(.inTurn) struct CachedAnswerTests {
  private let folder: TemporaryFolder
  private let server: TestServer
  private let clock = SteppingClock()
  private let setting: CommandSetting

  /// A library whose owner is signed in, and a server that counts what it makes.
  init() async throws {
    folder = try TemporaryFolder()
    server = try TestServer()
    var setting = try server.library(in: folder, "a")
    setting.environment = [
      "STORIES_CONFIG_DIR": folder.path("config"), "STORIES_RETRY": "0", "NO_COLOR": "1",
    ]
    setting.time = clock.source
    self.setting = setting
    #expect(await signUp("a@example.org", name: "Ann").code == .done)
  }

  private func signUp(_ email: String, name: String) async -> CommandRun {
    var setting = setting
    setting.typed = [TestServer.password]
    return await setting.run("sign-up", "--email", email, "--name", name, "--password-stdin")
  }

  private func countUsage() {
    let body = """
      {"data":{"story_generation":{"limit":10,"remaining":7,"resetAt":"2026-11-20T11:00:00Z"},
      "audio_generation":{"limit":5,"remaining":0,"resetAt":null}}}
      """
    server.server.addFault(
      FaultRule(.answer(status: 200, body: Array(body.utf8)), path: "/api/user/usage"))
  }

  @Test func whoamiFallsBackAndSaysHowOldItIs() async throws {
    #expect(await setting.run("whoami").errors.isEmpty)
    clock.advance(by: .seconds(180))
    server.server.addFault(FaultRule(.dropBeforeHandling))
    let run = await setting.run("whoami")
    #expect(run.code == .done)
    #expect(run.output == "Ann <a@example.org> at \(server.url)\n")
    #expect(
      run.errors == "Note: The connection to \(server.url) was lost. "
        + "This is the server's answer from 3 min ago.\n")
    let json = try #require(await setting.run("whoami", "--json").json)
    #expect(json["ageSeconds"]?.integer == 180)
    #expect(json["account"]?["name"] == "Ann")
    server.server.removeFaults()
    #expect(await setting.run("whoami", "--json").json?["ageSeconds"] == .null)
  }

  /// Whatever form of the contract `library.json` names, or leaves open.
  @Test(arguments: ["auto", "v0"]) func theFormNeedNotBeNamed(api: String) async throws {
    countUsage()
    try folder.edit("a/library.json", "\"api\": \"v0\"", to: "\"api\": \"\(api)\"")
    #expect(await setting.run("whoami").code == .done)
    #expect(await setting.run("usage").code == .done)
    try await expectOldAnswers(setting, server)
  }

  /// Stops a server, and expects that its answers are still known two hours later.
  private func expectOldAnswers(
    _ setting: CommandSetting, _ server: TestServer
  ) async throws {
    try server.stop()
    clock.advance(by: .seconds(7_200))
    for words in [["whoami"], ["usage"]] {
      let run = await setting.run(words)
      #expect(run.code == .done, "\(run.errors)")
      #expect(
        run.errors == "Note: Cannot reach \(server.url): connection refused."
          + " This is the server's answer from 2 h ago.\n")
    }
  }

  @Test func soDoAnswersOfTheDeployedService() async throws {
    let server = try TestServer { $0.api = .v1 }
    let library = try server.library(in: folder, "v1")
    var setting = setting
    setting.folder = library.folder
    setting.typed = [TestServer.password]
    let line = ["sign-up", "--email", "v@example.org", "--name", "Vera", "--password-stdin"]
    #expect(await setting.run(line).code == .done)
    #expect(await setting.run("whoami").code == .done)
    #expect(await setting.run("usage").code == .done)
    try await expectOldAnswers(setting, server)
  }

  @Test func usageIsShownAndKept() async throws {
    countUsage()
    let run = await setting.run("usage")
    #expect(run.code == .done, "\(run.errors)")
    #expect(
      run.lines.prefix(2) == [
        "story generation  7 of 10 left  resets in 1 h", "audio generation  0 of 5 left",
      ])
    server.server.removeFaults()
    server.server.addFault(FaultRule(.answer(status: 503)))
    clock.advance(by: .seconds(3 * 86_400))
    let old = await setting.run("usage", "--json")
    #expect(old.code == .done)
    #expect(old.json?["schema"] == "stories.usage/1")
    #expect(old.json?["ageSeconds"]?.integer == 259_200)
    #expect(old.json?["limits"]?.array?.first?["operation"] == "story_generation")
    #expect(old.json?["limits"]?.array?.first?["remaining"]?.integer == 7)
    #expect(old.errors.hasSuffix("This is the server's answer from 3 days ago.\n"))
  }

  @Test func aServerThatCountsNothingSaysSo() async throws {
    server.server.addFault(FaultRule(.answer(status: 404), path: "/api/user/usage"))
    let run = await setting.run("usage")
    #expect(run.code == .failed)
    #expect(run.errors.hasPrefix("Error: \(server.url) does not report usage\n"))
  }

  @Test func aRefusalIsNoOutage() async throws {
    #expect(await setting.run("whoami").code == .done)
    server.server.addFault(FaultRule(.answer(status: 403), path: "/api/user/profile"))
    #expect(await setting.run("whoami").code == .failed)
  }

  @Test func nobodySeesAnotherAccountsAnswers() async throws {
    countUsage()
    #expect(await setting.run("usage").code == .done)
    #expect(await signUp("b@example.org", name: "Ben").code == .done)
    server.server.addFault(FaultRule(.dropBeforeHandling))
    let run = await setting.run("usage")
    #expect(run.code == .unreachable)
    #expect(run.output.isEmpty)
    // Back in Ann's session her answers are still there.
  }

  @Test func signingOutDropsThemAlsoFromOutside() async throws {
    func files() throws -> [String] {
      try FileSystem.list(folder.path("a/.stories/cache")).flatMap { account in
        try FileSystem.list(folder.path("a/.stories/cache/\(account.name)")).map(\.name)
      }
    }
    #expect(await setting.run("whoami").code == .done)
    #expect(try files().count == 1)
    #expect(await setting.run("sign-out").code == .done)
    #expect(try files().isEmpty)
    var inside = setting
    inside.typed = [TestServer.password]
    _ = await inside.run("sign-in", "--email", "a@example.org", "--password-stdin")
    #expect(await setting.run("whoami").code == .done)
    var outside = setting
    outside.folder = folder.path
    #expect(await outside.run("sign-out", "--server", server.url).code == .done)
    #expect(await setting.run("whoami").code == .signInFirst)
    #expect(try files().isEmpty)
  }

  @Test func outsideOfALibraryNothingIsKept() async throws {
    var outside = setting
    outside.folder = folder.path
    #expect(await outside.run("whoami", "--server", server.url).code == .done)
    server.server.addFault(FaultRule(.dropBeforeHandling))
    #expect(await outside.run("whoami", "--server", server.url).code == .unreachable)
  }
}
