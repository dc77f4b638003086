import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// Libraries that sync over two nodes of a Kinto, which share nothing but one PostgreSQL.
@Suite(.inTurn, .withPostgreSQL) struct KintoNodesTests {
  private func hero(_ name: String) -> String {
    "{\n  \"name\": \"\(name)\",\n  \"age\": 7,\n  \"traits\": [\"brave\"]\n}\n"
  }

  private func names(_ rows: JSONValue?) -> [String] {
    (rows?.array ?? []).compactMap { $0["name"]?.string }
  }

  @Test func `what appears behind a newer change is missed by the list's tag, and not by a sync`()
    async throws
  {
    let shared = try KintoNodes.shared()
    let (one, two) = (shared.nodes[0], shared.nodes[1])
    let world = try TestWorld(.nodes)
    let a = try await Samples.synced(world)
    let b = try world.library("b")
    try await b.sync(.pull)
    // Behind `/v1`, which a node puts in front itself.
    let heroes = String(world.path("heroes").dropFirst(3))
    let stories = String(world.path("stories").dropFirst(3))
    let story = try a.sidecar("stories/first-snow").id
    // A transaction writes a hero first, and then waits for a story that somebody holds.
    let holder = try shared.database.hold(story)
    try #require(holder.line(with: "held") != nil)
    let late: JSONValue = ["name": "Late", "age": 7, "traits": ["brave"]]
    async let batch = one.send(
      .post, "/batch",
      [
        "requests": [
          ["method": "PUT", "path": .string("\(heroes)/late"), "body": ["data": late]],
          [
            "method": "PATCH", "path": .string("\(stories)/\(story)"),
            "body": ["data": ["playCount": 1]],
          ],
        ]
      ])
    try #require(holder.line(with: "awaited") != nil)
    // Another node writes meanwhile, and shows that.
    try await two.send(
      .put, "\(heroes)/early", ["data": ["name": "Early", "age": 7, "traits": ["brave"]]])
    let listed = try await two.send(.get, "\(heroes)?_since=0")
    #expect(names(listed.value["data"]).contains("Early"))
    #expect(!names(listed.value["data"]).contains("Late"))
    let tag = try #require(listed.etag)
    #expect(try await b.sync(.pull).receivedNew == [RecordRef("heroes/early")])
    holder.send("")
    let answer = try await batch
    #expect(answer.value["responses"]?.array?.map { $0["status"]?.integer } == [201, 200])
    // Whoever goes by the tag never hears of it, even when it asks for what is new.
    let bare = try await two.send(
      .get, "\(heroes)?_since=\(tag.replacing("\"", with: "%22"))")
    #expect(bare.status == 200 && names(bare.value["data"]).isEmpty)
    let quiet = try await two.send(.get, heroes, headers: ["If-None-Match": tag])
    #expect(quiet.status == 304)
    // Neither a mark nor a tag hides it from a sync.
    #expect(try await b.sync(.pull).receivedNew == [RecordRef("heroes/late")])
    try await a.sync()
    for library in [a, b] {
      #expect(try library.paths("heroes").count == 6)
      #expect(try await library.sync().isQuiet)
    }
  }

  @Test func `of two changes of one revision at the same moment, one is refused`() async throws {
    let world = try TestWorld(.nodes)
    let id = try await Samples.synced(world).sidecar("heroes/luna").id
    let clients = try KintoNodes.shared().nodes.map {
      try world.client(transport: Self.transport(to: $0))
    }
    for _ in 1...20 {
      let revision = try await clients[0].record(.heroes, id: id).updatedAt
      async let first = Self.isTaken(["age": 5], of: id, revision, by: clients[0])
      async let second = Self.isTaken(["age": 6], of: id, revision, by: clients[1])
      #expect(try await [first, second].count { $0 } == 1)
    }
  }

  /// Whether the server takes a change; `false` if the record has another revision.
  private static func isTaken(
    _ body: JSONObject, of id: String, _ revision: String, by client: APIClient
  ) async throws -> Bool {
    let write = RemoteWrite(
      operation: .update, kind: .heroes, id: id, revision: revision,
      idempotencyKey: RemoteWrite.makeKey(), body: body)
    switch try await client.performBatch([write])[0] {
    case .success: return true
    case .failure(.preconditionFailed): return false
    case .failure(let error): throw error
    }
  }

  @Test func `pushes that are spread over both nodes arrive once`() async throws {
    let world = try TestWorld(.nodes)
    let a = try Samples.filled(world)
    let b = try world.library("b")
    for place in 1...60 { try a.write("heroes/h-\(place).json", hero("A \(place)")) }
    for place in 1...60 { try b.write("heroes/h-\(place).json", hero("B \(place)")) }
    // Of every fifth write the answer is lost.
    let count = Box(0)
    world.server.addFault(
      FaultRule(.dropAfterHandling) { request in
        guard !request.isRead else { return false }
        count.change { $0 += 1 }
        return count.value % 5 == 0
      })
    async let first = a.attempt(.push)
    async let second = b.attempt(.push)
    _ = try await (first, second)
    world.server.removeFaults()
    for library in [a, b, a, b] { try await library.sync() }
    try expect(world, heroes: 121, a, b)
    #expect(try await world.client(transport: nil).total(of: .heroes) == 121)
    for library in [a, b] { #expect(try await library.sync().isQuiet) }
  }

  @Test func `a node that only reads is read, and sent nothing`() async throws {
    let database = try KintoNodes.shared().database
    let reading = try KintoServer(database.settings.merging(["readonly": "true"]) { $1 })
    let world = try TestWorld(.nodes)
    let a = try await Samples.synced(world)
    let transport = AlteredTransport(noting: try Self.transport(to: reading))
    try world.patch("heroes", world.id(.heroes, "Luna"), ["height": "tall"])
    try a.edit("heroes/luna.json", "\"age\": 7", "\"age\": 8")
    try a.write("heroes/ben.json", hero("Ben"))
    let report = try await a.attempt(transport: transport)
    #expect(report.failed.map(\.ref) == [RecordRef("heroes/ben"), RecordRef("heroes/luna")])
    #expect(
      report.failed.allSatisfy {
        if case .server(.unsupported(.writing)) = $0.reason { true } else { false }
      })
    #expect(transport.requests.allSatisfy { [.get, .head].contains($0.method) })
    #expect(try a.value("heroes/luna.json")["height"] == "tall")
    try await a.sync()
    #expect(try world.records(.heroes)["Luna"]?["age"] == 8)
    #expect(try world.ids(.heroes).count == 2)
  }

  /// What the proxy does with requests once the node that they went to is gone.
  enum After: String, CaseIterable, CustomTestStringConvertible {
    case refuses, sendsOn
    var testDescription: String {
      self == .refuses ? "the push fails" : "it goes on over the other node"
    }
  }

  @Test(arguments: After.allCases)
  func `a node that is killed in the middle of a push costs nothing`(_ after: After) async throws {
    let shared = try KintoNodes.shared()
    let (dying, staying) = (try shared.newNode(), shared.nodes[0])
    let world = try TestWorld(.nodes, nodes: [staying])
    let a = try Samples.filled(world)
    try a.write("heroes/ben.json", hero("Ben"))
    try await a.sync()
    let b = try world.library("b")
    try await b.sync(.pull)
    for place in 1...40 { try a.write("heroes/new-\(place).json", hero("New \(place)")) }
    for place in 1...5 { try b.write("heroes/other-\(place).json", hero("Other \(place)")) }
    try a.edit("stories/first-snow.json", "\"content\"", "\"playCount\": 3,\n  \"content\"")
    try a.remove("heroes/ben.json")
    // Its transaction waits for the story when the node goes.
    let holder = try shared.database.hold(try a.sidecar("stories/first-snow").id)
    try #require(holder.line(with: "held") != nil)
    let isDead = Box(false)
    let (first, second) = (try Self.transport(to: dying), try Self.transport(to: staying))
    let proxy = AlteredTransport { (request, _, _) throws(TransportError) in
      guard isDead.value else { return try await first.send(request) }
      guard after == .sendsOn else { throw .network(.refused) }
      return try await second.send(request)
    }
    Thread.detachNewThread {
      _ = holder.line(with: "awaited")
      isDead.value = true
      dying.kill()
      holder.send("")
    }
    let report = try await a.attempt(.push, transport: proxy)
    #expect(isDead.value)
    #expect((report.error == nil) == (after == .sendsOn))
    // Somebody else works on meanwhile, over the node that stays.
    try b.edit(
      "stories/the-first-snow.json", "\"content\"", "\"isFavorite\": true,\n  \"content\"")
    for library in [b, a, b, a] { try await library.sync() }
    try expect(world, heroes: 46, a, b)
    let story = try world.records(.stories)["The First Snow"]
    #expect(story?["playCount"] == 3 && story?["isFavorite"] == true)
    for library in [a, b] { #expect(try await library.sync().isQuiet) }
  }

  private static func transport(to node: KintoServer) throws -> SocketTransport {
    SocketTransport(port: try ServerAddress(node.url).port)
  }

  /// The server and both libraries have so many heroes, each once.
  private func expect(
    _ world: TestWorld, heroes count: Int, _ libraries: TestLibrary...
  ) throws {
    #expect(try world.ids(.heroes).count == count)
    #expect(try world.records(.heroes).count == count)
    for library in libraries {
      let states = try library.states()
      #expect(states == [:])
      #expect(try library.scan().entries.count { $0.ref.kind == .heroes } == count)
    }
  }
}
