import JSONText
import StoryLibrary
import StoryServer
import Testing

@testable import stories

/// Two libraries that sync with one server, through the commands.
@Suite struct TwoLibrariesTests {
  private let folder: TemporaryFolder
  private let server: TestServer
  private let ann: CommandSetting
  private let ben: CommandSetting

  init() throws {
    folder = try TemporaryFolder()
    server = try TestServer()
    ann = try server.library(in: folder, "ann")
    ben = try server.library(in: folder, "ben")
  }

  private func start() async throws {
    try folder.write(SampleLibrary.luna, to: "ann/heroes/luna.json")
    try folder.write(SampleLibrary.tooth, to: "ann/events/lost-tooth.json")
    try folder.write(SampleLibrary.snow, to: "ann/stories/the-first-snow.json")
    try #require(await ann.run("sync", "push").code == .done)
    try #require(await ben.run("sync", "pull").code == .done)
  }

  @Test func whatOneMakesTheOtherGets() async throws {
    try folder.write(SampleLibrary.luna, to: "ann/heroes/luna.json")
    let push = await ann.run("sync")
    #expect(
      push.output == """
        Sent to \(server.url):
          created  heroes/luna

        Sent 1 hero in 6 requests.

        """)
    let pull = await ben.run("sync", "pull")
    #expect(pull.code == .done)
    #expect(
      pull.output.hasPrefix(
        "Received from \(server.url):\n  new  heroes/luna\n\nReceived 1 hero in"))
    #expect(try folder.read("ben/heroes/luna.json") == SampleLibrary.luna)
  }

  @Test func editsOfDifferentFieldsComeTogether() async throws {
    try await start()
    try folder.edit("ann/heroes/luna.json", "7", to: "8")
    try folder.edit("ben/heroes/luna.json", "\"curious\"", to: "\"curious\", \"loud\"")
    #expect(await ann.run("sync").code == .done)
    let result = await ben.run("sync")
    #expect(result.code == .done)
    #expect(result.output.contains("  merged  heroes/luna\n"))
    #expect(await ann.run("sync").code == .done)
    #expect(try folder.read("ann/heroes/luna.json") == folder.read("ben/heroes/luna.json"))
  }

  @Test func bothSidesOfOneFieldAreAConflict() async throws {
    try await start()
    try folder.edit("ann/stories/the-first-snow.json", "The First Snow", to: "Snow")
    try folder.edit("ben/stories/the-first-snow.json", "The First Snow", to: "White")
    #expect(await ann.run("sync").code == .done)
    let result = await ben.run("sync")
    #expect(result.code == .conflictsLeft)
    #expect(
      result.output == """
        In conflict, waiting for your decision (stories resolve REF):
          stories/the-first-snow  title

        Left 1 conflict in 5 requests.

        """)
    let json = await ben.run("sync", "--json")
    #expect(json.code == .conflictsLeft)
    #expect(
      json.json?["conflicts"] == [["ref": "stories/the-first-snow", "fields": ["title"]]])
    #expect(await ben.run("sync", "-q").output.contains("stories/the-first-snow  title"))
  }

  @Test func aStrategyDecides() async throws {
    try await start()
    try folder.edit("ann/stories/the-first-snow.json", "The First Snow", to: "Snow")
    try folder.edit("ben/stories/the-first-snow.json", "The First Snow", to: "White")
    #expect(await ann.run("sync").code == .done)
    let plan = await ben.run("sync", "--strategy", "local", "--dry-run")
    #expect(plan.output.contains("decided  stories/the-first-snow  title: the local value stays"))
    #expect(plan.output.hasSuffix("Nothing was done.\n"))
    let result = await ben.run("sync", "--strategy", "local")
    #expect(result.code == .done)
    #expect(result.output.contains("decided  stories/the-first-snow  title: the local value stays"))
  }

  @Test func deletesAndRenamesArrive() async throws {
    try await start()
    try folder.write(SampleLibrary.otto, to: "ann/heroes/otto.json")
    try #require(await ann.run("sync").code == .done)
    try #require(await ben.run("sync").code == .done)
    try folder.remove("ann/heroes/otto.json")
    try folder.move("ann/events/lost-tooth.json", to: "ann/events/old/tooth.json")
    let push = await ann.run("sync")
    #expect(push.output.contains("  deleted  heroes/otto\n"))
    #expect(push.output.contains("  renamed  events/old/tooth  was events/lost-tooth\n"))
    let pull = await ben.run("sync")
    #expect(pull.output.contains("  removed  heroes/otto\n"))
    #expect(!folder.exists("ben/heroes/otto.json"))
  }

  @Test func nobodySignedIn() async throws {
    var stranger = CommandSetting(folder.path("ann"))
    stranger.environment = ["STORIES_CONFIG_DIR": folder.path("config")]
    let result = await stranger.run("sync", "--json")
    #expect(result.code == .signInFirst)
    #expect(result.json?["schema"] == "stories.error/1")
    #expect(result.json?["error"]?["code"] == "not-signed-in")
    #expect(result.errors == "Error: Sign in first: stories sign-in\n")
  }

  @Test func aServerThatIsGone() async throws {
    try await start()
    server.server.stop()
    let result = await ann.run("sync", "--json")
    #expect(result.code == .unreachable)
    #expect(result.errors.contains("Network error. Please check your connection."))
  }

  @Test func anotherAccountIsRefused() async throws {
    try await start()
    var other = ann
    other.environment["STORIES_TOKEN"] = try server.server.issueToken(email: "x@example.org").token
    let result = await other.run("sync")
    #expect(result.code == .stopped)
    #expect(result.errors.contains("stopped for safety, nothing was done: this library belongs to"))
  }

  @Test func interruptedWhileTheServerThinks() async throws {
    try await start()
    try folder.edit("ann/heroes/luna.json", "7", to: "8")
    let (signals, sender) = AsyncStream.makeStream(of: Int32.self)
    let path = "/api/heroes*"
    _ = server.server.addFault(FaultRule(.before { _ in sender.yield(2) }, path: path, number: 1))
    _ = server.server.addFault(FaultRule(.delay(milliseconds: 20_000), path: path, number: 1))
    var setting = ann
    setting.signals = Signals { signals }
    let result = await setting.run("sync")
    #expect(result.code == .interrupted)
    // What was under way is settled by the next run.
    #expect(await ann.run("sync").code == .done)
    #expect(await ann.run("status", "--exit-code").code == .done)
  }
}
