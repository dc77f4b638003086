import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import Synchronization
import TestSupport
import Testing

@testable import stories

/// Sessions through the program: how they are restored, renewed and ended, and the sentences that tell
/// of it.
@Suite(.inTurn) struct SessionCommandTests {
  private let folder: TemporaryFolder
  private let server: TestServer
  private let clock = SteppingClock()

  init() throws {
    let clock = clock
    folder = try TemporaryFolder()
    server = try TestServer { options in
      options.sessionLifetime = 3_600_000
      options.clock = {
        let now = clock.source.now()
        return now.seconds * 1_000 + Int64(now.nanoseconds / 1_000_000)
      }
    }
    _ = try server.library(in: folder, "a")
  }

  private func setting(typed: String...) -> CommandSetting {
    var setting = CommandSetting(folder.path("a"))
    setting.environment = [
      "STORIES_CONFIG_DIR": folder.path("config"), "STORIES_RETRY": "0", "NO_COLOR": "1",
    ]
    setting.time = clock.source
    setting.typed = typed
    return setting
  }

  private func signUp(_ server: TestServer? = nil) async {
    let run = await setting(typed: TestServer.password).run(
      "sign-up", "--email", "a@example.org", "--password-stdin", "--server",
      (server ?? self.server).url)
    #expect(run.code == .done, "\(run.errors)")
  }

  private func sessions() throws -> String { try folder.read("config/sessions.json") }

  private func requests(_ path: String) -> Int {
    server.server.requestLog.count { $0.path == path }
  }

  @Test(arguments: [["sync"], ["whoami"], ["usage"], ["sync", "push", "--json"]])
  func withoutOneSignInComesFirst(words: [String]) async throws {
    let run = await setting().run(words)
    #expect(run.code == .signInFirst)
    #expect(run.errors == "Error: sign in first: stories sign-in\n")
    #expect(server.server.requestLog.isEmpty, "nothing is sent without a session")
  }

  @Test func aWrongPasswordIsCalledThat() async throws {
    await signUp()
    let run = await setting(typed: "another password").run(
      "sign-in", "--email", "a@example.org", "--password-stdin")
    #expect(run.code == .signInFirst)
    #expect(run.errors.hasPrefix("Error: invalid email or password\nHint: "), "\(run.errors)")
  }

  @Test(arguments: [["sync"], ["whoami"]])
  func withoutANetworkNothingIsLost(words: [String]) async throws {
    await signUp()
    let before = try sessions()
    try server.stop()
    let run = await setting().run(words)
    #expect(run.code == .unreachable)
    #expect(
      run.errors.hasPrefix("Error: cannot reach \(server.url): connection refused"),
      "\(run.errors)")
    #expect(try sessions() == before)
  }

  @Test func anExpiredOneIsRenewedAndTheRequestRepeatedOnce() async throws {
    await signUp()
    let before = try sessions()
    server.server.addFault(FaultRule(.answer(status: 401), path: "/api/user/profile", number: 1))
    server.server.clearRequestLog()
    #expect(await setting().run("whoami").code == .done)
    #expect(requests("/api/user/profile") == 2)
    #expect(requests("/api/auth/session/refresh") == 1)
    #expect(try sessions() != before)
    #expect(await setting().run("whoami").code == .done, "the new one is restored")
  }

  @Test func oneThatCannotBeRenewedIsCleared() async throws {
    await signUp()
    server.server.addFault(FaultRule(.answer(status: 401), path: "/api/user/profile"))
    server.server.addFault(FaultRule(.answer(status: 401), path: "/api/auth/session/refresh"))
    let run = await setting().run("whoami")
    #expect(run.code == .signInFirst)
    #expect(run.errors == "Error: session expired, please sign in again\nHint: stories sign-in\n")
    server.server.removeFaults()
    let next = await setting().run("whoami")
    #expect(next.errors == "Error: sign in first: stories sign-in\n")
  }

  @Test func aRenewalThatNobodyAnswersLeavesTheOldOne() async throws {
    await signUp()
    let before = try sessions()
    server.server.addFault(FaultRule(.answer(status: 401), path: "/api/user/profile"))
    server.server.addFault(FaultRule(.dropBeforeHandling, path: "/api/auth/session/refresh"))
    #expect(await setting().run("whoami").code == .unreachable)
    #expect(try sessions() == before)
    server.server.removeFaults()
    #expect(await setting().run("whoami").code == .done)
  }

  @Test func itIsRenewedFiveMinutesBeforeItsEnd() async throws {
    await signUp()
    for (minutes, renewals) in [(54, 0), (2, 1), (10, 1)] {
      clock.advance(by: .seconds(60 * minutes))
      #expect(await setting().run("whoami").code == .done)
      #expect(requests("/api/auth/session/refresh") == renewals, "after \(minutes) more minutes")
    }
    let doctor = await setting().run("doctor", "--json")
    #expect(doctor.json?["server"]?["session"] == "signedIn")
    #expect(doctor.json?["server"]?["expiresAt"] == "2026-11-20T11:56:00.000Z")
  }

  @Test func eachServerGetsItsOwn() async throws {
    let other = try TestServer()
    await signUp()
    #expect(await setting().run("whoami", "--server", other.url).code == .signInFirst)
    #expect(other.server.requestLog.isEmpty)
    await signUp(other)
    #expect(await setting().run("whoami", "--server", other.url).code == .done)
    #expect(await setting().run("sign-out", "--server", other.url).code == .done)
    #expect(await setting().run("whoami").code == .done)
  }

  @Test(arguments: [0o644, 0o660, 0o604])
  func aFileThatOthersCanReadIsRefused(mode: Int) async throws {
    await signUp()
    #expect(chmod(folder.path("config/sessions.json"), mode_t(mode)) == 0)
    server.server.clearRequestLog()
    for words in [
      ["whoami"], ["sync"], ["sign-in", "--email", "a@example.org", "--password-stdin"],
    ] {
      let run = await setting(typed: TestServer.password).run(words)
      #expect(run.code == .failed)
      let path = folder.path("config/sessions.json")
      #expect(
        run.errors
          == "Error: others can read or change \(path)\nHint: restrict it to yourself: chmod go-rwx '\(path)'\n"
      )
    }
    #expect(server.server.requestLog.allSatisfy { $0.path == "/api/health" })
  }

  @Test func verboseTellsEachRequest() async throws {
    await signUp()
    server.server.addFault(FaultRule(.answer(status: 503), path: "/api/user/profile", number: 1))
    let run = await setting().run("whoami", "-v", "--set", "retry=1ms")
    let lines = run.errors.replacing(/[0-9]+ ms/, with: "N ms").split(separator: "\n")
    #expect(
      lines == [
        "Library: .", "GET /api/user/profile 503 N ms",
        "The server answered 503. Retrying in less than a second.",
        "GET /api/user/profile 200 N ms (try 2)",
      ])
    let bodies = await setting(typed: TestServer.password).run(
      "sign-in", "--email", "a@example.org", "--password-stdin", "-vv")
    #expect(
      bodies.errors.contains(#"  > {"email":"a@example.org","password":"[redacted]"}"#),
      "\(bodies.errors)")
    #expect(bodies.errors.contains(#""token":"[redacted]""#))
  }
}
