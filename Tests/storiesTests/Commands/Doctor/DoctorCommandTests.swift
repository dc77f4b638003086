import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct DoctorCommandTests {
  /// What `check` warns of, `doctor` knows as well.
  @Test func recordsWithWarningsAreFound() async throws {
    let library = try SampleLibrary()
    try library.folder.edit("heroes/luna.json", "\"name\"", to: "\"hieght\": 3,\n  \"name\"")
    try await library.push()
    #expect(await library.run("check").output.contains("warning"))
    let run = await library.run("doctor")
    #expect(run.code == .done)
    #expect(run.output.contains("1 record has warnings, the first is heroes/luna"))
    #expect(!run.output.contains("Everything is well"))
    try library.folder.edit("library.json", "\"api\"", to: "\"polices\": {},\n  \"api\"")
    #expect(await library.run("doctor").output.contains("“polices” is not a setting"))
  }

  @Test func allIsWell() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let run = await library.run("doctor")
    #expect(run.code == .done)
    #expect(run.lines.prefix(2) == ["Library", "  No problems."])
    #expect(run.output.contains("  server              embedded  (library.json)\n"))
    #expect(run.output.contains("  answers  yes, version "))
    #expect(run.output.contains("  session  not needed\n"))
    #expect(run.output.contains("  ✓ Nothing is created twice: "))
    #expect(run.output.hasSuffix("\nNo problems found.\n"))
  }

  @Test func findsAndMendsAndChangesNothingOtherwise() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let folder = library.folder
    try folder.write(folder.read("heroes/.sync/luna.json"), to: "heroes/.sync/copy.json")
    try folder.write("{\"name\": ", to: "heroes/family/otto.json")
    try FileSystem.makeFolder(folder.path("stories/old/.sync"))
    let before = try folder.read("heroes/.sync/copy.json")
    let run = await library.run("doctor")
    #expect(run.code == .failed)
    #expect(
      run.output.contains(
        """
          error  heroes/family/otto.json:1:10: the text ends here, but a value should
          follow
              → the record is not changed on either side; the others continue
        """))
    #expect(run.output.contains("  warning  heroes/.sync/copy.json: has no record, and another"))
    #expect(
      run.output.hasSuffix(
        "Found 1 error and 1 warning. 2 things can be repaired: stories doctor --fix\n"))
    let dry = await library.run("doctor", "--fix", "--dry-run")
    #expect(
      dry.lines.prefix(3) == [
        "Would be repaired", "  remove heroes/.sync/copy.json, kept in a run",
        "  remove the empty folder stories/old/.sync",
      ])
    #expect(try folder.read("heroes/.sync/copy.json") == before)
    let fix = await library.run("doctor", "--fix")
    #expect(fix.code == .failed, "the broken record is left")
    #expect(fix.line(1) == "  ✓ remove heroes/.sync/copy.json, kept in a run")
    #expect(!folder.exists("heroes/.sync/copy.json"))
    #expect(!folder.exists("stories/old/.sync"))
    #expect(try folder.read("heroes/family/otto.json") == "{\"name\": ")
    #expect(await library.run("log").line(0).hasSuffix("  doctor --fix  kept 1 sidecar"))
    #expect(
      await library.run("doctor", "--fix").line(0)
        == "Nothing can be repaired without a decision.")
  }

  @Test func jsonIsComplete() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.write("", to: "heroes/empty.json")
    let json = try #require(await library.run("doctor", "--json").json)
    #expect(json["schema"] == "stories.doctor/1")
    let diagnostic = json["findings"]?.array?.first
    #expect(diagnostic?["severity"] == "error")
    #expect(diagnostic?["code"] == "empty")
    #expect(diagnostic?["file"] == "heroes/empty.json")
    #expect(json["counts"] == ["synced": 4, "unreadable": 1])
    #expect(json["server"]?["answers"] == true)
    #expect(json["server"]?["features"]?.array?.count == 5)
    #expect(json["server"]?["guarantees"]?.array?.count == 5)
    // The server's date has whole seconds, and the machine may be busy.
    let clock = try #require(json["server"]?["clockAheadSeconds"]?.integer)
    #expect(abs(clock) < 60)
    #expect(json["settings"]?.array?.contains { $0["name"] == "server" } == true)
    #expect(json["state"]?["runs"] == 1)
  }

  @Test func tellsWhatAWeakerServerLeavesOpen() async throws {
    let folder = try TemporaryFolder()
    let server = try TestServer { $0.features = [] }
    let ann = try server.library(in: folder, "ann")
    let run = await ann.run("doctor")
    #expect(run.code == .done)
    #expect(run.output.contains("  offers   nothing beyond the basics\n"))
    #expect(run.output.contains("  ! Nobody's edit is overwritten: "))
    #expect(run.output.contains("    Not covered: a change made between"))
    #expect(run.output.contains("  token               set  (STORIES_TOKEN)\n"))
    #expect(run.output.contains("  server              \(server.url)  (STORIES_SERVER)\n"))
    #expect(!run.output.contains(ann.environment["STORIES_TOKEN"] ?? "?"))
  }

  @Test func tellsAboutSessionsAndServersThatDoNotAnswer() async throws {
    let folder = try TemporaryFolder()
    let server = try TestServer()
    var ann = try server.library(in: folder, "ann")
    ann.environment["STORIES_TOKEN"] = nil
    let signedOut = await ann.run("doctor", "--json")
    #expect(signedOut.code == .done)
    #expect(signedOut.json?["server"]?["session"] == "signedOut")
    #expect(signedOut.json?["server"]?["answers"] == true)
    ann.environment["STORIES_TOKEN"] = "no-token"
    #expect(await ann.run("doctor", "--json").json?["server"]?["session"] == "expired")
    try server.stop()
    let stopped = await ann.run("doctor", "--json")
    #expect(stopped.code == .unreachable)
    #expect(stopped.json?["server"]?["answers"] == false)
    #expect(stopped.json?["server"]?["error"]?["code"] == "network")
  }

  @Test func tellsWhereTheLibraryBelongsToAnotherAccount() async throws {
    let world = try await ConflictedLibraries()
    var other = world.ben
    other.environment["STORIES_TOKEN"] = try world.server.server.issueToken(email: "b@example.org")
      .token
    let run = await other.run("doctor", "--json")
    #expect(run.code == .stopped)
    #expect(run.json?["server"]?["error"]?["code"] == "other-server")
  }

  @Test func dryRunNeedsFix() async throws {
    let library = try SampleLibrary()
    #expect(await library.run("doctor", "--dry-run").code == .wrongUsage)
  }

  // MARK: Outside of a library

  @Test func `without a library there are settings still`() async throws {
    let folder = try TemporaryFolder()
    var setting = CommandSetting(folder)
    setting.environment["STORIES_RETRY"] = "0"
    let run = await setting.run("doctor")
    #expect(run.code == .done, "\(run.errors)")
    #expect(run.lines.first == "Settings")
    #expect(run.output.contains("  none  (current folder)\n"))
    #expect(run.output.contains("  none  (default)\n"))
    #expect(run.output.contains("  (STORIES_RETRY)\n"))
    #expect(!run.output.contains("Server\n"))
    #expect(
      run.output.hasSuffix("\nNo library here: `stories init` creates one.\n"))
    let fix = await setting.run("doctor", "--fix")
    #expect(fix.code == .wrongUsage && fix.errors.contains("no library here"))
  }

  @Test func `settings that cannot be read are told before a server is asked`() async throws {
    let folder = try TemporaryFolder()
    var setting = CommandSetting(folder)
    setting.environment["STORIES_SERVER"] = "http://127.0.0.1:9"
    setting.environment["STORIES_CONFIG_DIR"] = folder.path("config")
    try folder.write("{bad", to: "config/engines.json")
    let run = await setting.run("doctor")
    #expect(run.code != .done && run.errors.contains("engines.json"))
    #expect(!run.errors.contains("reach"))
  }

  @Test(arguments: ServerAPI.allCases)
  func `without a library a server that is named is asked`(_ api: ServerAPI) async throws {
    let folder = try TemporaryFolder()
    let server = try TestServer { $0.api = api }
    var setting = CommandSetting(folder)
    setting.environment = ["STORIES_SERVER": server.url, "STORIES_RETRY": "0"]
    let out = await setting.run("doctor")
    #expect(out.code == .done, "\(out.errors)")
    #expect(out.output.contains("  \(server.url)  (STORIES_SERVER)\n"))
    #expect(out.output.contains("Server  \(server.url)\n"))
    #expect(out.output.contains("api \(api.rawValue)\n"))
    #expect(out.output.contains("  session  signed out; `stories sign-in` signs in\n"))
    setting.environment["STORIES_TOKEN"] = try server.token()
    let signedIn = await setting.run("doctor", "--json")
    #expect(signedIn.code == .done)
    let json = try #require(signedIn.json)
    #expect(json["schema"] == "stories.doctor/1")
    #expect(json["library"] == .null && json["state"] == .null && json["findings"] == [])
    #expect(json["server"]?["session"] == "signedIn" && json["server"]?["answers"] == true)
    try server.stop()
    let gone = await setting.run("doctor")
    #expect(gone.code == .unreachable)
    #expect(gone.output.contains("  answers  no\n"))
    #expect(try FileSystem.list(folder.path).isEmpty)
  }
}
