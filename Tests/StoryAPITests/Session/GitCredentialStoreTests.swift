import Foundation
import StoryAPI
import TestSupport
import Testing

/// With the real git and its `store` helper, each test in a home of its own.
@Suite(
  .inTurn, .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"), "needs git"))
struct GitCredentialStoreTests {
  private let home: TemporaryFolder
  private let server: ServerAddress
  private let session = Session(
    token: Secret("t\"=\\ü"), refreshToken: Secret("r"),
    expiresAt: ServerDate("2026-11-20T10:00:00Z"))

  init() throws {
    home = try TemporaryFolder()
    server = try ServerAddress("https://stories.example:8443")
  }

  private func store(helper: String?) throws -> GitCredentialStore {
    var text = "[credential]\n\tinteractive = true\n"
    if let helper { text += "\thelper = \(helper)\n" }
    try Data(text.utf8).write(to: URL(fileURLWithPath: home.path + "/.gitconfig"))
    return GitCredentialStore(environment: [
      "HOME": home.path, "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_ASKPASS": "/bin/false", "SSH_ASKPASS": "/bin/false",
    ])
  }

  @Test func `keeps, replaces and forgets`() async throws {
    let store = try store(helper: "store")
    #expect(try await store.session(for: server) == nil)
    try await store.save(session, for: server)
    #expect(try await store.session(for: server) == session)
    #expect(try await store.session(for: ServerAddress("https://stories.example")) == nil)
    #expect(try await store.session(for: ServerAddress("http://127.0.0.1:8443")) == nil)
    try await store.save(Session(token: Secret("new")), for: server)
    #expect(try await store.session(for: server) == Session(token: Secret("new")))
    try await store.remove(for: server)
    #expect(try await store.session(for: server) == nil)
    try await store.remove(for: server)
  }

  @Test func `a bare token that someone approved by hand is taken`() async throws {
    let store = try store(helper: "store")
    let line = "https://stories:bare-token@stories.example:8443\n"
    try Data(line.utf8).write(to: URL(fileURLWithPath: home.path + "/.git-credentials"))
    #expect(try await store.session(for: server) == Session(token: Secret("bare-token")))
  }

  @Test func `another user's password of that host is not ours`() async throws {
    let store = try store(helper: "store")
    let line = "https://someone:their-password@stories.example:8443\n"
    try Data(line.utf8).write(to: URL(fileURLWithPath: home.path + "/.git-credentials"))
    #expect(try await store.session(for: server) == nil)
  }

  @Test func `without a helper nothing is kept, and that is told`() async throws {
    let store = try store(helper: nil)
    await #expect {
      try await store.save(session, for: server)
    } throws: { error in
      if case .notKept = error as? TokenStoreError { true } else { false }
    }
  }

  @Test func `without git there is an error, not a crash`() async throws {
    let store = GitCredentialStore(
      program: "no-such-git", environment: ["PATH": "/usr/bin:/bin", "HOME": home.path])
    await #expect(throws: TokenStoreError.helper("no-such-git cannot be started")) {
      try await store.session(for: server)
    }
  }

  @Test func `a helper that never ends is ended`() async throws {
    _ = try store(helper: "\"!sleep 60; true\"")
    let store = GitCredentialStore(
      environment: [
        "HOME": home.path, "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1",
      ], patience: 1)
    // One that had come to its end would have said nothing, which is no error.
    await #expect {
      try await store.session(for: server)
    } throws: { error in
      if case .helper = error as? TokenStoreError { true } else { false }
    }
  }
}
