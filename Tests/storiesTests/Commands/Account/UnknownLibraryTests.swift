import Foundation
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// A library that somebody else made, which names a server where this user has a session.
@Suite(.inTurn) struct UnknownLibraryTests {
  private let folder: TemporaryFolder
  private let server: TestServer

  /// Somebody is signed in to a server, and gets a library with a record.
  init() async throws {
    folder = try TemporaryFolder()
    server = try TestServer()
    var setting = setting("")
    setting.typed = [TestServer.password]
    let run = await setting.run(
      "sign-up", "--email", "a@example.org", "--password-stdin", "--server", server.url)
    #expect(run.code == .done, "\(run.errors)")
    try unpack("lib")
    server.server.clearRequestLog()
  }

  private func setting(_ name: String, terminal typed: String...) -> CommandSetting {
    var setting = CommandSetting(folder.path(name))
    setting.environment = [
      "STORIES_CONFIG_DIR": folder.path("config"), "STORIES_RETRY": "0", "NO_COLOR": "1",
    ]
    setting.isTerminal = !typed.isEmpty
    setting.typed = typed
    return setting
  }

  private func unpack(_ name: String) throws {
    _ = try server.library(in: folder, name)
    try folder.write(SampleLibrary.luna, to: "\(name)/heroes/luna.json")
  }

  private func heroes() throws -> [String] {
    try server.server.records(.heroes, of: "a@example.org").map(\.id)
  }

  @Test(arguments: [
    ["sync"], ["sync", "push"], ["sync", "pull"], ["sync", "--json"], ["sync", "--full"],
    ["sync", "--every", "1h"], ["sync", "--dry-run"], ["doctor"],
    ["generate", "avatar", "heroes/luna"], ["whoami"], ["whoami", "--json"],
    ["whoami", "--edit-name", "Max"], ["usage"],
  ]) func `nothing but the account is asked for`(_ words: [String]) async throws {
    let run = await setting("lib").run(words)
    #expect(run.code == .stopped, "\(run.errors)")
    #expect((run.output + run.errors).contains("a@example.org"))
    #expect((run.output + run.errors).contains(server.url))
    #expect((run.output + run.errors).contains("--yes"))
    let paths = Set(server.server.requestLog.map(\.path))
    #expect(paths.isSubset(of: ["/api/health", "/api/user/profile"]), "\(paths)")
    #expect(try heroes().isEmpty)
    #expect(try folder.read("lib/heroes/luna.json") == SampleLibrary.luna)
    #expect(!folder.exists("lib/heroes/.sync"))
  }

  @Test func `somebody else's library ends no session`() async throws {
    let run = await setting("lib").run("sign-out", "--yes")
    #expect(run.code == .stopped)
    #expect(run.errors.contains("stories sign-out --server \(server.url)"), "\(run.errors)")
    #expect(server.server.requestLog.isEmpty)
    #expect(await setting("lib").run("sync").code == .stopped, "that was no consent")
    // Who names the server means it.
    #expect(await setting("lib").run("whoami", "--server", server.url).code == .done)
    #expect(await setting("lib").run("sign-out", "--server", server.url).code == .done)
    #expect(await setting("lib").run("sync").code == .signInFirst)
  }

  @Test func `an account that the session does not name is not asked for first`() async throws {
    let text = try folder.read("config/sessions.json").replacing(
      /"user":\s*\{[^}]*\}/, with: "\"user\": null")
    try folder.write(text, to: "config/sessions.json")
    #expect(chmod(folder.path("config/sessions.json"), 0o600) == 0)
    for words in [["sync"], ["whoami"]] {
      let run = await setting("lib").run(words)
      #expect(run.code == .stopped, "\(run.errors)")
    }
    #expect(server.server.requestLog.isEmpty)
  }

  @Test func `consent is asked for once`() async throws {
    #expect(await setting("lib").run("sync", "--yes").code == .done)
    #expect(try heroes().count == 1)
    #expect(await setting("lib").run("sync").code == .done)
  }

  @Test func `on a terminal it is a question`() async throws {
    let no = await setting("lib", terminal: "n").run("sync")
    #expect(no.code == .stopped)
    #expect(no.output.contains("as a@example.org"), "\(no.output)")
    #expect(try heroes().isEmpty)
    let end = await setting("lib", terminal: "?").run("sync")
    #expect(end.code == .stopped && end.output.contains("nothing has been sent"))
    #expect(await setting("lib", terminal: "y").run("sync").code == .done)
    #expect(await setting("lib").run("sync").code == .done)
  }

  @Test func `consent is for one place and one server`() async throws {
    #expect(await setting("lib").run("sync", "--yes").code == .done)
    // With all of its own state, as it could come in an archive.
    try FileSystem.rename(folder.path("lib"), to: folder.path("copy"))
    #expect(await setting("copy").run("sync").code == .stopped)
    try unpack("lib")
    let other = try TestServer()
    var signUp = setting("")
    signUp.typed = [TestServer.password]
    _ = await signUp.run(
      "sign-up", "--email", "a@example.org", "--password-stdin", "--server", other.url)
    let text = try folder.read("lib/library.json").replacing(server.url, with: other.url)
    try folder.write(text, to: "lib/library.json")
    let run = await setting("lib").run("sync")
    #expect(run.code == .stopped && run.errors.contains(other.url), "\(run.errors)")
  }

  @Test func `a list that others can change trusts nothing`() async throws {
    #expect(await setting("lib").run("sync", "--yes").code == .done)
    #expect(chmod(folder.path("config/libraries.json"), 0o666) == 0)
    #expect(await setting("lib").run("sync").code == .stopped)
  }

  @Test func `who makes, clones, moves or signs in to a library means it`() async throws {
    #expect(await setting("").run("init", "made", "--server", server.url).code == .done)
    #expect(await setting("made").run("sync").code == .done)
    #expect(await setting("").run("clone", server.url, "cloned").code == .done)
    #expect(await setting("cloned").run("sync").code == .done)
    #expect(await setting("").run("init", "moved").code == .done)
    #expect(await setting("moved").run("remote", "set", server.url).code == .done)
    #expect(await setting("moved").run("sync").code == .done)
    var signIn = setting("lib")
    signIn.typed = [TestServer.password]
    #expect(
      await signIn.run("sign-in", "--email", "a@example.org", "--password-stdin").code == .done)
    #expect(await setting("lib").run("sync").code == .done)
  }

  @Test func `a token from the environment is this user's word`() async throws {
    var setting = setting("lib")
    setting.environment["STORIES_TOKEN"] = try server.token()
    setting.environment["STORIES_SERVER"] = server.url
    #expect(await setting.run("sync").code == .done)
    #expect(try server.names(.heroes) == ["Luna"])
  }
}
