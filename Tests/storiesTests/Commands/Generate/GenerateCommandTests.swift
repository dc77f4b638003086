import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import StorySync
import TestSupport
import Testing

@testable import stories

/// `generate`, `usage` and `media` against a real server, in both forms of the contract.
@Suite(.inTurn) struct GenerateCommandTests {
  /// A server that makes things at once, and a library of its account with a hero.
  private struct World: Sendable {
    let server: TestServer
    let folder: TemporaryFolder
    let clock = SteppingClock()
    var setting: CommandSetting

    init(
      _ api: ServerAPI = .v0, _ change: (inout ServerOptions) -> Void = { _ in }
    ) throws {
      let clock = clock
      server = try TestServer { options in
        options.api = api
        options.generation.engine = TestEngine()
        options.generation.limits[.avatar] = 1
        change(&options)
        options.clock = {
          let now = clock.source.now()
          return now.seconds * 1_000 + Int64(now.nanoseconds / 1_000_000)
        }
      }
      folder = try TemporaryFolder()
      setting = try server.library(in: folder, "mine")
      setting.environment["STORIES_RETRY"] = "0"
      setting.time.now = clock.source.now
      // Nothing waits: questions follow each other at once.
      setting.time.sleep = { _ in
        try Task.checkCancellation()
        await Task.yield()
      }
      try folder.write(SampleLibrary.luna, to: "mine/heroes/luna.json")
    }

    func run(_ words: String...) async -> CommandRun { await setting.run(words) }

    /// The first letters of a file in the library.
    func signature(_ path: String) throws -> String {
      String(decoding: try FileSystem.read(folder.path("mine/" + path)).prefix(4), as: UTF8.self)
    }

    /// The requests that had something made, since the last call.
    func takeOrders() -> [String] {
      defer { server.server.clearRequestLog() }
      return server.server.requestLog.filter { $0.method == "POST" }.map {
        $0.path.replacing(server.base, with: "")
      }
    }
  }

  @Test(arguments: ServerAPI.allCases)
  func `a story with all there is, and its files`(_ api: ServerAPI) async throws {
    let world = try World(api)
    let made = await world.run(
      "generate", "story", "--hero", "luna", "--audio", "--illustrations", "--json")
    #expect(made.code == .done, "\(made.errors)")
    let json = try #require(made.json)
    #expect(json["schema"] == "stories.generate/1" && json["what"] == "story")
    #expect(json["pushed"] == ["heroes/luna"])
    #expect(json["audio"]?["status"] == "completed")
    #expect(json["illustrations"]?["status"] == "completed")
    let file = try #require(json["file"]?.string)
    #expect(FileSystem.exists(world.folder.path("mine/" + file)))
    // All of it is in sync: nothing is left to send.
    let status = await world.run("status", "--json")
    #expect(status.json?["records"] == [])
    let pull = await world.run("media", "pull", "--json")
    #expect(pull.code == .done, "\(pull.errors)")
    let fetched = try #require(pull.json?["fetched"]?.array)
    #expect(fetched.contains { $0["kind"] == "audio" })
    for item in fetched {
      let start = try world.signature(item["path"]?.string ?? "")
      #expect(start == (item["kind"] == "audio" ? "RIFF" : "\u{FFFD}PNG"))
    }
    let ref = try #require(json["ref"]?.string)
    let show = await world.run("show", ref, "--media")
    #expect(show.lines.filter { !$0.isEmpty }.count == fetched.count)
    let again = await world.run("media", "pull")
    #expect(again.errors.contains("Everything is already on this machine"))
    // Whatever its URLs are today, a sync has no changes.
    let quiet = await world.run("sync", "--json")
    #expect(quiet.code == .done && quiet.json?["received"]?["updated"] == [])
  }

  @Test func `pictures are the server's, and go with their story`() async throws {
    let world = try World()
    let made = await world.run("generate", "story", "--hero", "luna", "--illustrations", "--json")
    let story = try #require(made.json?["ref"]?.string)
    let folder = story.replacing("stories/", with: "illustrations/")
    let picture = "\(folder)/01"
    for words in [
      ["why", picture], ["mv", picture, "other"], ["rm", picture], ["rm", "-r", folder],
      ["rm", "\(picture).json"], ["edit", picture],
    ] {
      let run = await world.setting.run(words)
      #expect(
        run.code == .wrongUsage && run.errors.contains("belongs to the server"), "\(run.errors)")
    }
    let missing = await world.run("why", "\(folder)/09")
    #expect(missing.errors.contains("there is no record"), "\(missing.errors)")
    #expect(await world.run("rm", story).code == .done)
    let push = await world.run("sync", "push")
    #expect(push.code == .done, "\(push.errors)")
    #expect(
      push.lines.contains { $0.contains("removed too  \(picture)  with its story") },
      "\(push.lines)")
    #expect(!push.lines.contains { $0.contains("Received") }, "\(push.lines)")
    let restored = await world.run("restore", picture)
    #expect(restored.code == .wrongUsage, "\(restored.lines)")
    #expect(restored.errors.contains("belongs to the server"), "\(restored.errors)")
    #expect(!FileSystem.exists(world.folder.path("mine/\(picture).json")))
  }

  @Test(arguments: ServerAPI.allCases)
  func `one thing after the other for records that are there`(_ api: ServerAPI) async throws {
    let world = try World(api)
    try world.folder.write(
      SampleLibrary.snow.replacing("  \"event\": \"lost-tooth\",\n", with: ""),
      to: "mine/stories/snow.json")
    let sync = await world.run("sync")
    #expect(sync.code == .done, "\(sync.errors)")
    _ = world.takeOrders()
    for (what, ref) in [("avatar", "luna"), ("audio", "snow"), ("illustrations", "snow")] {
      let run = await world.run("generate", what, ref, "--json")
      #expect(run.code == .done, "\(what): \(run.errors)")
      #expect(run.json?["what"] == .string(what))
      #expect(world.takeOrders().map { $0.hasSuffix("/" + what) } == [true])
    }
    let pull = await world.run("media", "pull", "--json")
    #expect(pull.code == .done, "\(pull.errors)")
    let kinds = Set(pull.json?["fetched"]?.array?.compactMap { $0["kind"]?.string } ?? [])
    #expect(kinds == ["avatars", "audio", "illustrations"])
    let quiet = await world.run("status", "--json")
    #expect(quiet.json?["records"] == [])
  }

  @Test func `a new story is sent with the hero that it names, and nothing else is`() async throws {
    let world = try World(.v0)
    try world.folder.write(
      SampleLibrary.snow.replacing("  \"event\": \"lost-tooth\",\n", with: ""),
      to: "mine/stories/snow.json")
    try world.folder.write(SampleLibrary.otto, to: "mine/heroes/otto.json")
    let run = await world.run("generate", "audio", "snow")
    #expect(run.code == .done, "\(run.errors)")
    let records = await world.run("status", "--json").json?["records"]?.array ?? []
    #expect(records.compactMap { $0["ref"]?.string } == ["heroes/otto"])
  }

  @Test(arguments: ServerAPI.allCases)
  func `the account, its name and what is left`(_ api: ServerAPI) async throws {
    let world = try World(api)
    let made = await world.run("generate", "avatar", "luna")
    #expect(made.code == .done, "\(made.errors)")
    let usage = await world.run("usage", "--json")
    #expect(usage.code == .done, "\(usage.errors)")
    let limits = try #require(usage.json?["limits"]?.array)
    #expect(limits.count == 4)
    let avatars = try #require(limits.first { $0["operation"] == "avatar_generation" })
    #expect(avatars["limit"] == 1 && avatars["remaining"] == 0)
    #expect(avatars["resetAt"] == "2026-11-20T11:00:00.000Z")
    let renamed = await world.run("whoami", "--edit-name", "Max")
    #expect(renamed.code == .done, "\(renamed.errors)")
    let name = "Max <\(TestServer.email)> at \(world.server.url)\n"
    #expect(renamed.output == name)
    #expect(await world.run("whoami").output == name)
  }

  @Test func `an address whose signature ran out is asked for anew`() async throws {
    let world = try World(.v1)
    let made = await world.run("generate", "avatar", "luna")
    #expect(made.code == .done, "\(made.errors)")
    // The first address is two hours old when its file is asked for.
    let path = "/api/v1/heroes/*"
    world.server.server.addFault(
      FaultRule(
        .after { [clock = world.clock] _ in clock.advance(by: .seconds(7_200)) }, method: "GET",
        path: path, number: 1))
    world.server.server.clearRequestLog()
    let pull = await world.run("media", "pull", "--json")
    #expect(pull.code == .done, "\(pull.errors)")
    #expect(pull.json?["fetched"]?.array?.count == 1)
    let asked = world.server.server.requestLog.filter { $0.path.contains("/media/") }
    #expect(asked.map(\.status) == [403, 200])
    #expect(
      world.server.server.requestLog.filter { $0.path.hasPrefix("/api/v1/heroes/") }.count == 2)
  }

  @Test(arguments: [false, true])
  func `what the push before it decided is said`(_ isJSON: Bool) async throws {
    let world = try World()
    let first = await world.run("sync")
    #expect(first.code == .done, "\(first.errors)")
    let hero = try #require(
      try world.server.server.records(.heroes, of: TestServer.email).first)
    try world.server.patch("heroes", hero.id, ["age": 9])
    try world.folder.edit("mine/heroes/luna.json", "7", to: "8")
    let run = await world.setting.run(["generate", "avatar", "luna"] + (isJSON ? ["--json"] : []))
    #expect(run.code == .done, "\(run.errors)")
    if isJSON {
      let item = try #require(run.json?["overridden"]?.array?.first)
      #expect(item["ref"] == "heroes/luna" && item["field"] == "age" && item["kept"] == "server")
      #expect(item["keptValue"] == 9 && item["lostValue"] == 8)
    } else {
      let words = "heroes/luna: kept the server's age 9 (local was 8;"
      #expect(run.errors.replacing(/\s+/, with: " ").contains(words), "\(run.errors)")
    }
  }

  @Test func `a file that cannot be used is made again with a command`() async throws {
    let world = try World()
    #expect(await world.run("generate", "avatar", "luna").code == .done)
    world.server.server.addFault(
      FaultRule(
        .answer(status: 200, headers: ["Content-Type": "image/png"]), method: "GET",
        path: "*media*"))
    let pull = await world.run("media", "pull")
    #expect(pull.code == .failed)
    let hint = "make it again: stories generate avatar heroes/luna --regenerate"
    #expect(pull.errors.contains(hint), "\(pull.errors)")
  }

  @Test func `a dry run asks nothing`() async throws {
    let world = try World()
    let plan = await world.run("generate", "avatar", "luna", "--dry-run")
    #expect(
      plan.output == """
        Would send heroes/luna to \(world.server.url) first.
        Would ask \(world.server.url) for a picture of heroes/luna. Dry run: nothing was changed.

        """)
    #expect(world.server.server.requestCount == 0)
  }

  @Test func `a record that the server lacks is not sent where that is forbidden`() async throws {
    let result = await (try World()).run("generate", "avatar", "luna", "--no-push")
    #expect(result.code == .wrongUsage)
    #expect(result.errors.contains("the server does not have heroes/luna yet"))
  }

  @Test(arguments: ServerAPI.allCases)
  func `a limit says when to come back`(_ api: ServerAPI) async throws {
    let world = try World(api)
    let first = await world.run("generate", "avatar", "luna")
    #expect(first.code == .done, "\(first.errors)")
    #expect(first.errors.contains("heroes/luna is sent to"))
    let there = await world.run("generate", "avatar", "luna")
    #expect(there.output.contains("--regenerate"))
    let second = await world.run("generate", "avatar", "luna", "--regenerate")
    #expect(second.code == .unreachable)
    // The second form answers without a time.
    #expect(
      second.errors.contains(api == .v0 ? "Hint: come back in " : "Hint: "), "\(second.errors)")
    let usage = await world.run("usage", "--json")
    let limit = usage.json?["limits"]?.array?.first { $0["operation"] == "avatar_generation" }
    #expect(limit?["remaining"] == 0)
  }

  @Test(arguments: ServerAPI.allCases)
  func `a picture that cannot be made is told and ends with 1`(_ api: ServerAPI) async throws {
    let world = try World(api)
    world.server.server.addFault(
      FaultRule(
        .answer(status: 500, body: Array("too dark".utf8)), method: FaultRule.work,
        path: "/illustrations/*/1"))
    let result = await world.run("generate", "story", "--illustrations")
    #expect(result.code == .failed)
    #expect(result.errors.contains("picture 1 could not be made"))
    // Where nobody watches, a line for each change instead of a bar.
    #expect(result.errors.contains("\nPictures: 3 of 4 done, 1 failed\n"))
    #expect(result.lines.first?.hasSuffix(".json") == true)
  }

  @Test(
    arguments: [
      (["--illustrations"], "/api/stories/*/illustrations/status", "illustrations stories/"),
      (["--audio"], "/api/stories/*/audio", "audio stories/"),
    ] as [([String], String, String)])
  func `a story that is saved is not ordered again`(
    _ options: [String], _ path: String, _ command: String
  ) async throws {
    let world = try World()
    world.server.server.addFault(FaultRule(.answer(status: 503), method: "GET", path: path))
    let run = await world.setting.run(["generate", "story", "--hero", "luna"] + options)
    #expect(run.code == .unreachable)
    #expect(
      run.errors.contains("is saved; continue with: stories generate \(command)"), "\(run.errors)")
  }

  @Test func `a story that could only be written on the server is received, not ordered again`()
    async throws
  {
    let world = try World()
    try world.folder.write("", to: "mine/stories/x")
    let run = await world.run("generate", "story", "--hero", "luna", "--in", "x")
    #expect(run.code != .done)
    #expect(
      run.errors.contains("receive it instead of running this again: stories sync pull"),
      "\(run.errors)")
    world.server.server.addFault(
      FaultRule(.answer(status: 503), method: "POST", path: "/api/stories"))
    let other = await world.run("generate", "story", "--hero", "luna")
    #expect(other.code == .unreachable)
    #expect(
      other.errors.contains("see before you run this again: stories sync pull"), "\(other.errors)")
  }

  /// An engine that writes nothing, or one that reads nothing aloud.
  private struct Failing: Engine {
    var writes = false

    func write(_ request: StoryRequest) async throws(EngineError) -> WrittenStory {
      guard writes else { throw .failed(status: 500, message: "no model is loaded") }
      return try await Placeholder().write(request)
    }

    func draw(_ request: PictureRequest) async throws(EngineError) -> DrawnPicture {
      try await Placeholder().draw(request)
    }

    func speak(_ request: SpeechRequest) async throws(EngineError) -> Narration {
      throw .program("it is hoarse")
    }
  }

  @Test(arguments: ServerAPI.allCases)
  func `why a story was not written reaches the person`(_ api: ServerAPI) async throws {
    var world = try World(api) { $0.generation.engine = Failing() }
    world.setting.environment["STORIES_RETRY"] = nil
    let run = await world.run("generate", "story", "--hero", "luna")
    #expect(run.code == .failed)
    #expect(run.errors.contains("no model is loaded"), "\(run.errors)")
    #expect(world.takeOrders().filter { $0 == "/stories" }.count == 1, "it is not paid for again")
  }

  @Test(arguments: ServerAPI.allCases)
  func `why a story was not read aloud reaches the person`(_ api: ServerAPI) async throws {
    let world = try World(api) { $0.generation.engine = Failing(writes: true) }
    let made = await world.run("generate", "story", "--hero", "luna", "--audio", "--json")
    #expect(made.code == .failed)
    #expect(made.json?["audio"]?["status"] == "failed")
    #expect(made.json?["audio"]?["error"] == "it is hoarse")
    #expect(
      made.errors.contains("Error: the narration could not be made: it is hoarse"),
      "\(made.errors)")
    let file = try #require(made.json?["file"]?.string)
    #expect(FileSystem.exists(world.folder.path("mine/" + file)), "the story is there")
    let again = await world.run("generate", "audio", String(file.dropLast(".json".count)))
    #expect(again.code == .failed)
    #expect(again.errors.contains("it is hoarse"), "\(again.errors)")
  }

  @Test(arguments: ServerAPI.allCases)
  func `why nothing was drawn reaches the person`(_ api: ServerAPI) async throws {
    let world = try World(api) { $0.generation.mediaBytes = 1 }
    let avatar = await world.run("generate", "avatar", "luna")
    #expect(avatar.code == .failed)
    #expect(avatar.errors.contains("1 are kept. Delete stories"), "\(avatar.errors)")
    let story = await world.run("generate", "story", "--hero", "luna", "--illustrations")
    #expect(story.code == .failed)
    #expect(
      story.errors.contains("picture 1 could not be made: The pictures and narrations of this"),
      "\(story.errors)")
  }

  /// Has a synced story rewritten, and changes something while the server writes.
  private func rewriting(
    _ faults: FaultRule..., change: @escaping @Sendable (World) throws -> Void = { _ in }
  ) async throws -> (world: World, run: CommandRun) {
    var engine = TestEngine()
    engine.writing = { (_) async throws(EngineError) in
      WrittenStory(title: "A New Day", paragraphs: ["The sun came back."])
    }
    let world = try World { [engine] in $0.generation.engine = engine }
    try world.folder.write(
      SampleLibrary.snow.replacing("  \"event\": \"lost-tooth\",\n", with: ""),
      to: "mine/stories/snow.json")
    let sync = await world.run("sync")
    #expect(sync.code == .done, "\(sync.errors)")
    world.server.server.addFault(
      FaultRule(
        .after { _ in
          do { try change(world) } catch { Issue.record(error) }
        }, method: "POST", path: "/api/stories", number: 1))
    for fault in faults { world.server.server.addFault(fault) }
    return (world, await world.run("generate", "story", "--regenerate", "snow"))
  }

  @Test func `a rewritten story keeps what was changed meanwhile`() async throws {
    let (world, run) = try await rewriting { world in
      try world.folder.edit(
        "mine/stories/snow.json", "\"language\"", to: "\"isFavorite\": true,\n  \"language\"")
      try world.folder.move("mine/stories/snow.json", to: "mine/stories/x/snow.json")
      try world.folder.move("mine/stories/.sync/snow.json", to: "mine/stories/x/.sync/snow.json")
      try world.folder.write(
        SampleLibrary.snow.replacing("  \"event\": \"lost-tooth\",\n", with: "")
          .replacing("First", with: "Second"), to: "mine/stories/snow.json")
    }
    #expect(run.code == .done, "\(run.errors)")
    let text = try world.folder.read("mine/stories/x/snow.json")
    #expect(text.contains("The sun came back.") && text.contains("\"isFavorite\": true"))
    #expect(try world.folder.read("mine/stories/snow.json").contains("The Second Snow"))
    let there = try #require(try world.server.record(.stories, "A New Day"))
    #expect(there["isFavorite"] == true)
  }

  @Test func `a text that was changed meanwhile stays, and so does the new one`() async throws {
    let (world, run) = try await rewriting { world in
      try world.folder.edit("mine/stories/snow.json", "window was white", to: "window was red")
    }
    #expect(run.code == .failed)
    #expect(run.errors.contains("the new text is stories/a-new-day"), "\(run.errors)")
    #expect(try world.folder.read("mine/stories/snow.json").contains("window was red"))
    #expect(try world.folder.read("mine/stories/a-new-day.json").contains("The sun came back."))
    #expect(try world.server.record(.stories, "A New Day") != nil)
  }

  @Test func `a story that is open in an editor stays, and so does the new text`() async throws {
    let open = Box<OpenRecord?>(nil)
    let snow = RecordRef(kind: .stories, name: "snow")
    let (world, run) = try await rewriting { world in
      open.value = try OpenRecord(snow, in: Library.find(from: world.folder.path("mine")))
    }
    #expect(run.code == .failed)
    #expect(run.errors.contains("the new text is stories/a-new-day"), "\(run.errors)")
    #expect(try world.folder.read("mine/stories/snow.json").contains("window was white"))
    #expect(try world.folder.read("mine/stories/a-new-day.json").contains("The sun came back."))
    // Another one is not asked for.
    _ = world.takeOrders()
    let refused = await world.run("generate", "story", "--regenerate", "snow")
    #expect(refused.code == .stopped)
    #expect(refused.errors.contains("stories/snow is open in an editor"), "\(refused.errors)")
    #expect(world.takeOrders().isEmpty)
    open.value?.close()
  }

  @Test func `a rewritten story that is in conflict is said to be`() async throws {
    let (world, run) = try await rewriting { world in
      let story = try #require(
        try world.server.server.records(.stories, of: TestServer.email).first {
          $0.value?["title"] == "The First Snow"
        })
      try world.server.patch("stories", story.id, ["content": "Somebody else's text."])
    }
    #expect(run.code == .conflictsLeft)
    #expect(run.errors.contains("stories resolve stories/snow"), "\(run.errors)")
    #expect(try world.folder.read("mine/stories/snow.json").contains("The sun came back."))
  }

  private static let deletes = FaultRule(
    .answer(status: 503), method: "DELETE", path: "/api/stories/*")

  @Test func `a new text is sent even if the story that it was written as stays`() async throws {
    let (world, run) = try await rewriting(Self.deletes)
    #expect(run.code == .failed)
    let copies = try world.server.server.records(.stories, of: TestServer.email)
      .filter { !$0.isDeleted && $0.value?["title"] == "A New Day" }
    #expect(copies.count == 2)
    #expect(
      copies.contains { run.errors.contains("may still be on the server: \($0.id)") },
      "\(run.errors)")
    #expect(try world.folder.read("mine/stories/snow.json").contains("The sun came back."))
    #expect(await world.run("status", "--json").json?["records"] == [])
  }

  @Test func `a new text that could not be sent is said to be saved`() async throws {
    let (world, run) = try await rewriting(
      Self.deletes, FaultRule(.answer(status: 503), method: "PATCH", path: "/api/stories/*"))
    #expect(run.code != .done && !run.errors.contains("nothing was changed"), "\(run.errors)")
    #expect(try world.folder.read("mine/stories/snow.json").contains("The sun came back."))
  }

  @Test func `an unknown event type gets the nearest one`() async throws {
    let result = await (try World()).run("generate", "story", "--event-type", "bedtim")
    #expect(result.code == .wrongUsage && result.errors.contains("bedtime"))
  }
}
