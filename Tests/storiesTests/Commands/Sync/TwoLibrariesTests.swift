import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// Two libraries that sync with one server, through the commands.
@Suite(.inTurn) struct TwoLibrariesTests {
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

  @Test func whatAPolicyDecidesIsShownWithBothValues() async throws {
    try await start()
    try folder.edit("ann/heroes/luna.json", "7", to: "9")
    try folder.edit("ben/heroes/luna.json", "7", to: "8")
    try folder.edit("ann/events/lost-tooth.json", "A tooth", to: "Ann's tooth")
    try folder.edit("ben/events/a-lost-tooth.json", "A tooth", to: "Ben's tooth")
    #expect(await ann.run("sync").code == .done)
    let dry = await ben.run("sync", "--dry-run")
    #expect(dry.output.contains("heroes/luna          the server's age 9 (local is 8)\n"))
    let result = await ben.run("sync", "--json")
    #expect(
      result.json?["overridden"] == [
        [
          "ref": "heroes/luna", "field": "age", "kept": "server", "keptValue": 9, "lostValue": 8,
        ],
        [
          "ref": "events/a-lost-tooth", "field": "promptSeed", "kept": "local",
          "keptValue": "Ben's tooth falls out.", "lostValue": "Ann's tooth falls out.",
        ],
      ])
    #expect(await ben.run("undo").code == .done)
    #expect(try folder.read("ben/heroes/luna.json").contains("8"))
    // Edited again on both sides, to see what people read.
    #expect(await ben.run("sync").code == .done)
    try folder.edit("ann/heroes/luna.json", "9", to: "10")
    #expect(await ann.run("sync", "push", "--strategy", "local").code == .done)
    try folder.edit("ben/heroes/luna.json", "8", to: "11")
    let text = await ben.run("sync")
    #expect(
      text.output.contains(
        "heroes/luna  the server's age 10 (local was 11; `stories edit heroes/luna` changes it back;"
          + " `stories undo` would revert all that this sync received)\n"),
      "\(text.output)")
  }

  /// An edit on the server that a delete here wins over is a decision too.
  @Test func deleteOfWhatSomebodyChangedIsShown() async throws {
    try await start()
    _ = await ann.run("rm", "stories/the-first-snow")
    #expect(await ann.run("sync").code == .done)
    #expect(await ben.run("sync").code == .done)
    #expect(await ann.run("sync", "--json").json?["overridden"] == [])
    try folder.edit("ann/events/lost-tooth.json", "A tooth", to: "Ann's tooth")
    #expect(await ann.run("sync").code == .done)
    _ = await ben.run("rm", "events/a-lost-tooth")
    let line =
      "  events/a-lost-tooth  your delete (the server had a newer version; `stories restore"
      + " events/a-lost-tooth --list` shows it)\n"
    let dry = await ben.run("sync", "--dry-run")
    let before = "  events/a-lost-tooth  your delete (the server has a newer version)\n"
    #expect(dry.output.contains(before), "\(dry.output)")
    let run = await ben.run("sync")
    #expect(run.code == .done && run.output.contains(line), "\(run.output)")
    let list = await ben.run("restore", "events/a-lost-tooth", "--list")
    #expect(list.output.contains("server"), "\(list.output)")
  }

  @Test func statusAsksTheServer() async throws {
    try await start()
    try folder.write(SampleLibrary.otto, to: "ann/heroes/otto.json")
    try folder.edit("ann/heroes/luna.json", "7", to: "9")
    try folder.remove("ann/stories/the-first-snow.json")
    #expect(await ann.run("sync").code == .done)
    try folder.edit("ben/heroes/luna.json", "7", to: "8")
    #expect(await ben.run("status", "--porcelain=v1").output == "M. heroes/luna\tage\n")
    let asked = await ben.run("status", "--remote", "--porcelain=v1", "--exit-code")
    #expect(asked.code == .pending)
    #expect(
      asked.output == "MM heroes/luna\tage\n.D stories/the-first-snow\n.A heroes/otto\n")
    let text = await ben.run("status", "--remote")
    #expect(
      text.output == """
        To send with `stories sync push`
          (`stories restore REF` restores the last synced version)
          MM  heroes/luna  age

        To receive with `stories sync pull`
          .D  stories/the-first-snow
          .A  heroes/otto

        1 edited, 3 changed on the server and 2 in sync.

        """)
    let json = await ben.run("status", "--remote", "--json").json
    #expect(json?["askedServer"] == true)
    #expect(json?["records"]?.array?.map { $0["state"] } == ["pendingUpdate", "synced", "remote"])
    // Nothing was changed.
    #expect(await ben.run("status", "--porcelain=v1").output == "M. heroes/luna\tage\n")
    #expect(!folder.exists("ben/heroes/otto.json"))
    try server.stop()
    let offline = await ben.run("status", "--remote")
    #expect(offline.code == .unreachable)
    #expect(offline.output.contains("M.  heroes/luna  age"))
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
        Conflicts to resolve (stories resolve stories/the-first-snow):
          stories/the-first-snow  title

        1 conflict to resolve.

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
    let kept = "  kept  stories/the-first-snow  the local title “White” (server"
    #expect(plan.output.contains("\(kept) is “Snow”)\n"))
    #expect(plan.output.hasSuffix("Dry run: nothing was changed.\n"))
    let result = await ben.run("sync", "--strategy", "local")
    #expect(result.code == .done)
    let list = "`stories restore stories/the-first-snow --list` shows it"
    #expect(result.output.contains("\(kept) was “Snow”; \(list))\n"))
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
    #expect(result.errors == "Error: sign in first: stories sign-in\n")
  }

  @Test func aServerThatIsGone() async throws {
    try await start()
    try server.stop()
    var ann = ann
    ann.environment["STORIES_RETRY"] = "1ms"
    let result = await ann.run("sync", "--json")
    #expect(result.code == .unreachable)
    let message = "cannot reach \(server.url): connection refused (try 2 of 2)"
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.json?["error"]?["message"] == .string(message))
  }

  @Test func aServerThatIsLostDuringASync() async throws {
    try await start()
    server.server.addFault(FaultRule(.dropBeforeHandling, path: "/api/heroes*"))
    var ann = ann
    ann.environment["STORIES_RETRY"] = "1ms"
    let result = await ann.run("sync", "--json")
    #expect(result.code == .unreachable)
    let message = "the connection to \(server.url) was lost (try 2 of 2)"
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.json?["schema"] == "stories.sync/1")
    #expect(result.json?["error"]?["message"] == .string(message))
    #expect(result.json?["error"]?["code"] == "network")
  }

  @Test(
    arguments: [
      ["sync"], ["generate", "avatar", "heroes/luna"], ["generate", "story", "--hero", "luna"],
      ["why", "heroes/luna", "--remote"],
    ])
  func anotherAccountIsRefused(_ command: [String]) async throws {
    try await start()
    var other = ann
    other.environment["STORIES_TOKEN"] = try server.server.issueToken(email: "x@example.org").token
    server.server.clearRequestLog()
    let result = await other.run(command)
    #expect(result.code == .stopped)
    #expect(result.errors.contains("this library belongs to another account of \(server.url)"))
    let targets = server.server.requestLog.map(\.target)
    #expect(!targets.contains { $0.contains("/heroes") || $0.contains("/stories") }, "\(targets)")
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
