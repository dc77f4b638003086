import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct RemoteCommandTests {
  @Test func showsTheServerAndWhoSaysSo() async throws {
    let library = try SampleLibrary()
    let run = await library.run("remote")
    #expect(
      run.output == """
        server       embedded (from library.json)
        api          auto
        synced with  the embedded server, with its data in the library

        """)
    var setting = CommandSetting(library.folder)
    setting.environment["STORIES_SERVER"] = "https://stories.example"
    #expect(
      await setting.run("remote", "show").line(0)
        == "server        https://stories.example (from STORIES_SERVER)")
    let json = await library.run("remote", "show", "--json").json
    #expect(
      json == [
        "schema": "stories.remote/1", "server": "embedded", "source": "library.json",
        "library": "embedded", "api": "auto", "synced": nil,
      ])
  }

  @Test func movesTheLibrary() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let dry = await library.run("remote", "set", "https://Stories.Example/", "--dry-run")
    #expect(
      dry.output == """
        Would move the library from embedded to https://stories.example
        Would remove the old server's ids of 4 records.

        """)
    #expect(library.folder.exists("heroes/.sync/luna.json"))
    let run = await library.run("remote", "set", "https://Stories.Example/", "--json")
    #expect(run.code == .done)
    #expect(
      run.json == [
        "schema": "stories.remote-set/1", "dryRun": false, "from": "embedded",
        "server": "https://stories.example", "moved": true, "forgottenIds": 4,
        "allowedPlainHTTP": nil,
      ])
    #expect(!library.folder.exists("heroes/.sync/luna.json"))
    #expect(try library.folder.read("library.json").contains("\"https://stories.example\""))
    #expect(await library.run("remote", "set", "embedded").code == .done)
    let push = await library.run("sync", "push")
    #expect(push.output.contains("Everything is in sync"), "\(push.output)")
  }

  @Test func `what is given up is named`() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.write("", to: "heroes/luna.json")
    let setting = CommandSetting(library.folder)
    let words = ["remote", "set", "https://stories.example"]
    #expect(await setting.run(words).code == .stopped)
    for isDry in [true, false] {
      let run = await setting.run(words + ["--abandon-unconfirmed"] + (isDry ? ["--dry-run"] : []))
      let verb = isDry ? "Would give up" : "Gave up"
      #expect(
        run.output.contains("\(verb) what only the old server may have of heroes/luna."), "\(run)")
    }
  }

  @Test func staysWithTheSameServerAndAccount() async throws {
    let world = try await ConflictedLibraries()
    #expect(await world.ben.run("resolve", ".", "--server").code == .done)
    let run = await world.ben.run("remote", "set", world.server.url)
    #expect(run.code == .done, "\(run.errors)")
    #expect(run.output == "The library is already synced with \(world.server.url).\n")
    var other = world.ben
    other.environment["STORIES_TOKEN"] = try world.server.server.issueToken(email: "b@example.org")
      .token
    let dry = await other.run("remote", "set", world.server.url, "--dry-run")
    #expect(dry.line(0) == "Would move the library to \(world.server.url)")
    let moved = await other.run("remote", "set", world.server.url, "--json")
    #expect(moved.json?["moved"] == true)
    #expect(moved.json?["forgottenIds"] == 3)
  }

  /// Without its record of the server, the state of the last sync says whose the ids are.
  @Test(arguments: [nil, #"{"version": 1}"#])
  func `a lost library.json gives no ids to another server`(written: String?) async throws {
    let world = try await ConflictedLibraries()
    let (folder, url) = (world.folder, world.server.url)
    var ann = world.ann
    ann.environment["STORIES_SERVER"] = nil
    try folder.remove("ann/library.json")
    if let written {
      try folder.write(written, to: "ann/library.json")
    } else {
      let made = await ann.run("init")
      #expect(made.code == .done)
      #expect(made.errors.contains("to stay with \(url): `stories remote set \(url)`"))
    }
    try folder.edit("ann/heroes/luna.json", "7", to: "8")
    let stopped = await ann.run("sync")
    #expect(stopped.code == .stopped)
    #expect(stopped.errors.contains("this library belongs to \(url), but would be synced with the"))
    #expect(!folder.exists("ann/.stories/backend"))
    let back = await ann.run("remote", "set", url, "--json")
    #expect(back.json?["moved"] == true && back.json?["forgottenIds"] == 0)
    let sync = await world.ann.run("sync", "--json")
    #expect(sync.code == .done, "\(sync.errors)")
    #expect(sync.json?["sent"]?["updated"] == ["heroes/luna"] && sync.json?["adopted"] == [])
    #expect(try folder.read("ann/library.json").contains("\"synced\""))
  }

  @Test func `a lost library.json is made again with its server`() async throws {
    let world = try await ConflictedLibraries()
    try world.folder.remove("ann/library.json")
    let made = await world.ann.run("init", "--server", world.server.url)
    #expect(made.code == .done && !made.errors.contains("belongs to"), "\(made.errors)")
    #expect(await world.ann.run("sync").code == .done)
    // Where no sync has left its state either, the server's records are matched.
    try world.folder.remove("ann/library.json")
    try world.folder.remove("ann/.stories")
    let again = await world.ann.run("init", "--server", world.server.url)
    #expect(again.errors.contains("stories remote set \(world.server.url)"), "\(again.errors)")
    #expect(await world.ann.run("sync").code == .stopped)
    let moved = await world.ann.run("remote", "set", world.server.url, "--json")
    #expect(moved.json?["moved"] == true)
    #expect(await world.ann.run("sync", "--json").json?["adopted"]?.array?.count == 3)
  }

  @Test func conflictsAreDecidedFirst() async throws {
    let world = try await ConflictedLibraries()
    let run = await world.ben.run("remote", "set", "embedded")
    #expect(run.code == .conflictsLeft)
    #expect(run.errors.contains("Hint: resolve them first: stories resolve"))
  }

  @Test func plainHTTPIsAllowedByTheUserAlone() async throws {
    let library = try SampleLibrary()
    let configuration = try TemporaryFolder()
    var setting = CommandSetting(library.folder)
    setting.environment["STORIES_CONFIG_DIR"] = configuration.path("stories")
    let refused = await setting.run("remote", "set", "http://nas.example:8080")
    #expect(refused.code == .stopped)
    #expect(refused.errors.contains("--allow-plain-http"))
    let dry = await setting.run(
      "remote", "set", "http://nas.example:8080", "--allow-plain-http", "--dry-run")
    #expect(dry.line(0) == "Would allow plain http to http://nas.example:8080")
    #expect(!configuration.exists("stories"))
    let run = await setting.run(
      "remote", "set", "http://NAS.example:8080/", "--allow-plain-http")
    #expect(run.code == .done)
    #expect(run.line(0) == "Allowed plain http to http://nas.example:8080")
    let path = configuration.path("stories/plain-http.json")
    #expect(try FileSystem.status(path)?.mode == 0o600)
    #expect(try FileSystem.status(Path.parent(path))?.mode == 0o700)
    #expect(!(try library.folder.read("library.json").contains("plain")))
    #expect(await setting.run("remote").lines.contains("plain http   allowed"))
    #expect(
      await setting.run("remote", "set", "http://nas.example:8080").output
        == "The library is already synced with http://nas.example:8080.\n")
    // Another user, with another configuration, is still asked.
    setting.environment["STORIES_CONFIG_DIR"] = configuration.path("other")
    #expect(await setting.run("remote").lines.contains("plain http   not allowed"))
    #expect(await setting.run("sync", "push").code == .stopped)
  }

  @Test func refusesWhatIsNoServer() async throws {
    let library = try SampleLibrary()
    let cases: [([String], ExitCode)] = [
      (["remote", "set", "stories.example"], .wrongUsage),
      (["remote", "set", "https://me:secret@stories.example"], .stopped),
      (["remote", "set", "https://stories.example/path"], .wrongUsage),
      (["remote", "set", "embedded", "--allow-plain-http"], .wrongUsage),
      (["remote", "set", "https://stories.example", "--allow-plain-http"], .wrongUsage),
      (["remote", "set", "http://nas.example", "--allow-plain-http"], .wrongUsage),
      (["remote", "set"], .wrongUsage), (["remote", "shwo"], .wrongUsage),
    ]
    for (arguments, code) in cases {
      let run = await library.run(arguments: arguments)
      #expect(run.code == code, "\(arguments)")
      #expect(!run.errors.contains("secret"))
    }
    #expect(try library.folder.read("library.json").contains("embedded"))
  }

  /// Whatever stands in `library.json`, no command shows a password or a query.
  @Test(arguments: [
    "https://me:marked-secret@stories.example", "https://stories.example/?key=marked-secret",
    "https://me:marked-secret@stories.example/?key=marked-secret#marked-secret",
  ])
  func showsAddressesWithoutSecrets(address: String) async throws {
    let library = try SampleLibrary()
    try library.folder.write(
      """
      {"version": 1, "server": "\(address)", "api": "auto",
       "synced": {"server": "\(address)", "account": "u"}}
      """, to: "library.json")
    var shown = 0
    for words in [
      ["status"], ["status", "--remote"], ["doctor"], ["remote"], ["sync"], ["sync", "push"],
      ["why", "heroes/luna", "--remote"], ["whoami"], ["usage"], ["sign-out"],
      ["sign-in", "--email", "a@example.org", "--password-stdin"], ["check"], ["media", "pull"],
      ["generate", "avatar", "heroes/luna"], ["generate", "avatar", "heroes/luna", "--dry-run"],
      ["remote", "set", "https://other.example", "--dry-run"],
      ["clone", address, "elsewhere"], ["init", "elsewhere", "--server", address],
      ["remote", "set", address], ["remote", "set", "me:marked-secret@stories.example"],
    ] {
      for options in [["-vv"], ["--json"]] {
        let run = await library.run(arguments: words + options)
        let all = run.output + run.errors
        #expect(!all.contains("marked"), "\(words): \(all)")
        if all.contains("https://stories.example") { shown += 1 }
      }
    }
    #expect(shown >= 6, "the rest of the address is shown")
    // This moves the library, and says where it was.
    let moved = await library.run("remote", "set", "https://other.example", "--json")
    #expect(!(moved.output + moved.errors).contains("marked"))
    #expect(!(await library.run("log", "--json").output).contains("marked"))
  }

  @Test func helpListsBothCommands() async throws {
    let library = try SampleLibrary()
    let help = await library.run("remote", "--help")
    #expect(help.code == .done)
    #expect(help.output.contains("  show  ") && help.output.contains("  set   "))
  }
}

extension SampleLibrary {
  fileprivate func run(arguments: [String]) async -> CommandRun {
    await CommandSetting(folder).run(arguments)
  }
}
