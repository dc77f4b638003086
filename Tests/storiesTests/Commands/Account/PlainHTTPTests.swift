import StoryServer
import TestSupport
import Testing

@testable import stories

/// `--allow-plain-http` of the commands that set up a machine. 0.0.0.0 is this machine too, but not
/// by an address of its loop.
@Suite(.inTurn) struct PlainHTTPTests {
  private let folder: TemporaryFolder
  private let server: TestServer
  private let setting: CommandSetting
  private let url: String

  init() throws {
    folder = try TemporaryFolder()
    server = try TestServer { $0.host = "0.0.0.0" }
    url = "http://0.0.0.0:" + (server.url.split(separator: ":").last ?? "")
    var setting = CommandSetting(folder)
    setting.environment = ["STORIES_CONFIG_DIR": folder.path("config"), "STORIES_RETRY": "0"]
    self.setting = setting
  }

  private var allowed: Bool {
    (try? folder.read("config/plain-http.json").contains(url)) ?? false
  }

  /// Makes the account by the address of the loop, which needs no permission.
  private func signUp() async throws {
    var setting = setting
    setting.environment["STORIES_CONFIG_DIR"] = folder.path("other")
    setting.typed = [TestServer.password]
    let run = await setting.run(
      "sign-up", "--server", url.replacing("0.0.0.0", with: "127.0.0.1"), "--email",
      TestServer.email, "--password-stdin")
    #expect(run.code == .done, "\(run.errors)")
  }

  /// The hint is the command that works as it stands.
  @Test(arguments: ["sign-in", "sign-up"]) func accountCommands(command: String) async throws {
    var setting = setting
    let words = [command, "--server", url, "--email", TestServer.email, "--password-stdin"]
    let refused = await setting.run(words)
    #expect(refused.code == .stopped)
    #expect(
      refused.errors.contains(
        "stories \(words.joined(separator: " ")) --allow-plain-http\n"), "\(refused.errors)")
    #expect(!allowed)
    if command == "sign-in" { try await signUp() }
    setting.typed = [TestServer.password]
    let run = await setting.run(words + ["--allow-plain-http"])
    #expect(run.code == .done, "\(run.errors)")
    #expect(allowed)
  }

  @Test func cloneAsksAndAllowsInOneCommand() async throws {
    var setting = setting
    let refused = await setting.run("clone", url, "x")
    #expect(refused.code == .stopped)
    #expect(refused.errors.contains("stories clone \(url) x --allow-plain-http\n"))
    try await signUp()
    setting.isTerminal = true
    setting.typed = [TestServer.email, TestServer.password]
    let run = await setting.run("clone", url, "x", "--allow-plain-http")
    #expect(run.code == .done, "\(run.errors)")
    #expect(allowed && folder.exists("x/library.json"))
  }

  @Test(arguments: [[], ["--dry-run"], ["--api", "v0"]])
  func initSaysThatItIsRefused(options: [String]) async throws {
    let run = await setting.run(["init", "x", "--server", url] + options)
    #expect(run.code == .stopped)
    #expect(run.errors.contains("is not encrypted"))
    let command = (["stories", "init", "x", "--server", url] + options).joined(separator: " ")
    #expect(run.errors.contains("\(command) --allow-plain-http\n"), "\(run.errors)")
    #expect(!folder.exists("x"))
  }

  @Test func initAllowsItForItsServer() async throws {
    let dry = await setting.run("init", "x", "--server", url, "--allow-plain-http", "--dry-run")
    #expect(dry.code == .done)
    #expect(!allowed && !folder.exists("x"))
    #expect(await setting.run("init", "x", "--server", url, "--allow-plain-http").code == .done)
    #expect(allowed && folder.exists("x/library.json"))
  }

  @Test(arguments: [
    ["init", "x", "--allow-plain-http"],
    ["init", "x", "--server", "https://stories.example", "--allow-plain-http"],
    ["clone", "http://127.0.0.1:1", "x", "--allow-plain-http"],
  ])
  func whereThereIsNothingToAllowItIsAMistake(words: [String]) async throws {
    let run = await setting.run(words)
    #expect(run.code == .wrongUsage)
    #expect(run.errors.contains("Hint: leave out --allow-plain-http"), "\(run.errors)")
    #expect(!folder.exists("x"))
  }
}
