import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

@Suite(.inTurn) struct ResponseCacheTests {
  private let folder: TemporaryFolder
  private let date = ServerDate(seconds: 1_795_168_800)

  init() throws { folder = try TemporaryFolder() }

  private func key(_ target: String, account: String = "u") -> ResponseCache.Key {
    .init(origin: "https://a.example", account: account, target: target)
  }

  @Test func `another process finds what was kept`() async throws {
    let first = ResponseCache(folder: ConfinedPath(root: folder.path, "cache"))
    await first.store(["a": 1], tag: "\"t\"", at: date, for: key("/x"))
    let second = ResponseCache(folder: ConfinedPath(root: folder.path, "cache"))
    let entry = try #require(await second.entry(for: key("/x")))
    #expect(entry.value == ["a": 1] && entry.tag == "\"t\"" && entry.storedAt == date)
    #expect(await second.entry(for: key("/y")) == nil)
    #expect(await second.entry(for: key("/x", account: "v")) == nil)
    let file = try #require(folder.files().first { $0.hasSuffix(".json") })
    #expect(try folder.mode(file) == 0o600)
    #expect(try folder.mode("cache") == 0o700)
  }

  @Test func `signatures are not kept`() async throws {
    let cache = ResponseCache(folder: ConfinedPath(root: folder.path, ""))
    await cache.store(
      ["u": "https://m.example/a?X-Amz-Signature=secret"], tag: nil, at: date, for: key("/x"))
    #expect(await cache.entry(for: key("/x"))?.value == ["u": "https://m.example/a"])
    for file in try folder.files() where file.hasSuffix(".json") {
      let data = try #require(FileManager.default.contents(atPath: "\(folder.path)/\(file)"))
      #expect(!String(decoding: data, as: UTF8.self).contains("secret"))
    }
  }

  @Test func `signing out removes one account's answers everywhere`() async throws {
    let cache = ResponseCache(folder: ConfinedPath(root: folder.path, ""))
    await cache.store(1, tag: nil, at: date, for: key("/x"))
    await cache.store(2, tag: nil, at: date, for: key("/x", account: "v"))
    await cache.removeAll(account: "u")
    for cache in [cache, ResponseCache(folder: ConfinedPath(root: folder.path, ""))] {
      #expect(await cache.entry(for: key("/x")) == nil)
      #expect(await cache.entry(for: key("/x", account: "v"))?.value == 2)
    }
  }

  @Test func `a damaged file counts as none and goes`() async throws {
    await ResponseCache(folder: ConfinedPath(root: folder.path, "")).store(
      1, tag: nil, at: date, for: key("/x"))
    let file = try #require(folder.files().first { $0.hasSuffix(".json") })
    try Data("{".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(file)"))
    #expect(
      await ResponseCache(folder: ConfinedPath(root: folder.path, "")).entry(for: key("/x")) == nil)
    #expect(try !folder.files().contains(file))
  }
}

@Suite(.inTurn) struct CachedReadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let user = Session(token: Secret("t"), user: User(id: "u", email: "e"))

  private func body(_ name: String) -> String {
    #"{"data":{"id":"u","email":"e","name":"\#(name)"}}"#
  }

  private func client(
    _ clock: SteppingClock, session: Session = user,
    _ script: @escaping @Sendable (ScriptedServer.Request, Int) -> ScriptedServer.Reply
  ) throws -> (APIClient, ScriptedServer) {
    let server = try ScriptedServer(script)
    var configuration = ClientConfiguration.quick(clock)
    configuration.cache = ResponseCache(folder: ConfinedPath(root: folder.path, "cache"))
    return (try APIClient(server, configuration, session: session), server)
  }

  @Test func `network first falls back to what is held and says how old it is`() async throws {
    let clock = SteppingClock()
    let (client, server) = try client(clock) { [self] _, number in
      // Closed after the answer: a read on a kept connection that breaks is silently sent again.
      number == 0 ? .answer(200, body("Ada"), headers: ["Connection": "close"]) : .drop
    }
    let fresh = try await client.currentUser(policy: .networkFirst)
    #expect(fresh.value.name == "Ada" && fresh.age == nil && fresh.failure == nil)
    clock.advance(by: .seconds(90))
    let old = try await client.currentUser(policy: .networkFirst)
    #expect(old.value.name == "Ada" && old.age == .seconds(90))
    #expect(old.failure == .network(.connectionLost))
    #expect(server.requests.count == 2)
  }

  @Test func `a refusal is not hidden by what is held`() async throws {
    let (client, _) = try client(SteppingClock()) { [self] _, number in
      number == 0 ? .answer(200, body("Ada")) : .answer(403, "{}")
    }
    _ = try await client.currentUser(policy: .networkFirst)
    await #expect(throws: APIError.forbidden(message: nil)) {
      try await client.currentUser(policy: .networkFirst)
    }
  }

  @Test func `the other policies`() async throws {
    let clock = SteppingClock()
    let (client, server) = try client(clock) { [self] _, number in
      .answer(200, body("Ada \(number)"))
    }
    await #expect(throws: APIError.notCached) { try await client.currentUser(policy: .cacheOnly) }
    #expect(server.requests.isEmpty)
    #expect(try await client.currentUser(policy: .cacheFirst).value.name == "Ada 0")
    #expect(try await client.currentUser(policy: .cacheFirst).value.name == "Ada 0")
    #expect(try await client.currentUser(policy: .cacheOnly).value.name == "Ada 0")
    #expect(server.requests.count == 1)
    #expect(try await client.currentUser(policy: .networkOnly).value.name == "Ada 1")
    let both = try await client.currentUser(policy: .cacheAndNetwork)
    #expect(both.value.name == "Ada 1" && both.age == .zero)
    #expect(try await both.refresh?.value.name == "Ada 2")
    #expect(try await client.currentUser(policy: .cacheOnly).value.name == "Ada 2")
  }

  @Test func `an answer with a tag is not sent again`() async throws {
    let clock = SteppingClock()
    let (client, server) = try client(clock) { [self] request, _ in
      request.headers["if-none-match"] == #"W/"1""#
        ? .bytes(Array("HTTP/1.1 304 Not Modified\r\nETag: W/\"1\"\r\n\r\n".utf8))
        : .answer(200, body("Ada"), headers: ["ETag": #"W/"1""#])
    }
    let first = try await client.currentUser(policy: .networkFirst)
    clock.advance(by: .seconds(60))
    let second = try await client.currentUser(policy: .networkFirst)
    #expect(first.value == second.value && second.age == nil)
    #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, #"W/"1""#])
    #expect(try await client.currentUser(policy: .cacheOnly).age == .zero)
  }

  @Test func `never across accounts, and gone after signing out`() async throws {
    let (client, _) = try client(SteppingClock()) { [self] request, number in
      request.target.contains("sign-out") ? .answer(200, "{}") : .answer(200, body("Ada"))
    }
    _ = try await client.currentUser(policy: .networkFirst)
    await client.use(Session(token: Secret("x"), user: User(id: "other", email: "o")))
    await #expect(throws: APIError.notCached) { try await client.currentUser(policy: .cacheOnly) }
    await client.use(Self.user)
    _ = try await client.currentUser(policy: .cacheOnly)
    try await client.signOut()
    await client.use(Self.user)
    await #expect(throws: APIError.notCached) { try await client.currentUser(policy: .cacheOnly) }
  }

  @Test func `a changed name is not answered from before`() async throws {
    let (client, _) = try client(SteppingClock()) { [self] _, number in
      .answer(200, body("Ada \(number)"))
    }
    _ = try await client.currentUser(policy: .networkFirst)
    #expect(try await client.updateProfile(name: "Ada 1").name == "Ada 1")
    #expect(try await client.currentUser(policy: .cacheFirst).value.name == "Ada 2")
  }
}
