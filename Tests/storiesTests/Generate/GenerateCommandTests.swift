import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import Testing

@testable import stories

/// `generate`, `usage` and `media` against a real server.
@Suite struct GenerateCommandTests {
  private let server: TestServer
  private let folder: TemporaryFolder
  private var setting: CommandSetting

  init() throws {
    server = try TestServer {
      $0.generation.pictureMilliseconds = 0
      $0.generation.limits[.avatar] = 1
    }
    folder = try TemporaryFolder()
    setting = try server.library(in: folder, "mine")
    // Nothing waits: questions follow each other at once.
    setting.time.sleep = { _ in
      try Task.checkCancellation()
      await Task.yield()
    }
    try folder.write(SampleLibrary.luna, to: "mine/heroes/luna.json")
  }

  private func signature(_ path: String) throws -> String {
    String(decoding: try FileSystem.read(folder.path("mine/" + path)).prefix(4), as: UTF8.self)
  }

  @Test func `a story with all there is, and its files`() async throws {
    let made = await setting.run(
      "generate", "story", "--hero", "luna", "--audio", "--illustrations", "--json")
    #expect(made.code == .done, "\(made.errors)")
    let json = try #require(made.json)
    #expect(json["schema"] == "stories.generate/1" && json["what"] == "story")
    #expect(json["pushed"] == ["heroes/luna"])
    #expect(json["audio"]?["status"] == "completed")
    #expect(json["illustrations"]?["status"] == "completed")
    let file = try #require(json["file"]?.string)
    #expect(FileSystem.exists(folder.path("mine/" + file)))
    // All of it is in sync: nothing is left to send.
    let status = await setting.run("status", "--json")
    #expect(status.json?["records"] == [])
    let pull = await setting.run("media", "pull", "--json")
    #expect(pull.code == .done, "\(pull.errors)")
    let fetched = try #require(pull.json?["fetched"]?.array)
    #expect(fetched.contains { $0["kind"] == "audio" })
    for item in fetched {
      let start = try signature(item["path"]?.string ?? "")
      #expect(start == (item["kind"] == "audio" ? "RIFF" : "\u{FFFD}PNG"))
    }
    let ref = try #require(json["ref"]?.string)
    let show = await setting.run("show", ref, "--media")
    #expect(show.lines.filter { !$0.isEmpty }.count == fetched.count)
    let again = await setting.run("media", "pull")
    #expect(again.errors.contains("Everything is here already"))
  }

  @Test func `a dry run asks nothing`() async throws {
    let plan = await setting.run("generate", "avatar", "luna", "--dry-run")
    #expect(plan.output.contains("heroes/luna would be sent to"))
    #expect(plan.output.contains("would be asked for a picture of heroes/luna. Nothing was done."))
    #expect(server.server.requestCount == 0)
  }

  @Test func `a record that the server lacks is not sent where that is forbidden`() async {
    let result = await setting.run("generate", "avatar", "luna", "--no-push")
    #expect(result.code == .wrongUsage)
    #expect(result.errors.contains("the server does not have heroes/luna yet"))
  }

  @Test func `a limit says when to come back`() async throws {
    let first = await setting.run("generate", "avatar", "luna")
    #expect(first.code == .done, "\(first.errors)")
    #expect(first.errors.contains("heroes/luna is sent to"))
    let there = await setting.run("generate", "avatar", "luna")
    #expect(there.output.contains("--regenerate"))
    let second = await setting.run("generate", "avatar", "luna", "--regenerate")
    #expect(second.code == .unreachable)
    #expect(second.errors.contains("Hint: come back in "))
    let usage = await setting.run("usage", "--json")
    let limit = usage.json?["limits"]?.array?.first { $0["operation"] == "avatar_generation" }
    #expect(limit?["remaining"] == 0)
  }

  @Test func `a picture that cannot be made is told and ends with 1`() async throws {
    server.server.addFault(
      FaultRule(
        .answer(status: 500, body: Array("too dark".utf8)), method: FaultRule.work,
        path: "/illustrations/*/1"))
    let result = await setting.run("generate", "story", "--illustrations")
    #expect(result.code == .failed)
    #expect(result.errors.contains("picture 1 could not be made"))
    #expect(result.lines.first?.hasSuffix(".json") == true)
  }

  @Test func `an unknown event type gets the nearest one`() async {
    let result = await setting.run("generate", "story", "--event-type", "bedtim")
    #expect(result.code == .wrongUsage && result.errors.contains("bedtime"))
  }
}
