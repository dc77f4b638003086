import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct CloneCommandTests {
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
    #expect(taken.errors.contains("second is not empty"))
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
    try server.stop()
    #expect(await setting.run("clone", server.url, "x").code == .unreachable)
    #expect(!folder.exists("x"))
    // The library that the clone was started in has another server.
    _ = try Library.create(
      at: folder.path("other"), configuration: LibraryConfiguration(server: .embedded))
    var inside = setting
    inside.folder = folder.path("other")
    let run = await inside.run("clone", server.url, "../x")
    #expect(run.code == .unreachable)
    #expect(
      run.errors.hasSuffix("Hint: check the address, and that the server is running\n"),
      "\(run.errors)")
  }

  @Test func onATerminalItAsksToSignInAndGoesOn() async throws {
    let (folder, server, setting) = try await world()
    var stranger = setting
    stranger.environment = ["STORIES_CONFIG_DIR": folder.path("config"), "NO_COLOR": "1"]
    let refused = await stranger.run("clone", server.url, "x")
    #expect(refused.code == .signInFirst)
    #expect(refused.errors.contains("stories sign-in --server \(server.url)\n"))
    stranger.typed = [TestServer.password]
    #expect(
      await stranger.run(
        "sign-up", "--server", server.url, "--email", "new@example.org", "--password-stdin"
      ).code == .done)
    #expect(await stranger.run("sign-out", "--server", server.url).code == .done)
    stranger.isTerminal = true
    stranger.typed = ["new@example.org", TestServer.password]
    let run = await stranger.run("clone", server.url, "x")
    #expect(run.code == .done, "\(run.errors)")
    #expect(run.output.contains("Signed in as "))
    #expect(run.output.contains("The library is in x\n"))
    #expect(folder.exists("x/library.json"))
    stranger.typed = []
    #expect(await stranger.run("clone", server.url, "y").code == .done)
  }

  @Test func aWrongPasswordLeavesNothing() async throws {
    let (folder, server, setting) = try await world()
    var stranger = setting
    stranger.environment = ["STORIES_CONFIG_DIR": folder.path("config"), "NO_COLOR": "1"]
    stranger.isTerminal = true
    stranger.typed = [TestServer.email, "wrong"]
    let run = await stranger.run("clone", server.url, "x")
    #expect(run.code == .signInFirst)
    #expect(
      run.errors.hasSuffix(
        "Hint: try again, or create an account:\n  stories sign-up --server \(server.url) --email"
          + " \(TestServer.email)\n"), "\(run.errors)")
    #expect(!folder.exists("x"))
  }

  @Test func aWrongPasswordIsAskedForAgain() async throws {
    let (folder, server, setting) = try await world()
    var stranger = setting
    stranger.environment = ["STORIES_CONFIG_DIR": folder.path("config")]
    stranger.typed = [TestServer.password]
    let account = ["--server", server.url, "--email", "new@example.org", "--password-stdin"]
    #expect(await stranger.run(["sign-up"] + account).code == .done)
    #expect(await stranger.run("sign-out", "--server", server.url).code == .done)
    stranger.isTerminal = true
    stranger.typed = ["new@example.org", "wrong", "new@example.org", TestServer.password]
    let run = await stranger.run("clone", server.url, "x")
    #expect(run.code == .done, "\(run.errors)")
    #expect(run.errors.contains("Invalid email or password, try again."))
    #expect(folder.exists("x/library.json"))
    // Standard input is read once.
    stranger.typed = ["wrong", TestServer.password]
    #expect(await stranger.run(["sign-in"] + account).code == .signInFirst)
  }

  @Test func whoHasNoAccountIsToldHowToGetOne() async throws {
    let (folder, server, setting) = try await world()
    var stranger = setting
    stranger.environment = ["STORIES_CONFIG_DIR": folder.path("config"), "NO_COLOR": "1"]
    stranger.isTerminal = true
    let run = await stranger.run("clone", server.url, "x")
    #expect(
      run.output.contains("For a new account, first: stories sign-up --server \(server.url)\n"),
      "\(run.output)")
    #expect(!folder.exists("x"))
  }

  @Test(arguments: ["x", "."])
  func aServerThatIsDownLeavesAnEmptyFolderAsItWas(place: String) async throws {
    let (folder, server, start) = try await world()
    try FileSystem.makeFolder(folder.path("x"))
    let before = try FileSystem.status(folder.path("x"))
    var setting = start
    var target = place
    if place != "x" {
      // From within the folder.
      setting.folder = folder.path("x")
      target = "."
    }
    // It goes away once the clone has begun; the pauses between tries take no time here.
    setting.time = SteppingClock().source
    let fault = server.server.addFault(FaultRule(.dropBeforeHandling, path: "/api/heroes"))
    let failed = await setting.run("clone", server.url, target, "--git", "--api", "v0")
    #expect(failed.code == .unreachable, "\(failed.errors)")
    #expect(failed.errors.contains("Hint: nothing is left in "))
    #expect(try FileSystem.list(folder.path("x")).isEmpty)
    // A shell may stand in it.
    #expect(try FileSystem.status(folder.path("x"))?.inode == before?.inode)
    server.server.removeFault(fault)
    let again = await setting.run("clone", server.url, target, "--api", "v0")
    #expect(again.code == .done, "\(again.errors)")
    #expect(try folder.read("x/heroes/luna.json") == SampleLibrary.luna)
  }

  @Test func aFolderWithSomethingInItIsRefused() async throws {
    let (folder, server, setting) = try await world()
    try folder.write("mine", to: "x/notes.txt")
    try server.stop()
    let result = await setting.run("clone", server.url, "x")
    #expect(result.code == .wrongUsage)
    #expect(result.errors.contains("x is not empty"))
    #expect(try folder.read("x/notes.txt") == "mine")
    try folder.write("", to: "file")
    let file = await setting.run("clone", server.url, "file")
    #expect(file.code == .wrongUsage && file.errors.contains("file is not a folder"))
    // What was cloned before the machine stopped is gone on with.
    let half = await setting.run("clone", server.url, "first")
    #expect(half.code == .wrongUsage)
    #expect(half.errors.contains("stories -C first sync pull"), "\(half.errors)")
  }

  @Test(arguments: [true, false])
  func anInterruptLeavesNothing(existed: Bool) async throws {
    let (folder, server, start) = try await world()
    if existed { try FileSystem.makeFolder(folder.path("x")) }
    let (signals, sender) = AsyncStream.makeStream(of: Int32.self)
    var setting = start
    setting.signals = Signals { signals }
    server.server.addFault(
      FaultRule(.before { _ in sender.yield(2) }, method: "GET", path: "/api/heroes", number: 1))
    server.server.addFault(FaultRule(.delay(milliseconds: 2_000), path: "/api/heroes"))
    let result = await setting.run("clone", server.url, "x", "--api", "v0")
    #expect(result.code == .interrupted, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("nothing is left in x; run the same command again"))
    #expect(folder.exists("x") == existed)
    if existed { #expect(try FileSystem.list(folder.path("x")).isEmpty) }
    server.server.removeFaults()
    #expect(await start.run("clone", server.url, "x", "--api", "v0").code == .done)
    #expect(try folder.read("x/heroes/luna.json") == SampleLibrary.luna)
  }

  /// A server with a story and its pictures.
  private func pictures() async throws -> (TemporaryFolder, TestServer, CommandSetting) {
    let folder = try TemporaryFolder()
    let server = try TestServer { options in
      options.generation.engine = TestEngine()
    }
    let first = try server.library(in: folder, "first")
    try folder.write(SampleLibrary.luna, to: "first/heroes/luna.json")
    let made = await first.run("generate", "story", "--hero", "luna", "--illustrations")
    try #require(made.code == .done, "\(made.errors)")
    var setting = CommandSetting(folder)
    setting.environment = first.environment
    setting.time = SteppingClock().source
    return (folder, server, setting)
  }

  @Test(arguments: [FaultAction.dropBeforeHandling, .answer(status: 400)].indices)
  func whatWasReceivedStaysWhereThePicturesFail(_ number: Int) async throws {
    let action = [FaultAction.dropBeforeHandling, .answer(status: 400)][number]
    let (folder, server, setting) = try await pictures()
    server.server.addFault(FaultRule(action, method: "GET", path: "*/illustrations"))
    let failed = await setting.run("clone", server.url, "q/x", "--git", "--api", "v0")
    #expect(failed.code == (number == 0 ? .unreachable : .failed), "\(failed.errors)")
    #expect(failed.output.contains("Received "), "\(failed.output)")
    #expect(failed.errors.contains("get the rest: stories -C q/x sync pull"), "\(failed.errors)")
    #expect(try folder.read("q/x/heroes/luna.json") == SampleLibrary.luna)
    #expect(folder.exists("q/x/.git") == GitTree.isThere)
    server.server.removeFaults()
    let rest = await setting.run("-C", "q/x", "sync", "pull")
    #expect(rest.code == .done, "\(rest.errors)")
    #expect(try !FileSystem.list(folder.path("q/x/illustrations")).isEmpty)
    let status = await setting.run("-C", "q/x", "status", "--json")
    #expect(status.json?["records"] == [])
  }

  @Test func itsDocumentSaysWhetherALibraryIsThere() async throws {
    let (folder, server, setting) = try await pictures()
    server.server.addFault(FaultRule(.answer(status: 400), path: "*/illustrations"))
    let kept = await setting.run("clone", server.url, "x", "--api", "v0", "--json")
    #expect(kept.json?["kept"] == true)
    #expect(kept.json?["sync"]?["received"]?["created"]?.array?.contains("heroes/luna") == true)
    server.server.addFault(FaultRule(.answer(status: 400), path: "/api/heroes"))
    let gone = await setting.run("clone", server.url, "y", "--api", "v0", "--json")
    #expect(gone.json?["kept"] == false)
    #expect(gone.json?["sync"]?["received"]?["created"] == [])
    #expect(!folder.exists("y"))
  }

  @Test func whatItMadeGoesAndNothingElse() async throws {
    let (folder, server, start) = try await world()
    var setting = start
    setting.time = SteppingClock().source
    try FileSystem.makeFolder(folder.path("q"))
    server.server.addFault(FaultRule(.dropBeforeHandling, path: "/api/heroes"))
    #expect(await setting.run("clone", server.url, "q/r/s").code == .unreachable)
    #expect(try FileSystem.list(folder.path("q")).isEmpty)
    // Somebody begins to work in it while it is made.
    for place in ["heroes/otto.json", "notes/plan.txt"] {
      server.server.removeFaults()
      let file = folder.path("t/" + place)
      server.server.addFault(
        FaultRule(
          .before { _ in
            try? FileSystem.makeFolder(Path.parent(file))
            _ = try? AtomicFile.write(Array("mine".utf8), to: file, expecting: .absent)
          }, path: "/api/heroes", number: 1))
      server.server.addFault(FaultRule(.dropBeforeHandling, path: "/api/heroes"))
      let result = await setting.run("clone", server.url, "t", "--api", "v0")
      #expect(result.code == .unreachable)
      #expect(result.errors.contains("stories -C t sync pull"), "\(result.errors)")
      #expect(try folder.read("t/" + place) == "mine")
      try FileSystem.removeTree(folder.path("t"))
    }
  }
}
