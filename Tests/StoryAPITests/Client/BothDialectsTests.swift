import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

/// Requests to the embedded server in both forms of the contract, over real sockets and with its
/// faults.
@Suite(.inTurn) struct BothDialectsTests {
  private static let hero: JSONObject = ["name": "Luna", "age": 7, "traits": ["brave"]]

  private func create(_ key: String, _ body: JSONObject = hero) -> RemoteWrite {
    RemoteWrite(operation: .create, kind: .heroes, idempotencyKey: key, body: body)
  }

  // MARK: Repetitions

  static let waits: [(name: String, status: Int, headers: [String: String], wait: Duration?)] = [
    ("seconds", 503, ["Retry-After": "7"], .seconds(7)),
    ("a date", 503, ["Retry-After": "Fri, 20 Nov 2026 10:00:09 GMT"], .seconds(9)),
    ("a reset", 429, ["X-RateLimit-Reset": "1795168811"], .seconds(11)),
    ("nothing", 429, [:], nil),
  ]

  @Test(arguments: ServerAPI.allCases, waits.map(\.name))
  func `a server that wants to be left alone is`(_ api: ServerAPI, _ name: String) async throws {
    let row = try #require(Self.waits.first { $0.name == name })
    let pair = try await ServedClient(api)
    defer { pair.server.stop() }
    _ = pair.server.addFault(
      FaultRule(
        .answer(status: row.status, headers: row.headers), path: "\(pair.base)/heroes", number: 1))
    _ = try await pair.client.page(of: .heroes)
    #expect(pair.clock.slept.count == 1)
    if let wait = row.wait { #expect(pair.clock.slept == [wait]) }
  }

  @Test(
    arguments: ServerAPI.allCases,
    [FaultAction.dropBeforeHandling, .dropAfterHandling, .truncateBody(after: 12)])
  func `a read whose answer is lost is repeated`(
    _ api: ServerAPI, _ fault: FaultAction
  ) async throws {
    let pair = try await ServedClient(api)
    defer { pair.server.stop() }
    _ = pair.server.addFault(FaultRule(fault, path: "\(pair.base)/heroes", numbers: 1...2))
    #expect(try await pair.client.page(of: .heroes).total == 0)
    #expect(pair.server.requestLog.filter { $0.path == "\(pair.base)/heroes" }.count == 3)
  }

  @Test(
    arguments: [
      FaultAction.dropBeforeHandling, .dropAfterHandling, .truncateBody(after: 12),
      .answerAfterHandling(status: 502),
    ])
  func `a POST without a key is not repeated where it may have arrived`(
    _ fault: FaultAction
  ) async throws {
    for api in ServerAPI.allCases {
      let pair = try await ServedClient(api, features: [])
      defer { pair.server.stop() }
      _ = pair.server.addFault(FaultRule(fault, method: "POST", path: "\(pair.base)/heroes"))
      await #expect(throws: APIError.self) { try await pair.client.perform(create("k")) }
      #expect(pair.server.requestLog.filter { $0.method == "POST" }.count == 1)
    }
  }

  @Test(arguments: ServerAPI.allCases)
  func `a POST that was turned away is repeated`(_ api: ServerAPI) async throws {
    let pair = try await ServedClient(api, features: [])
    defer { pair.server.stop() }
    _ = pair.server.addFault(
      FaultRule(.answer(status: 429), method: "POST", path: "\(pair.base)/heroes", number: 1))
    #expect(try await pair.client.perform(create("k")) != nil)
    #expect(try await pair.client.page(of: .heroes).total == 1)
  }

  @Test(arguments: ServerAPI.allCases)
  func `a delete whose answer was lost is done`(_ api: ServerAPI) async throws {
    let pair = try await ServedClient(api)
    defer { pair.server.stop() }
    let made = try #require(try await pair.client.perform(create("k1")))
    _ = pair.server.addFault(FaultRule(.dropAfterHandling, method: "DELETE", path: "*", number: 1))
    let gone = RemoteWrite(
      operation: .delete, kind: .heroes, id: made.id, revision: made.updatedAt,
      idempotencyKey: "k2")
    do {
      #expect(try await pair.client.perform(gone) == nil)
    } catch {
      // The transport itself repeats on a kept connection, unseen by the client.
      #expect(api == .v1 && error == .notFound)
    }
    #expect(try await pair.client.page(of: .heroes).total == 0)
  }

  @Test func `a generation whose answer was lost is not asked for again`() async throws {
    let pair = try await ServedClient(.v1)
    defer { pair.server.stop() }
    let hero = try #require(try await pair.client.perform(create("k1")))
    _ = pair.server.addFault(
      FaultRule(.dropAfterHandling, method: "POST", path: "/api/v1/stories"))
    pair.server.clearRequestLog()
    await #expect(throws: APIError.network(.connectionLost)) {
      try await pair.client.generateStory(
        StoryOrder(heroID: hero.id, event: .builtIn("bedtime")), idempotencyKey: "g1")
    }
    #expect(pair.server.requestLog.filter { $0.path == "/api/v1/stories" }.count == 1)
  }

  @Test(arguments: ServerAPI.allCases)
  func `lists, records and writes are understood`(_ api: ServerAPI) async throws {
    let pair = try await ServedClient(api)
    defer { pair.server.stop() }
    let made = try await pair.client.performBatch(
      (0..<5).map { number in
        create("k\(number)", ["name": .string("H\(number)"), "age": 7, "traits": ["a"]])
      })
    let ids = try made.map { try #require(try $0.get()?.id) }
    let story = try #require(
      try await pair.client.perform(
        RemoteWrite(
          operation: .create, kind: .stories, idempotencyKey: "s",
          body: ["title": "T", "content": "C", "heroId": .string(ids[0])])))
    #expect(story.fields.wire["content"] == "C")
    let first = try await pair.client.page(of: .heroes, PageRequest(limit: 3))
    #expect(first.total == 5 && first.records.count == 3 && first.hasMore && first.date != nil)
    let update = RemoteWrite(
      operation: .update, kind: .stories, id: story.id, revision: story.updatedAt,
      idempotencyKey: "u", body: ["playCount": 2, "isFavorite": true])
    let changed = try #require(try await pair.client.perform(update))
    #expect(changed.fields.wire["playCount"] == 2 && changed.fields.wire["isFavorite"] == true)
    await #expect {
      try await pair.client.perform(create("bad", ["name": "", "age": 99, "traits": ["a"]]))
    } throws: { error in
      guard case .validation(_, let fields)? = error as? APIError else { return false }
      return fields.contains { $0.field == "name" }
    }
  }

  // MARK: Which dialect

  @Test(arguments: ServerAPI.allCases)
  func `a dialect that is left open is asked for once`(_ api: ServerAPI) async throws {
    let pair = try await ServedClient(api)
    defer { pair.server.stop() }
    var configuration = ClientConfiguration.quick(pair.clock, dialect: nil)
    configuration.tokenStore = pair.store
    let client = APIClient(
      server: try ServerAddress(pair.server.url), configuration: configuration)
    try await client.restoreSession()
    for _ in 0..<3 { _ = try await client.page(of: .heroes) }
    #expect(try await client.serverInfo().dialect.rawValue == api.rawValue)
    let health = pair.server.requestLog.filter { $0.path.hasSuffix("health") }.map(\.path)
    #expect(health == (api == .v0 ? ["/api/health"] : ["/api/health", "/api/v1/health"]))
  }

  @Test func `what was found is asked for first, and another one is noticed`() async throws {
    let pair = try await ServedClient(.v1)
    defer { pair.server.stop() }
    let known = Box<[Dialect]>([])
    func inquire() async throws -> [String] {
      var configuration = ClientConfiguration.quick(pair.clock, dialect: nil)
      configuration.dialectMemory = DialectMemory(
        recall: { known.value.last }, keep: { dialect in known.change { $0.append(dialect) } })
      let client = APIClient(
        server: try ServerAddress(pair.server.url), configuration: configuration)
      pair.server.clearRequestLog()
      #expect(try await client.serverInfo().dialect == .v1)
      return pair.server.requestLog.map(\.path)
    }
    #expect(try await inquire() == ["/api/health", "/api/v1/health"])
    #expect(try await inquire() == ["/api/v1/health"])
    #expect(known.value == [.v1])
    known.value = [.v0]
    #expect(try await inquire() == ["/api/health", "/api/v1/health"])
    #expect(known.value == [.v0, .v1])
  }

  @Test(arguments: ServerAPI.allCases)
  func `a wrong setting says which one is right`(_ api: ServerAPI) async throws {
    let pair = try await ServedClient(api)
    defer { pair.server.stop() }
    let wrong: Dialect = api == .v0 ? .v1 : .v0
    let client = APIClient(
      server: try ServerAddress(pair.server.url),
      configuration: .quick(pair.clock, dialect: wrong))
    let error = APIError.unsupported(
      .dialect(
        server: pair.server.url, speaks: try #require(Dialect(rawValue: api.rawValue)),
        wanted: wrong))
    await #expect(throws: error) { try await client.serverInfo() }
    await #expect(throws: error) {
      try await client.signIn(email: ServedClient.email, password: ServedClient.password)
    }
  }
}
