import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct AccountCommandTests {
  private let folder: TemporaryFolder
  private let server: TestServer

  init() throws {
    folder = try TemporaryFolder()
    server = try TestServer()
  }

  private func setting(typed: String..., isTerminal: Bool = false) -> CommandSetting {
    var setting = CommandSetting(folder)
    setting.environment = ["STORIES_CONFIG_DIR": folder.path("config"), "NO_COLOR": "1"]
    setting.typed = typed
    setting.isTerminal = isTerminal
    return setting
  }

  @Test func fromSignUpToSignOut() async throws {
    let up = await setting(typed: TestServer.password).run(
      "sign-up", "--server", server.url, "--email", "a@example.org", "--name", "Ann",
      "--password-stdin")
    #expect(up.code == .done)
    #expect(up.output == "Signed up to \(server.url) as Ann <a@example.org>\n")
    let who = await setting().run("whoami", "--server", server.url)
    #expect(who.output == "Ann <a@example.org> at \(server.url)\n")
    let out = await setting().run("sign-out", "--server", server.url)
    #expect(out.output == "Signed out of \(server.url)\n")
    #expect(await setting().run("whoami", "--server", server.url).code == .signInFirst)
    let again = await setting().run("sign-out", "--server", server.url)
    #expect(again.code == .done)
    #expect(again.errors == "Not signed in to \(server.url).\n")
    let signedIn = await setting(typed: TestServer.password).run(
      "sign-in", "--server", server.url, "--email", "a@example.org", "--password-stdin", "--json")
    #expect(signedIn.code == .done)
    #expect(signedIn.json?["schema"] == "stories.account/1")
    #expect(signedIn.json?["server"] == .string(server.url))
    #expect(signedIn.json?["account"]?["email"] == "a@example.org")
  }

  @Test func sessionsAreForTheirOwnerAlone() async throws {
    _ = await setting(typed: TestServer.password).run(
      "sign-up", "--server", server.url, "--email", "a@example.org", "--password-stdin")
    let status = try #require(try FileSystem.status(folder.path("config/sessions.json")))
    #expect(status.mode == 0o600)
    #expect(!(try folder.read("config/sessions.json")).contains(TestServer.password))
  }

  @Test func aTerminalIsAskedTwiceForANewPassword() async throws {
    let good = await setting(
      typed: TestServer.password, TestServer.password, isTerminal: true
    ).run("sign-up", "--server", server.url, "--email", "a@example.org")
    #expect(good.code == .done)
    #expect(good.errors == "Password of a@example.org at \(server.url): \nOnce more: \n")
    let bad = await setting(typed: "one password", "another one", isTerminal: true).run(
      "sign-up", "--server", server.url, "--email", "b@example.org")
    #expect(bad.code == .wrongUsage)
    #expect(bad.errors.contains("the passwords do not match"))
    let once = await setting(typed: TestServer.password, isTerminal: true).run(
      "sign-in", "--server", server.url, "--email", "a@example.org")
    #expect(once.code == .done)
  }

  /// What cannot be, with its exit code and a part of what is said.
  @Test(arguments: [
    (["sign-in", "--email", "a@example.org"], ExitCode.wrongUsage, "--password-stdin"),
    (["sign-in"], .wrongUsage, "needs --email E"),
    (["sign-in", "--email", " ", "--password-stdin"], .wrongUsage, "needs --email E"),
    (["sign-in", "--user", "", "--password-stdin"], .wrongUsage, "needs --user NAME"),
    (
      ["sign-in", "--email", "a@b.c", "--password-stdin"], .signInFirst, "invalid email or password"
    ),
    (["sign-up", "--email", "nobody", "--password-stdin"], .failed, "email"),
    (["whoami", "--server", "embedded"], .wrongUsage, "the embedded server needs no account"),
    (["whoami", "--server", "http://example.org"], .stopped, "not encrypted"),
    (["whoami", "--server", "http://127.0.0.1:1"], .signInFirst, "sign in first"),
  ])
  func refuses(words: [String], code: ExitCode, message: String) async throws {
    var setting = setting(typed: "some password")
    setting.environment["STORIES_SERVER"] = server.url
    let result = await setting.run(words)
    #expect(result.code == code)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func `a refused token of the environment is named`() async throws {
    var setting = setting()
    setting.environment["STORIES_TOKEN"] = "refused"
    let result = await setting.run("whoami", "--server", server.url)
    #expect(result.code == .signInFirst)
    #expect(result.errors.hasPrefix("Error: the server does not accept the token\n"))
    #expect(result.errors.contains("unset that to sign in: stories sign-in --server \(server.url)"))
    let clone = await setting.run("clone", server.url, "copy")
    #expect(clone.code == .signInFirst)
    #expect(clone.errors.contains("the server does not accept the token"))
    let doctor = await setting.run("doctor", "--server", server.url)
    #expect(doctor.output.contains("(unset STORIES_TOKEN first)"))
    var typed = self.setting(typed: "another")
    typed.environment["STORIES_TOKEN"] = "refused"
    let signIn = await typed.run("sign-in", "--server", server.url, "--token-stdin")
    #expect(signIn.code == .signInFirst)
    #expect(signIn.errors.contains("the server does not accept the token"))
  }

  @Test func anAddressThatIsTakenLeadsToSignIn() async throws {
    for code in [ExitCode.done, .failed] {
      let result = await setting(typed: TestServer.password).run(
        "sign-up", "--server", server.url, "--email", "a@example.org", "--password-stdin")
      #expect(result.code == code)
      if code == .failed {
        #expect(
          result.errors.contains(
            "Hint: to sign in to it: stories sign-in --server \(server.url) --email"))
      }
    }
  }

  /// Outside of a library, a hint's command works only with the server.
  @Test func theHintsNameTheServer() async throws {
    let who = await setting().run("whoami", "--server", server.url)
    #expect(who.errors == "Error: sign in first: stories sign-in --server \(server.url)\n")
    let wrong = await setting(typed: "some password").run(
      "sign-in", "--server", server.url, "--email", "a@b.c", "--password-stdin")
    #expect(
      wrong.errors.hasSuffix(
        "create an account: stories sign-up --server \(server.url) --email a@b.c\n"))
    // In a library, too: its own server may be another one.
    #expect(await setting().run("init").code == .done)
    let inside = await setting().run("usage", "--server", server.url, "--json")
    #expect(
      inside.json?["error"]?["message"]
        == .string("sign in first: stories sign-in --server \(server.url)"))
  }

  @Test func aServerThatIsNotTheLibrarysIsNotLookedForThere() async throws {
    var setting = setting()
    #expect(await setting.run("init").code == .done)
    setting.environment["STORIES_RETRY"] = "0"
    setting.environment["STORIES_TOKEN"] = "t"
    let run = await setting.run("whoami", "--server", "http://127.0.0.1:1")
    #expect(run.code == .unreachable)
    #expect(
      run.errors.hasSuffix("Hint: check the address, and that the server is running\n"),
      "\(run.errors)")
  }

  @Test func aSessionNeedsAPlace() async throws {
    var setting = setting(typed: TestServer.password)
    setting.environment = [:]
    let result = await setting.run(
      "sign-in", "--server", server.url, "--email", "a@example.org", "--password-stdin")
    #expect(result.code == .wrongUsage)
    #expect(result.errors.contains("STORIES_CONFIG_DIR"))
  }

  @Test func noServerAndNoLibrary() async throws {
    #expect(await setting().run("whoami").errors.contains("no server given"))
  }

  @Test func aServerThatIsGoneIsUnreachable() async throws {
    let up = await setting(typed: TestServer.password).run(
      "sign-up", "--server", server.url, "--email", "a@example.org", "--password-stdin")
    #expect(up.code == .done, "\(up.errors)")
    try server.stop()
    let result = await setting().run("sign-out", "--server", server.url)
    #expect(result.code == .unreachable)
    #expect(
      result.errors.hasSuffix(
        "Hint: you are signed out on this machine; the server's part of the session stays until it"
          + " expires\n"), "\(result.errors)")
    // It is forgotten here all the same.
    #expect(await setting().run("whoami", "--server", server.url).code == .signInFirst)
  }

  @Test func aTokenOfTheEnvironmentGoesOnlyToANamedServer() async throws {
    let other = try TestServer()
    var setting = try server.library(in: folder, "a")
    #expect(await setting.run("whoami").code == .done)
    // The library names a server that the person did not: the token stays here.
    try folder.edit("a/library.json", server.url, to: other.url)
    setting.environment["STORIES_SERVER"] = nil
    #expect(await setting.run("whoami").code == .signInFirst)
    #expect(other.server.requestLog.isEmpty)
    #expect(await setting.run("whoami", "--server", server.url).code == .done)
  }
}
