import JSONText
import StoryLibrary
import StoryServer
import Testing

@testable import stories

@Suite struct CloneCommandTests {
  private func world() async throws -> (TemporaryFolder, TestServer, CommandSetting) {
    let folder = try TemporaryFolder()
    let server = try TestServer()
    let first = try server.library(in: folder, "first")
    try folder.write(SampleLibrary.luna, to: "first/heroes/luna.json")
    try #require(await first.run("sync").code == .done)
    var setting = CommandSetting(folder)
    setting.environment = first.environment
    return (folder, server, setting)
  }

  @Test func takesEverythingAndSendsNothing() async throws {
    let (folder, server, setting) = try await world()
    server.server.clearRequestLog()
    let result = await setting.run("clone", server.url, "second", "--api", "v0")
    #expect(result.code == .done, "\(result.errors)")
    #expect(result.output.contains("The library is in second\n"))
    #expect(server.takeMethods().allSatisfy { $0 == "GET" })
    #expect(try folder.read("second/heroes/luna.json") == SampleLibrary.luna)
    #expect(
      try folder.read("second/heroes/.sync/luna.json")
        == folder.read("first/heroes/.sync/luna.json"))
    #expect(!folder.exists("second/.git"))
    let taken = await setting.run("clone", server.url, "second")
    #expect(taken.code == .wrongUsage)
    #expect(taken.errors.contains("there is something in second already"))
  }

  @Test(.enabled(if: GitTree.isThere, "needs git"))
  func makesARepositoryWhereOneIsWanted() async throws {
    let (folder, server, setting) = try await world()
    try FileSystem.makeFolder(folder.path("empty"))
    let result = await setting.run("clone", server.url, "empty", "--git", "--json")
    #expect(result.code == .done)
    #expect(result.json?["schema"] == "stories.clone/1")
    #expect(result.json?["git"] == true)
    #expect(result.json?["sync"]?["received"]?["created"] == ["heroes/luna"])
    #expect(folder.exists("empty/.git"))
  }

  @Test func makesNothingWithoutASessionOrAServer() async throws {
    let (folder, server, setting) = try await world()
    var stranger = setting
    stranger.environment = ["STORIES_CONFIG_DIR": folder.path("config")]
    #expect(await stranger.run("clone", server.url, "x").code == .signInFirst)
    #expect(!folder.exists("x"))
    server.server.stop()
    #expect(await setting.run("clone", server.url, "x").code == .unreachable)
    #expect(!folder.exists("x"))
  }
}
