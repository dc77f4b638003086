import JSONText
import StoryServer
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct WhyCommandTests {
  @Test func explainsAnEditField() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    let run = await library.run("why", "luna")
    #expect(run.code == .done)
    #expect(
      run.output.hasPrefix(
        """
        heroes/luna  M.  pendingUpdate
          Differs from its base: the next push sends the changed fields.

          age
            base    7
            local   8
            rule    changed locally: the next push sends it (policy “server”)

          id 
        """))
    #expect(run.output.hasSuffix("  The server was not asked: add --remote.\n"))
  }

  @Test func jsonHasTheSame() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    let json = try #require(await library.run("why", "luna", "--json").json)
    #expect(json["schema"] == "stories.why/1")
    #expect(json["state"] == "pendingUpdate")
    #expect(
      json["fields"] == [
        [
          "field": "age", "base": 7, "local": 8, "policy": "server",
          "verdict": "changed locally: the next push sends it",
        ]
      ])
  }

  @Test func asksTheServerWhatItHasNow() async throws {
    let world = try await ConflictedLibraries()
    try world.folder.edit("ann/heroes/luna.json", "7", to: "9")
    #expect(await world.ann.run("sync", "push").code == .done)
    let run = await world.ben.run("why", "luna", "--remote", "--json")
    let field = run.json?["fields"]?.array?.first
    #expect(field?["server"] == 9)
    #expect(field?["verdict"] == "changed on the server: the next pull takes it")
    let conflict = await world.ben.run("why", "first-snow")
    #expect(
      conflict.line(1) == "  Waits for a decision: `stories resolve stories/2026/first-snow`")
    #expect(conflict.output.contains("    server  “Their Snow”\n"))
    let gone = await world.ben.run("why", "power-cut", "--remote", "--json").json
    #expect(gone?["verdict"] == "waits for a decision: `stories resolve events/power-cut`")
  }

  @Test func explainsRecordsThatTheServerDoesNotHave() async throws {
    let library = try SampleLibrary()
    let run = await library.run("why", "first-snow")
    #expect(run.line(1) == "  Has no sidecar: the next push creates it on the server.")
    #expect(run.output.contains("  It names heroes/luna and events/lost-tooth, which"))
    #expect(await library.run("why", "nobody").code == .wrongUsage)
    #expect(await library.run("why").code == .wrongUsage)
  }

  @Test func withoutSomebodySignedInTheServerIsNotAsked() async throws {
    let world = try await ConflictedLibraries()
    var setting = world.ben
    setting.environment["STORIES_TOKEN"] = nil
    #expect(await setting.run("why", "luna", "--remote").code == .signInFirst)
    #expect(await setting.run("why", "luna").code == .done)
  }
}
