import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import Synchronization
import TestSupport
import Testing

/// Client and embedded server against each other, over real sockets: each was written from the
/// contract, so what one misread shows here.
@Suite(.inTurn) struct EmbeddedServerTests {
  private static let hero: JSONObject = [
    "name": "Luna", "age": 7, "traits": ["brave"], "specialAbility": "talks to stars",
  ]

  private func create(_ kind: EntityKind, _ key: String, _ body: JSONObject = hero) -> RemoteWrite {
    RemoteWrite(operation: .create, kind: kind, idempotencyKey: key, body: body)
  }

  @Test func `accounts`() async throws {
    let pair = try await ServedClient()
    defer { pair.server.stop() }
    #expect(try await pair.client.currentUser().name == "Ada")
    #expect(try await pair.client.updateProfile(name: "Ada L.").name == "Ada L.")
    await #expect {
      try await pair.client.signUp(email: "ada@example.org", password: Secret("other password"))
    } throws: { error in
      if case .conflict = error as? APIError { true } else { false }
    }
    await #expect(throws: APIError.unauthorized(.wrongPassword)) {
      try await pair.client.signIn(email: "ada@example.org", password: Secret("wrong password"))
    }
    let old = try #require(await pair.client.session)
    let new = try await pair.client.renewSession()
    #expect(new.token != old.token && new.refreshToken != old.refreshToken)
    #expect(pair.store.sessions[pair.server.url] == new)
    try await pair.client.signOut()
    await #expect(throws: APIError.unauthorized(.notSignedIn)) {
      try await pair.client.currentUser()
    }
    await pair.client.use(new)
    await #expect(throws: APIError.unauthorized(.sessionExpired)) {
      try await pair.client.currentUser()
    }
  }

  @Test func `a session is renewed before it ends, once for many requests`() async throws {
    let pair = try await ServedClient(lifetime: 3_600_000)
    defer { pair.server.stop() }
    pair.clock.advance(by: .seconds(3_400))
    let client = pair.client
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await client.page(of: .heroes) } }
      try await group.waitForAll()
    }
    let refreshes = pair.server.requestLog.filter { $0.path == "/api/auth/session/refresh" }
    #expect(refreshes.map(\.status) == [200])
    pair.clock.advance(by: .seconds(3_000))
    _ = try await client.page(of: .heroes)
  }

  @Test func `a renewal whose answer was lost leaves the session, which works on`() async throws {
    let pair = try await ServedClient(lifetime: 3_600_000)
    defer { pair.server.stop() }
    let old = try #require(await pair.client.session)
    _ = pair.server.addFault(
      FaultRule(.dropBeforeHandling, path: "/api/auth/session/refresh", number: 1))
    pair.clock.advance(by: .seconds(3_400))
    _ = try await pair.client.page(of: .heroes)
    #expect(await pair.client.session == old)
    #expect(pair.store.sessions[pair.server.url] == old)
  }

  @Test func `a renewal that was carried out and not heard of is heard of later`() async throws {
    let pair = try await ServedClient(lifetime: 3_600_000)
    defer { pair.server.stop() }
    let old = try #require(await pair.client.session)
    _ = pair.server.addFault(
      FaultRule(.dropAfterHandling, path: "/api/auth/session/refresh", number: 1))
    pair.clock.advance(by: .seconds(3_400))
    for _ in 0..<2 { _ = try await pair.client.page(of: .heroes) }
    #expect(await pair.client.session?.token != old.token)
    #expect(
      pair.takeRequests() == [
        "POST /auth/session/refresh -", "GET /heroes 401", "POST /auth/session/refresh 200",
        "GET /heroes 200", "GET /heroes 200",
      ])
  }

  @Test func `a large write with a token that is over renews the session`() async throws {
    let pair = try await ServedClient(lifetime: 3_600_000)
    defer { pair.server.stop() }
    let old = try #require(await pair.client.session)
    let hero = try #require(try await pair.client.perform(create(.heroes, "k1")))
    try await pair.client.renewSession()
    let late = try pair.next()
    await late.use(old)
    pair.store.sessions = [:]
    let content = String(repeating: "Once upon a time. ", count: 200_000)
    let story: JSONObject = [
      "title": "Long", "content": .string(content), "heroId": .string(hero.id),
    ]
    let made = try await late.perform(create(.stories, "k2", story))
    #expect(made?.fields.wire["content"]?.string == content)
  }

  @Test func `writes and what became of them`() async throws {
    let pair = try await ServedClient()
    defer { pair.server.stop() }
    let made = try #require(try await pair.client.perform(create(.heroes, "k1")))
    #expect(made.fields == FieldValues(kind: .heroes, wire: Self.hero))
    #expect(try await pair.client.record(.heroes, id: made.id) == made)
    let write = RemoteWrite(
      operation: .update, kind: .heroes, id: made.id, revision: made.updatedAt,
      idempotencyKey: "k2", body: ["age": 8, "specialAbility": nil])
    let changed = try #require(try await pair.client.perform(write))
    #expect(changed.fields.wire["age"] == 8)
    #expect(changed.fields.wire["specialAbility"]?.isNull ?? true)
    await #expect(throws: APIError.preconditionFailed(current: changed)) {
      try await pair.client.perform(
        RemoteWrite(
          operation: .delete, kind: .heroes, id: made.id, revision: made.updatedAt,
          idempotencyKey: "k3"))
    }
    await #expect {
      try await pair.client.perform(create(.heroes, "k4", ["name": "", "age": 7, "traits": ["a"]]))
    } throws: { error in
      guard case .validation(_, let fields) = error as? APIError else { return false }
      return fields.contains { $0.field == "name" }
    }
    let gone = RemoteWrite(
      operation: .delete, kind: .heroes, id: made.id, revision: changed.updatedAt,
      idempotencyKey: "k5")
    #expect(try await pair.client.perform(gone) == nil)
    await #expect(throws: APIError.notFound) {
      try await pair.client.record(.heroes, id: made.id)
    }
    let page = try await pair.client.page(of: .heroes, PageRequest(includeDeleted: true))
    #expect(page.tombstones.map(\.id) == [made.id] && page.total == 0)
  }

  @Test(arguments: [
    FaultAction.dropBeforeHandling, .dropAfterHandling, .truncateBody(after: 10),
    .answer(status: 503), .answerAfterHandling(status: 502),
  ]) func `whatever happens to a write, it is done once`(_ fault: FaultAction) async throws {
    let pair = try await ServedClient()
    defer { pair.server.stop() }
    _ = try await pair.client.serverInfo()
    _ = pair.server.addFault(FaultRule(fault, method: "POST", path: "/api/heroes", number: 1))
    let made = try await pair.client.perform(create(.heroes, "k1"))
    _ = pair.server.addFault(FaultRule(fault, method: "POST", path: "/api/batch", number: 1))
    let results = try await pair.client.performBatch([create(.heroes, "k2"), create(.heroes, "k3")])
    let page = try await pair.client.page(of: .heroes)
    #expect(page.total == 3)
    #expect(
      try Set(page.records.map(\.id))
        == Set([made?.id] + results.map { try $0.get()?.id }.map { $0 }))
  }

  @Test func `without keys a write whose answer was lost is not sent again`() async throws {
    let pair = try await ServedClient(features: [])
    defer { pair.server.stop() }
    _ = pair.server.addFault(FaultRule(.dropAfterHandling, method: "POST", path: "/api/heroes"))
    await #expect(throws: APIError.network(.connectionLost)) {
      try await pair.client.perform(create(.heroes, "k1"))
    }
    pair.server.removeFaults()
    #expect(try await pair.client.page(of: .heroes).total == 1)
  }

  @Test func `a thousand records, page by page and in batches`() async throws {
    let pair = try await ServedClient()
    defer { pair.server.stop() }
    let writes = (0..<1_000).map { number in
      create(.heroes, "k\(number)", ["name": .string("Hero \(number)"), "age": 7, "traits": ["a"]])
    }
    let results = try await pair.client.performBatch(writes)
    #expect(try results.map { try $0.get()?.fields.title } == (0..<1_000).map { "Hero \($0)" })
    var (ids, request) = (Set<String>(), PageRequest())
    while true {
      let page = try await pair.client.page(of: .heroes, request)
      #expect(page.total == 1_000 && page.malformed.isEmpty && page.date != nil)
      for record in page.records { ids.insert(record.id) }
      guard page.hasMore else { break }
      request.cursor = page.next
    }
    #expect(ids.count == 1_000)
    let statistics = await pair.client.statistics
    // One to sign up, one for the features, ten batches, ten or eleven pages.
    #expect((22...23).contains(statistics.requests))
  }

  @Test func `whether it can be reached`() async throws {
    let pair = try await ServedClient()
    #expect(await pair.client.isReachable())
    let port = pair.server.port
    pair.server.stop()
    let gone = try RefusingPort(port)
    #expect(await !pair.client.isReachable())
    withExtendedLifetime(gone) {}
  }
}
