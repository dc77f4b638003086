import Foundation
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// Sessions kept by git's credential helpers, with the real git and a helper that keeps what it is
/// given in a file (gitcredentials(7), “Custom helpers”).
@Suite(.inTurn) struct GitTokenStoreTests {
  private let folder: TemporaryFolder
  private let server: TestServer

  init() throws {
    folder = try TemporaryFolder()
    server = try TestServer()
    try folder.write(
      """
      #!/bin/sh
      # Keeps one password for each server, and notes what it was asked.
      store='\(folder.path("kept"))'
      echo "$1" >> '\(folder.path("asked"))'
      while IFS='=' read -r key value && [ -n "$key" ]; do
        case "$key" in host) host=$value ;; password) password=$value ;; esac
      done
      mkdir -p "$store"
      case "$1" in
        get) [ -f "$store/$host" ] && printf 'username=stories\\npassword=%s\\n' "$(cat "$store/$host")" ;;
        store) (umask 077; printf '%s' "$password" > "$store/$host") ;;
        erase) rm -f "$store/$host" ;;
      esac
      exit 0
      """, to: "helper")
    #expect(chmod(folder.path("helper"), 0o700) == 0)
  }

  private func setting(helper: Bool = true, typed: String...) throws -> CommandSetting {
    try folder.write(
      helper ? "[credential]\n\thelper = \(folder.path("helper"))\n" : "", to: ".gitconfig")
    var setting = CommandSetting(folder)
    setting.environment = [
      "STORIES_CONFIG_DIR": folder.path("config"), "STORIES_TOKEN_STORE": "git",
      "STORIES_SERVER": server.url,
    ]
    setting.childEnvironment = [
      "HOME": folder.path, "PATH": "/usr/local/bin:/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1",
    ]
    setting.typed = typed
    return setting
  }

  private func signUp(_ setting: CommandSetting) async -> CommandRun {
    await setting.run("sign-up", "--email", "a@example.org", "--password-stdin")
  }

  @Test func signInApprovesAndSignOutRejects() async throws {
    let up = await signUp(try setting(typed: TestServer.password))
    #expect(up.code == .done, "\(up.errors)")
    let host = server.url.dropFirst("http://".count)
    #expect(try folder.read("kept/\(host)").contains("\"token\":"))
    #expect(!folder.exists("config/sessions.json"))
    let who = await (try setting()).run("whoami")
    #expect(who.output == "a@example.org at \(server.url)\n")
    #expect(await (try setting()).run("sign-out").code == .done)
    #expect(!folder.exists("kept/\(host)"))
    #expect(await (try setting()).run("whoami").code == .signInFirst)
    #expect(Set(try folder.read("asked").split(separator: "\n")) == ["get", "store", "erase"])
  }

  @Test func aRenewedSessionReplacesTheOldOne() async throws {
    #expect(await signUp(try setting(typed: TestServer.password)).code == .done)
    let host = server.url.dropFirst("http://".count)
    let old = try folder.read("kept/\(host)")
    server.server.addFault(
      FaultRule(.answer(status: 401), path: "/api/user/profile", number: 1))
    #expect(await (try setting()).run("whoami").code == .done)
    let new = try folder.read("kept/\(host)")
    #expect(new != old)
    #expect(await (try setting()).run("whoami").code == .done)
  }

  @Test func withoutAHelperNothingIsAskedAndThatIsTold() async throws {
    let run = await signUp(try setting(helper: false, typed: TestServer.password))
    #expect(run.code == .failed)
    #expect(
      run.errors.contains(
        "the session was not kept: git has no credential helper that keeps it"),
      "\(run.errors)")
    #expect(run.errors.contains("Hint: name a helper: git config --global credential.helper store"))
    #expect(
      server.server.requestLog.allSatisfy { $0.path == "/api/health" },
      "no account is made whose session nobody keeps")
  }

  @Test func `no repository has a say in it`() async throws {
    #expect(await signUp(try setting(typed: TestServer.password)).code == .done)
    let tree = GitTree(path: folder.path("hostile"))
    try folder.write("", to: "hostile/x")
    try tree.git("init", "-q")
    try tree.git("config", "credential.helper", "!touch '\(folder.path("started"))'; false")
    try tree.git("config", "core.fsmonitor", "touch '\(folder.path("started"))'; false")
    for variables in [
      [:], ["GIT_DIR": folder.path("hostile/.git")],
      ["GIT_COMMON_DIR": folder.path("hostile/.git"), "GIT_DIR": folder.path("hostile/.git")],
    ] as [[String: String]] {
      var setting = try setting()
      setting.folder = tree.path
      setting.childEnvironment?.merge(variables) { $1 }
      #expect(await setting.run("whoami").code == .done)
      #expect(!folder.exists("started"))
    }
  }

  @Test func doctorSaysWhereSessionsAreKept() async throws {
    _ = try server.library(in: folder, "a")
    var setting = try setting()
    setting.folder = folder.path("a")
    let run = await setting.run("doctor")
    #expect(run.lines.contains("  tokenStore          git  (STORIES_TOKEN_STORE)"), "\(run.output)")
  }
}
