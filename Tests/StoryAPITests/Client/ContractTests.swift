import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

/// What every server does for a client, over real sockets and with faults in between.
@Suite(.inTurn) struct ContractTests {
  /// Servers with preconditions and tombstones.
  static let careful = ContractServer.allCases.filter { $0 != .v1 }

  @Test(.withKinto) func `every test of the contract runs with Kinto (memory)`() {
    #expect(ContractServer.allCases.contains(.kinto))
  }

  @Test(.withPostgreSQL)
  func `every test of the contract runs with Kinto (two nodes, PostgreSQL)`() {
    #expect(ContractServer.allCases.contains(.nodes))
  }

  private static func hero(_ name: String) -> JSONObject {
    ["name": .string(name), "age": 7, "traits": ["brave"]]
  }

  private static func create(_ name: String = "Luna") -> RemoteWrite {
    RemoteWrite(
      operation: .create, kind: .heroes, idempotencyKey: RemoteWrite.makeKey(), body: hero(name))
  }

  private static func update(_ record: RemoteRecord, _ body: JSONObject) -> RemoteWrite {
    RemoteWrite(
      operation: .update, kind: record.kind, id: record.id, revision: record.updatedAt,
      idempotencyKey: RemoteWrite.makeKey(), body: body)
  }

  private static func delete(_ record: RemoteRecord) -> RemoteWrite {
    RemoteWrite(
      operation: .delete, kind: record.kind, id: record.id, revision: record.updatedAt,
      idempotencyKey: RemoteWrite.makeKey())
  }

  private func heroes(_ client: APIClient, _ count: Int) async throws -> [RemoteRecord] {
    var made: [RemoteRecord] = []
    for number in 0..<count {
      made.append(try #require(try await client.perform(Self.create("H\(number)"))))
    }
    return made
  }

  // MARK: Records

  @Test(arguments: ContractServer.allCases)
  func `a record is made, read, changed and deleted`(_ server: ContractServer) async throws {
    let pair = try ContractClient(server)
    defer { pair.server.stop() }
    let client = pair.client
    let hero = try #require(try await client.perform(Self.create()))
    #expect(hero.fields.wire["name"] == "Luna" && hero.fields.wire["traits"] == ["brave"])
    #expect(try await client.record(.heroes, id: hero.id) == hero)
    let changed = try #require(try await client.perform(Self.update(hero, ["age": 8])))
    #expect(changed.id == hero.id && changed.updatedAt > hero.updatedAt)
    #expect(changed.fields.wire["age"] == 8 && changed.fields.wire["name"] == "Luna")
    #expect(try await client.total(of: .heroes) == 1)
    #expect(try await client.perform(Self.delete(changed)) == nil)
    await #expect(throws: APIError.notFound) { try await client.record(.heroes, id: hero.id) }
    #expect(try await client.total(of: .heroes) == 0)
  }

  @Test(arguments: careful)
  func `a create that is sent again makes one record`(_ server: ContractServer) async throws {
    let pair = try ContractClient(server)
    defer { pair.server.stop() }
    let write = Self.create()
    let hero = try #require(try await pair.client.perform(write))
    #expect(try await pair.client.perform(write)?.id == hero.id)
    #expect(try await pair.client.total(of: .heroes) == 1)
  }

  @Test(arguments: careful)
  func `a stale write is refused and comes with the record`(
    _ server: ContractServer
  ) async throws {
    let pair = try ContractClient(server)
    defer { pair.server.stop() }
    let client = pair.client
    let hero = try #require(try await client.perform(Self.create()))
    let newer = try #require(try await client.perform(Self.update(hero, ["age": 8])))
    for stale in [Self.update(hero, ["age": 9]), Self.delete(hero)] {
      await #expect(throws: APIError.preconditionFailed(current: newer)) {
        try await client.perform(stale)
      }
    }
    #expect(try await client.record(.heroes, id: hero.id) == newer)
  }

  // MARK: Lost answers

  @Test(
    arguments: ContractServer.allCases,
    [FaultAction.dropBeforeHandling, .dropAfterHandling, .answer(status: 503)])
  func `a read without an answer is repeated`(
    _ server: ContractServer, _ fault: FaultAction
  ) async throws {
    let pair = try ContractClient(server)
    defer { pair.server.stop() }
    let hero = try #require(try await pair.client.perform(Self.create()))
    _ = pair.server.addFault(FaultRule(fault, method: "GET", number: 1))
    #expect(try await pair.client.record(.heroes, id: hero.id) == hero)
  }

  @Test(arguments: careful, [FaultAction.dropBeforeHandling, .dropAfterHandling])
  func `a write without an answer is done once`(
    _ server: ContractServer, _ fault: FaultAction
  ) async throws {
    let pair = try ContractClient(server)
    defer { pair.server.stop() }
    let client = pair.client
    func lose() {
      _ = pair.server.addFault(FaultRule(fault, numbers: 1...1) { !$0.isRead })
    }
    // The first record of a Kinto makes what holds it, too.
    let other = try #require(try await client.perform(Self.create("Ben")))
    lose()
    let hero = try #require(try await client.perform(Self.create()))
    lose()
    let changed = try #require(try await client.perform(Self.update(hero, ["age": 9])))
    #expect(changed.fields.wire["age"] == 9)
    lose()
    do {
      #expect(try await client.perform(Self.delete(changed)) == nil)
    } catch {
      // The transport itself repeats on a kept connection, unseen by the client.
      #expect(server.isKinto && error == .notFound)
    }
    #expect(try await client.page(of: .heroes).records.map(\.id) == [other.id])
  }

  // MARK: Lists

  @Test(arguments: careful)
  func `pages follow the order of changes and tell what went`(
    _ server: ContractServer
  ) async throws {
    let pair = try ContractClient(server)
    defer { pair.server.stop() }
    let client = pair.client
    let made = try await heroes(client, 7)
    _ = try await client.perform(Self.delete(made[1]))
    let changed = try #require(try await client.perform(Self.update(made[0], ["age": 8])))
    func list(_ request: PageRequest) async throws -> (ids: [String], gone: [String]) {
      var (request, found) = (request, (ids: [String](), gone: [String]()))
      while true {
        let page = try await client.page(of: .heroes, request)
        #expect(page.records.count + page.tombstones.count <= request.limit)
        found.ids += page.records.map(\.id)
        found.gone += page.tombstones.map(\.id)
        guard let next = page.next else { return found }
        request.cursor = next
      }
    }
    let all = try await list(PageRequest(limit: 3, includeDeleted: true))
    #expect(all.ids == made[2...].map(\.id) + [changed.id] && all.gone == [made[1].id])
    let news = try await list(
      PageRequest(limit: 3, updatedAfter: made[5].updatedAt, includeDeleted: true))
    // The embedded server tells once more what it has at that time.
    #expect(news.ids.suffix(2) == [made[6].id, changed.id] && news.ids.count <= 3)
    #expect(news.gone == [made[1].id])
    #expect(try await client.total(of: .heroes) == 6)
  }

  // MARK: Batches

  @Test(arguments: ContractServer.allCases)
  func `many writes go together, and one that is refused stops no other`(
    _ server: ContractServer
  ) async throws {
    let pair = try ContractClient(server)
    defer { pair.server.stop() }
    let client = pair.client
    let results = try await client.performBatch((0..<30).map { Self.create("H\($0)") })
    let made = try results.map { try #require(try $0.get()) }
    #expect(made.map(\.fields.title) == (0..<30).map { "H\($0)" })
    #expect(pair.server.requestLog.count { !$0.isRead } < 10)
    #expect(try await client.total(of: .heroes) == 30)
    _ = try await client.perform(Self.delete(made[1]))
    let changes = try await client.performBatch([
      Self.update(made[0], ["age": 8]), Self.update(made[1], ["age": 8]), Self.delete(made[2]),
    ])
    #expect(try changes[0].get()?.fields.wire["age"] == 8)
    #expect(changes[1] == .failure(.notFound))
    #expect(try changes[2].get() == nil)
    #expect(try await client.total(of: .heroes) == 28)
  }

  @Test(arguments: careful, [FaultAction.dropBeforeHandling, .dropAfterHandling])
  func `a batch without an answer is done once`(
    _ server: ContractServer, _ fault: FaultAction
  ) async throws {
    let pair = try ContractClient(server)
    defer { pair.server.stop() }
    let client = pair.client
    let made = try await heroes(client, 3)
    _ = pair.server.addFault(FaultRule(fault, method: "POST", path: "*/batch", number: 1))
    let results = try await client.performBatch([
      Self.create("New"), Self.update(made[0], ["age": 8]), Self.delete(made[1]),
    ])
    #expect(try results[0].get()?.fields.title == "New")
    #expect(try results[1].get()?.fields.wire["age"] == 8)
    #expect(try results[2].get() == nil)
    #expect(try await client.total(of: .heroes) == 3)
  }
}
