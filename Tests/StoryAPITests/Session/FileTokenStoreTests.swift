import Foundation
import StoryAPI
import TestSupport
import Testing

@Suite(.inTurn) struct FileTokenStoreTests {
  private let folder: TemporaryFolder
  private let store: FileTokenStore
  private let server: ServerAddress
  private let session = Session(
    token: Secret("t"), refreshToken: Secret("r"), expiresAt: ServerDate("2026-11-20T10:00:00.5Z"),
    validFrom: ServerDate("2026-11-20T09:00:00Z"),
    user: User(id: "u", email: "e", name: "Ada", createdAt: "2026-01-01T00:00:00Z"))

  init() throws {
    folder = try TemporaryFolder()
    store = FileTokenStore(folder: folder.path + "/config/stories")
    server = try ServerAddress("https://stories.example")
  }

  @Test func `keeps, replaces and forgets, for each origin by itself`() async throws {
    let other = try ServerAddress("https://stories.example:444")
    #expect(try await store.session(for: server) == nil)
    try await store.remove(for: server)
    #expect(try folder.files().isEmpty)
    try await store.save(session, for: server)
    #expect(try await store.session(for: server) == session)
    #expect(try await store.session(for: other) == nil)
    try await store.save(Session(token: Secret("o")), for: other)
    try await store.save(Session(token: Secret("new")), for: server)
    #expect(try await store.session(for: server)?.token.value == "new")
    try await store.remove(for: server)
    #expect(try await store.session(for: server) == nil)
    #expect(try await store.session(for: other)?.token.value == "o")
    #expect(try folder.files().allSatisfy { !$0.hasSuffix(".tmp") })
  }

  @Test func `folder and file are for this user alone`() async throws {
    try await store.save(session, for: server)
    #expect(try folder.mode("config/stories") == 0o700)
    #expect(try folder.mode("config/stories/sessions.json") == 0o600)
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o601])
  func `a file that others can read is refused`(_ mode: Int) async throws {
    try await store.save(session, for: server)
    try folder.setMode("config/stories/sessions.json", mode)
    await #expect(throws: TokenStoreError.openToOthers(path: store.path)) {
      try await store.session(for: server)
    }
    await #expect(throws: TokenStoreError.openToOthers(path: store.path)) {
      try await store.save(session, for: server)
    }
  }

  @Test func `a folder that others can change is refused, and fixed by signing in`() async throws {
    try await store.save(session, for: server)
    try folder.setMode("config/stories", 0o777)
    await #expect(throws: TokenStoreError.openToOthers(path: folder.path + "/config/stories")) {
      try await store.session(for: server)
    }
    try await store.save(session, for: server)
    #expect(try folder.mode("config/stories") == 0o700)
  }

  @Test func `a link in the file's place is not followed`() async throws {
    try await store.save(session, for: server)
    let elsewhere = folder.path + "/elsewhere"
    try FileManager.default.moveItem(atPath: store.path, toPath: elsewhere)
    try FileManager.default.createSymbolicLink(
      atPath: store.path, withDestinationPath: elsewhere)
    await #expect(throws: TokenStoreError.self) { try await store.session(for: server) }
  }

  @Test(arguments: [
    "", "[]", "{", #"{"version":2,"sessions":{}}"#, #"{"sessions":{}}"#,
    #"{"version":1,"sessions":[]}"#,
    #"{"version":1,"sessions":{"https://stories.example":{"token":""}}}"#,
    #"{"version":1,"sessions":{"https://stories.example":{"token":"t","expiresAt":"soon"}}}"#,
  ]) func `a damaged file is an error and stays as it is`(_ text: String) async throws {
    try await store.save(session, for: server)
    let file = try #require(FileHandle(forWritingAtPath: store.path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
    await #expect {
      try await store.session(for: server)
    } throws: { error in
      if case .damaged = error as? TokenStoreError { true } else { false }
    }
    #expect(FileManager.default.contents(atPath: store.path) == Data(text.utf8))
  }

  @Test func `many writers lose nothing`() async throws {
    let store = store
    let session = session
    try await withThrowingTaskGroup(of: Void.self) { group in
      for port in 1...20 {
        group.addTask {
          try await store.save(session, for: ServerAddress("https://stories.example:\(port)"))
        }
      }
      try await group.waitForAll()
    }
    for port in 1...20 {
      let server = try ServerAddress("https://stories.example:\(port)")
      #expect(try await store.session(for: server) == session)
    }
  }

  @Test(
    arguments: [
      (["STORIES_CONFIG_DIR": "/a", "XDG_CONFIG_HOME": "/b", "HOME": "/c"], "/a"),
      (["XDG_CONFIG_HOME": "/b", "HOME": "/c"], "/b/stories"),
      (["XDG_CONFIG_HOME": "b", "HOME": "/c"], "/c/.config/stories"),
      (["STORIES_CONFIG_DIR": "", "HOME": "/c"], "/c/.config/stories"), ([:], nil),
    ] as [([String: String], String?)])
  func `the environment names the folder`(_ environment: [String: String], _ path: String?) {
    #expect(ConfigurationFolder.path(environment: environment) == path)
  }
}

@Suite(.inTurn) struct EnvironmentTokenStoreTests {
  private let environment = ["STORIES_TOKEN": "t"]

  @Test func `only the server that the person named gets the token`() async throws {
    let (named, other) = try (
      ServerAddress("https://a.example"), ServerAddress("https://b.example")
    )
    let store = EnvironmentTokenStore(environment: environment, namedServer: named)
    #expect(
      try await store.session(for: named) == Session(token: Secret("t"), isRenewable: false))
    #expect(try await store.session(for: other) == nil)
    let unnamed = EnvironmentTokenStore(environment: environment, namedServer: nil)
    #expect(try await unnamed.session(for: other) == nil)
    let empty = EnvironmentTokenStore(environment: ["STORIES_TOKEN": ""], namedServer: named)
    #expect(try await empty.session(for: named) == nil)
    await #expect(throws: TokenStoreError.readOnly) {
      try await store.save(Session(token: Secret("x")), for: named)
    }
  }

  @Test func `it goes before what is kept, which alone is written`() async throws {
    let named = try ServerAddress("https://a.example")
    let kept = MemoryTokenStore()
    let layers = EnvironmentTokenStore(
      environment: environment, namedServer: named, keepingIn: kept)
    try await layers.save(Session(token: Secret("kept")), for: named)
    #expect(try await layers.session(for: named)?.token.value == "t")
    let other = try ServerAddress("https://b.example")
    try await layers.save(Session(token: Secret("b")), for: other)
    #expect(try await layers.session(for: other)?.token.value == "b")
    try await layers.remove(for: other)
    #expect(try await layers.session(for: other) == nil)
  }
}
