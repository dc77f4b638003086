import JSONText
import StoryAPI
import StoryLibrary
import Synchronization
import TestSupport
import Testing

@testable import StorySync

/// Libraries that sync over two nodes of a Kinto, which share nothing but one PostgreSQL.
@Suite(.inTurn, .withPostgreSQL) struct KintoNodesTests {
  private let database: PostgreSQL
  private let nodes: [KintoServer]

  init() throws {
    database = try PostgreSQL()
    nodes = [
      try KintoServer(database.settings, migrates: true), try KintoServer(database.settings),
    ]
  }

  /// One bucket as two nodes show it.
  private func makeWorlds() throws -> [KintoWorld] {
    let one = try KintoWorld(nodes[0])
    let path = try ServerAddress(one.url).path
    return [one, try KintoWorld(nodes[1], url: nodes[1].url + path)]
  }

  private func hero(_ name: String) -> String {
    "{\n  \"name\": \"\(name)\",\n  \"age\": 7,\n  \"traits\": [\"brave\"]\n}\n"
  }

  private func names(_ rows: JSONValue?) -> [String] {
    (rows?.array ?? []).compactMap { $0["name"]?.string }
  }

  @Test func `what appears behind a newer change is missed by the list's tag, and not by a sync`()
    async throws
  {
    let worlds = try makeWorlds()
    let (one, two) = (worlds[0], worlds[1])
    let a = try await Samples.synced(one)
    let b = try two.library("b")
    try await b.sync(.pull)
    let heroes = try one.path(.heroes)
    let story = try a.sidecar("stories/first-snow").id
    // A transaction writes a hero first, and then waits for a story that somebody holds.
    let holder = try database.hold(story)
    try #require(holder.line(with: "held") != nil)
    let bucket = String(try ServerAddress(one.url).path.dropFirst(3))
    let late: JSONValue = ["name": "Late", "age": 7, "traits": ["brave"]]
    async let batch = one.server.send(
      .post, "/batch",
      [
        "requests": [
          ["method": "PUT", "path": .string("\(heroes)/late"), "body": ["data": late]],
          [
            "method": "PATCH",
            "path": .string("\(bucket)/collections/stories/records/\(story)"),
            "body": ["data": ["playCount": 1]],
          ],
        ]
      ])
    try #require(holder.line(with: "awaited") != nil)
    // Another node writes meanwhile, and shows that.
    try await two.server.send(
      .put, "\(heroes)/early", ["data": ["name": "Early", "age": 7, "traits": ["brave"]]])
    let listed = try await two.server.send(.get, "\(heroes)?_since=0")
    #expect(names(listed.value["data"]).contains("Early"))
    #expect(!names(listed.value["data"]).contains("Late"))
    let tag = try #require(listed.etag)
    #expect(try await b.sync(.pull).receivedNew == [RecordRef("heroes/early")])
    holder.send("")
    let answer = try await batch
    #expect(answer.value["responses"]?.array?.map { $0["status"]?.integer } == [201, 200])
    // Whoever goes by the tag never hears of it, even when it asks for what is new.
    let bare = try await two.server.send(
      .get, "\(heroes)?_since=\(tag.replacing("\"", with: "%22"))")
    #expect(bare.status == 200 && names(bare.value["data"]).isEmpty)
    let quiet = try await two.server.send(.get, heroes, headers: ["If-None-Match": tag])
    #expect(quiet.status == 304)
    // Neither a mark nor a tag hides it from a sync.
    #expect(try await b.sync(.pull).receivedNew == [RecordRef("heroes/late")])
    try await a.sync()
    for library in [a, b] {
      #expect(try library.paths("heroes").count == 6)
      #expect(try await library.sync().isQuiet)
    }
  }

  @Test func `pushes that are spread over both nodes arrive once`() async throws {
    let worlds = try makeWorlds()
    let ports = try worlds.map { try ServerAddress($0.url).port }
    let nodes = ports.map { SocketTransport(port: $0) }
    let count = Box(0)
    // Every other request goes to the other node, and of every fifth the answer is lost.
    let spread = AlteredTransport(nodes[0]) { (request, number, _) throws(TransportError) in
      let response = try await nodes[number % 2].send(request)
      guard number % 5 != 0 || request.method == .get else { return response }
      count.change { $0 += 1 }
      if count.value % 2 == 0 { throw .network(.connectionLost) }
      return response
    }
    let a = try Samples.filled(worlds[0])
    let b = try worlds[1].library("b")
    for place in 1...60 { try a.write("heroes/h-\(place).json", hero("A \(place)")) }
    for place in 1...60 { try b.write("heroes/h-\(place).json", hero("B \(place)")) }
    async let first = a.attempt(.push, transport: spread)
    async let second = b.attempt(.push, transport: spread)
    _ = try await (first, second)
    for library in [a, b, a, b] { try await library.sync() }
    #expect(try await worlds[0].records(.heroes).count == 121)
    let client = try worlds[1].client(transport: nil)
    #expect(try await client.total(of: .heroes) == 121)
    #expect(try a.states().isEmpty && b.states().isEmpty)
    #expect(try await a.sync().isQuiet)
    #expect(try await b.sync().isQuiet)
  }
}
