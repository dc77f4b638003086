import Foundation
import JSONText
import StoryServer
import TestSupport
import Testing

@testable import stories

/// `stories serve`, the built program: who may make an account, and under which names it answers.
@Suite(.inTurn) struct ServeAccessTests {
  private let folder: TemporaryFolder
  private let program: BuiltProgram

  init() throws {
    folder = try TemporaryFolder()
    program = try BuiltProgram(in: folder)
  }

  /// Runs a server while `body` gets its URL; returns what it said.
  private func serve(
    _ words: [String], _ environment: [String: String] = [:], _ body: (String) throws -> Void
  ) throws -> RunningProgram.Result {
    var program = program
    program.environment.merge(environment) { $1 }
    let server = try program.start(["serve", "--port", "0", "--data", "data"] + words)
    do {
      try body(try #require(server.firstLine()))
    } catch {
      server.signal(SIGTERM)
      throw error
    }
    server.signal(SIGTERM)
    return server.wait()
  }

  private func signUp(
    _ url: String, _ email: String, _ words: String..., environment: [String: String] = [:]
  ) throws -> RunningProgram.Result {
    var program = program
    program.environment.merge(environment) { $1 }
    return try program.run(
      ["sign-up", "--server", url, "--email", email, "--password-stdin", "-vv"] + words,
      input: TestServer.password + "\n")
  }

  @Test func `a closed sign-up says so`() throws {
    let said = try serve(["--no-sign-up"]) { url in
      let up = try signUp(url, "a@example.org")
      #expect(up.code == 1)
      #expect(up.errors.contains("server takes no new accounts"), "\(up.errors)")
      #expect(up.errors.contains("Hint: ask whoever runs the server"), "\(up.errors)")
    }
    #expect(said.code == 0)
  }

  @Test(arguments: [true, false])
  func `an invite code lets people in, and stands nowhere`(_ isVariable: Bool) throws {
    let code = "open-sesame-42"
    let words = isVariable ? [] : ["--invite", code]
    let variables = isVariable ? ["STORIES_INVITE": code] : [:]
    let said = try serve(words, variables) { url in
      let without = try signUp(url, "a@example.org")
      #expect(without.code == 1)
      #expect(without.errors.contains("only with an invite code"), "\(without.errors)")
      #expect(without.errors.contains("--invite CODE"), "\(without.errors)")
      let wrong = try signUp(url, "a@example.org", "--invite", "wrong-sesame-42")
      #expect(wrong.code == 1)
      #expect(wrong.errors.contains("Hint: check the invite code"), "\(wrong.errors)")
      #expect(!wrong.errors.contains("sesame"), "\(wrong.errors)")
      let right =
        isVariable
        ? try signUp(url, "a@example.org", environment: variables)
        : try signUp(url, "a@example.org", "--invite", code)
      #expect(right.code == 0, "\(right.errors)")
      #expect(!right.errors.contains(code) && !right.output.contains(code), "\(right.errors)")
      #expect(right.errors.contains("[redacted]"))
    }
    #expect(!said.output.contains(code) && !said.errors.contains(code))
    let found = try program.shell("grep -r \(code) . ; true").output
    #expect(found.isEmpty, "\(found)")
  }

  @Test(arguments: [
    (["--invite", "short"], "--invite must be a code of at least 8 characters"),
    (["--invite", "long enough", "--no-sign-up"], "--invite and --no-sign-up"),
    (["--public-url", "stories.example"], "--public-url must be an http or https URL"),
    (
      ["--public-url", "https://stories.example/path"], "--public-url must be an http or https URL"
    ),
  ])
  func `misuse ends with 2`(_ words: [String], _ message: String) throws {
    let run = try program.run(["serve", "--data", "data"] + words)
    #expect(run.code == 2)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func `a public URL is a name of the server`() throws {
    _ = try serve([
      "--public-url", "https://Stories.Example", "--public-url", "http://mymac.local:8420",
    ]) { url in
      for (host, status) in [
        ("stories.example", 200), ("mymac.local:8420", 200), ("mymac.local", 200),
        ("evil.example", 421),
      ] {
        let run = try program.shell(
          "curl -s -o /dev/null -w '%{http_code}' -H 'Host: \(host)' \(url)/api/health")
        #expect(run.output == "\(status)", "\(host)")
      }
      for (origin, status) in [
        ("https://stories.example", 401), ("http://mymac.local:8420", 401),
        ("http://stories.example", 403), ("http://mymac.local", 403), ("https://evil.example", 403),
      ] {
        let run = try program.shell(
          "curl -s -o /dev/null -w '%{http_code}' -X DELETE -H 'Host: stories.example' "
            + "-H 'Origin: \(origin)' \(url)/api/heroes/x")
        #expect(run.output == "\(status)", "\(origin)")
      }
    }
  }

  @Test func `a name that the server does not know is said, with what to do`() async throws {
    let server = try TestServer()
    server.server.addFault(
      FaultRule(
        .answer(
          status: 421,
          body: Array(#"{"error":{"code":"unknownHost","message":"unknown"}}"#.utf8))))
    var setting = CommandSetting(folder)
    setting.environment = ["STORIES_SERVER": server.url, "STORIES_TOKEN": "x"]
    let run = await setting.run("whoami")
    #expect(run.code == .failed)
    #expect(run.errors.contains("--public-url URL"), "\(run.errors)")
  }
}
