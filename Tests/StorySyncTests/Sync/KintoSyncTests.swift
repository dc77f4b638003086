import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// What a sync does that only a real Kinto asks for.
@Suite(.inTurn, .withKinto) struct KintoSyncTests {

  private func hero(_ name: String, age: Int = 7) -> String {
    "{\n  \"name\": \"\(name)\",\n  \"age\": \(age),\n  \"traits\": [\"brave\"]\n}\n"
  }

  /// Two libraries that hold the same.
  private func pair(_ world: TestWorld) async throws -> (TestLibrary, TestLibrary) {
    let a = try await Samples.synced(world)
    let b = try world.library("b")
    try await b.sync(.pull)
    return (a, b)
  }

  // MARK: Both ways

  @Test(arguments: ContractServer.kintos)
  func `a change that comes between list and write is merged`(_ server: ContractServer) async throws
  {
    let world = try TestWorld(server)
    let isOver = Box(false)
    let transport = AlteredTransport(world.transport) { (request, _, send) throws(TransportError) in
      if request.method == .post, !isOver.value {
        isOver.value = true
        try? world.patch("heroes", world.id(.heroes, "Luna"), ["height": "tall"])
      }
      return try await send(request)
    }
    let a = try await Samples.synced(world)
    try a.edit("heroes/luna.json", "\"age\": 7", "\"age\": 8")
    let report = try await a.attempt(transport: transport)
    #expect(report.error == nil && report.updated.count == 1)
    let luna = try world.records(.heroes)["Luna"]
    #expect(luna?["age"] == 8 && luna?["height"] == "tall")
    #expect(try a.value("heroes/luna.json")["height"] == "tall")
  }

  @Test func `a record that another client spoils meanwhile stops no other`() async throws {
    let world = try TestWorld(.kinto)
    let a = try await Samples.synced(world)
    try a.write("heroes/ben.json", hero("Ben"))
    try await a.sync()
    let luna = try a.sidecar("heroes/luna").id
    let isOver = Box(false)
    let transport = AlteredTransport(world.transport) { (request, _, send) throws(TransportError) in
      if request.method == .post, !isOver.value {
        isOver.value = true
        try? world.patch("heroes", luna, ["name": 7])
      }
      return try await send(request)
    }
    for name in ["luna", "ben"] { try a.edit("heroes/\(name).json", "\"age\": 7", "\"age\": 8") }
    let report = try await a.attempt(.push, transport: transport)
    #expect(report.error == nil)
    #expect(report.updated.map(\.ref) == [RecordRef("heroes/ben")])
    #expect(report.failed.map(\.ref) == [RecordRef("heroes/luna")])
    #expect(try Journal(a.library).unfinished.isEmpty)
    #expect(try a.states() == ["heroes/luna": .pendingUpdate])
  }

  /// A library whose two stories are synced, and were read twice since.
  private func readStories(
    _ world: TestWorld, _ paths: [String]
  ) async throws -> TestLibrary {
    let a = try Samples.filled(world)
    try a.write("stories/second-snow.json", Samples.snow.replacing("First", with: "Second"))
    try await a.sync()
    for path in paths { try a.edit(path, "\n  ]\n}", "\n  ],\n  \"playCount\": 2\n}") }
    return a
  }

  private func expectReadTwice(_ paths: [String], _ a: TestLibrary) throws {
    for path in paths { #expect(try a.value(path)["playCount"] == 2) }
    let counts = try a.world.live(.stories).map { $0.value["playCount"]?.integer ?? 0 }
    #expect(counts.reduce(0, +) == 2 * paths.count)
    #expect(try a.states() == [:])
  }

  @Test(arguments: [1, 2])
  func `a batch whose repetition is refused may have been carried out`(
    _ count: Int
  ) async throws {
    let world = try TestWorld(.kinto)
    let paths = Array(["stories/first-snow.json", "stories/second-snow.json"].prefix(count))
    let a = try await readStories(world, paths)
    let actions = [FaultAction.answerAfterHandling(status: 503), .answer(status: 413)]
    for (place, action) in actions.enumerated() {
      world.server.addFault(FaultRule(action, path: world.batchPath, number: place + 1))
    }
    _ = try await a.attempt(.push)
    try await a.sync()
    try expectReadTwice(paths, a)
  }

  @Test func `half of a batch is not sent again because the other half is refused`() async throws {
    let world = try TestWorld(.kinto)
    let paths = ["stories/first-snow.json", "stories/second-snow.json"]
    let a = try await readStories(world, paths)
    try a.edit(paths[1], "white", String(repeating: "white ", count: 10_000))
    let fault = world.server.addFault(
      FaultRule(.answer(status: 413)) { !$0.isRead && $0.bodySize > 10_000 })
    let report = try await a.sync(.push)
    #expect(report.updated.map(\.ref) == [RecordRef("stories/first-snow")])
    #expect(report.failed.map(\.ref) == [RecordRef("stories/second-snow")])
    world.server.removeFault(fault)
    try await a.sync()
    try expectReadTwice(paths, a)
  }

  @Test(arguments: ContractServer.kintos)
  func `deletes go both ways`(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let (a, b) = try await pair(world)
    try a.remove("stories/first-snow.json")
    #expect(try await a.sync().deleted.count == 1)
    #expect(try await b.sync().receivedDeletes.count == 1)
    #expect(!b.exists("stories/the-first-snow.json"))
    try world.delete("custom-events", world.id(.customEvents, "The lost tooth"))
    #expect(try await a.sync().receivedDeletes == [RecordRef("events/lost-tooth")])
    // Deleted twice.
    try b.remove("heroes/luna.json")
    try world.delete("heroes", world.id(.heroes, "Luna"))
    #expect(try await b.sync().failed.isEmpty)
    #expect(try await a.sync().receivedDeletes == [RecordRef("heroes/luna")])
    for library in [a, b] {
      #expect(try library.paths("heroes").isEmpty && library.paths("stories").isEmpty)
      #expect(try await library.sync().isQuiet)
    }
  }

  @Test func `what another client adds is kept`() async throws {
    let world = try TestWorld(.kinto)
    let (a, b) = try await pair(world)
    let bucket = try #require(world.bucket)
    _ = try bucket.send(
      .patch, "\(world.path("heroes"))/\(world.id(.heroes, "Luna"))",
      ["data": ["shoes": ["size": 30, "left": .null]]])
    try await a.sync()
    #expect(try a.sidecar("heroes/luna").server["shoes"]?["size"] == 30)
    for library in [b, a] {
      let age = library.root == a.root ? 9 : 8
      try await library.sync()
      try library.write("heroes/luna.json", hero("Luna", age: age))
      try await library.sync()
    }
    let luna = try world.records(.heroes)["Luna"]
    #expect(luna?["age"] == 9 && luna?["shoes"] == ["size": 30, "left": .null])
    #expect(luna?["specialAbility"] ?? .null == .null)
    try await b.sync()
    #expect(try b.sidecar("heroes/luna").server["shoes"] == ["size": 30, "left": .null])
  }

  @Test(arguments: ContractServer.kintos)
  func `names are given in the order of first sight`(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try world.library("a")
    try a.write("heroes/one.json", hero("Luna", age: 4))
    try await a.sync()
    try a.write("heroes/two.json", hero("Luna", age: 5))
    try await a.sync()
    for name in ["b", "c"] {
      let library = try world.library(name)
      try await library.sync(.pull)
      #expect(try library.value("heroes/luna.json")["age"] == 4)
      #expect(try library.paths("heroes").count == 4)
    }
  }

  // MARK: Lists

  /// A transport on which the server's clock is ahead by so many seconds.
  private static func ahead(_ seconds: Int64, _ inner: any Transport) -> AlteredTransport {
    AlteredTransport(inner) { (request, _, send) throws(TransportError) in
      var response = try await send(request)
      if let date = response.headers["Date"].flatMap({ ServerDate(http: $0) }) {
        response.headers["Date"] = Self.http(date.advanced(by: .seconds(seconds)))
      }
      return response
    }
  }

  /// A date as a header has it (RFC 9110, section 5.6.7).
  private static func http(_ date: ServerDate) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: Date(timeIntervalSince1970: Double(date.seconds)))
  }

  @Test(arguments: ContractServer.kintos)
  func `nothing new is said once, and believed only when nothing can be on its way`(
    _ server: ContractServer
  ) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    // Right after a change another one may still appear that is older.
    for _ in 1...2 {
      let transport = AlteredTransport(noting: world.transport)
      _ = try await a.attempt(transport: transport)
      #expect(transport.requests.allSatisfy { $0.headers["If-None-Match"] == nil })
    }
    let later = Self.ahead(600, world.transport)
    _ = try await a.attempt(transport: later)
    let quiet = Self.ahead(660, world.transport)
    let report = try await a.attempt(transport: quiet)
    #expect(report.isQuiet && report.error == nil)
    #expect(quiet.requests.count == 3)
    #expect(
      quiet.requests.filter { $0.headers["If-None-Match"] != nil }.map(\.method)
        == [.get, .get, .get])
    // Whatever changes is seen all the same.
    try world.patch("heroes", world.id(.heroes, "Luna"), ["age": 11])
    try await a.sync()
    #expect(try a.value("heroes/luna.json")["age"] == 11)
  }

  @Test(arguments: ContractServer.kintos)
  func `a list that was bare of a record is asked again from before`(_ server: ContractServer)
    async throws
  {
    let world = try TestWorld(server)
    let (a, b) = try await pair(world)
    // Another node's transaction: written first, seen last.
    let late = Box("")
    let hidden = AlteredTransport(world.transport) { (request, _, send) throws(TransportError) in
      var response = try await send(request)
      guard request.method == .get, request.url.contains("/heroes/records?"),
        let value = try? JSONValue(parsing: response.body)
      else {
        if request.method == .head, request.url.contains("/heroes/") {
          response.headers["Total-Objects"] = "2"
        }
        return response
      }
      let rows = (value["data"]?.array ?? []).filter { $0["name"]?.string != late.value }
      response.body = JSONValue.object(["data": .array(rows)]).compactBytes
      return response
    }
    try b.write("heroes/late.json", hero("Late"))
    try await b.sync()
    try b.write("heroes/early.json", hero("Early"))
    try await b.sync()
    late.value = "Late"
    #expect(try await a.attempt(transport: hidden).receivedNew == [RecordRef("heroes/early")])
    let mark = try #require(PullState(a.library)?.marks[.heroes]?.date)
    let written = try b.sidecar("heroes/late").updatedAt
    #expect(try #require(ServerDate(written)) < mark)
    #expect(try await a.sync().receivedNew == [RecordRef("heroes/late")])
  }

  @Test func `a delete without tombstone is found by the total, and confirmed`()
    async throws
  {
    let world = try TestWorld(.kinto)
    let (a, b) = try await pair(world)
    try b.write("heroes/ben.json", hero("Ben"))
    try await b.sync()
    try await a.sync()
    try world.delete("heroes", world.id(.heroes, "Ben"))
    let purged = AlteredTransport(world.transport) { (request, _, send) throws(TransportError) in
      var response = try await send(request)
      guard request.method == .get, let value = try? JSONValue(parsing: response.body),
        let rows = value["data"]?.array
      else { return response }
      response.body =
        JSONValue.object(["data": .array(rows.filter { $0["deleted"] == nil })]).compactBytes
      return response
    }
    let report = try await a.attempt(transport: purged)
    #expect(report.stops.isEmpty && report.receivedDeletes == [RecordRef("heroes/ben")])
    #expect(purged.lines.contains { $0.hasPrefix("GET") && $0.contains("/heroes/records/") })
    #expect(try await b.attempt(transport: purged).receivedDeletes == [RecordRef("heroes/ben")])
  }

  @Test(arguments: ContractServer.kintos)
  func `a server that lost what it had stops the sync`(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let (a, _) = try await pair(world)
    try await a.sync()
    let before = try a.tracked()
    let bucket = try #require(world.bucket)
    _ = try bucket.send(.delete, "\(bucket.path)/collections/heroes")
    for direction in [SyncOptions.Direction.both, .pull, .push] {
      let report = try await a.attempt(direction)
      #expect(!report.stops.isEmpty || report.error != nil)
      #expect(report.receivedDeletes.isEmpty && report.deleted.isEmpty)
    }
    #expect(try a.tracked() == before)
  }

  /// The server was restored, and another client has written since. Tombstones are purged from the oldest:
  /// one that is older than a missing record shows that this one was not deleted.
  @Test(arguments: [true, false])
  func `a missing record is no delete if an older tombstone is there`(
    _ isThere: Bool
  ) async throws {
    let world = try TestWorld(.kinto)
    let (a, b) = try await pair(world)
    try b.write("heroes/ida.json", hero("Ida"))
    try await b.sync()
    try world.delete("heroes", world.id(.heroes, "Ida"))
    try await b.sync()
    try b.write("heroes/ben.json", hero("Ben"))
    try await b.sync()
    for _ in 1...2 { try await a.sync() }
    let ben = try a.sidecar("heroes/ben").id
    try world.patch("heroes", world.id(.heroes, "Luna"), ["height": "tall"])
    let restored = AlteredTransport(world.transport) { (request, _, send) throws(TransportError) in
      if request.url.hasSuffix(ben) { return HTTPResponse(status: 404, body: Array("{}".utf8)) }
      var response = try await send(request)
      guard request.url.contains("/heroes/records") else { return response }
      if let total = response.headers["Total-Objects"].flatMap({ Int($0) }) {
        response.headers["Total-Objects"] = "\(total - 1)"
      }
      guard let rows = (try? JSONValue(parsing: response.body))?["data"]?.array else {
        return response
      }
      let kept = rows.filter { $0["id"]?.string != ben && (isThere || $0["deleted"] == nil) }
      response.body = JSONValue.object(["data": .array(kept)]).compactBytes
      return response
    }
    let report = try await a.attempt(.pull, transport: restored)
    #expect(report.stops.isEmpty != isThere)
    #expect(report.receivedDeletes == (isThere ? [] : [RecordRef("heroes/ben")]))
    #expect(a.exists("heroes/ben.json") == isThere)
  }

  @Test func `a bucket that is taken away deletes nothing here`() async throws {
    let world = try TestWorld(.kinto)
    let (a, b) = try await pair(world)
    let bucket = try #require(world.bucket)
    _ = try bucket.send(.delete, bucket.path)
    let before = try a.tracked()
    try b.remove(".stories/pulls.json")
    for library in [a, b] {
      for direction in [SyncOptions.Direction.both, .pull, .push] {
        #expect(
          try await library.attempt(direction).error
            == .lacksRight(AccessRight("read", .heroes)))
      }
    }
    #expect(try a.tracked() == before)
  }

  // MARK: Servers of other people

  @Test(arguments: KintoServer.Variant.allCases)
  func `whatever limits a server has`(_ variant: KintoServer.Variant) async throws {
    let world = try TestWorld(.kinto, nodes: [KintoServer.shared(variant)])
    let a = try Samples.filled(world)
    for place in 1...24 { try a.write("heroes/h-\(place).json", hero("Hero \(place)")) }
    #expect(try await a.sync().created.count == 27)
    let b = try world.library("b")
    #expect(try await b.sync().receivedNew.count == 27)
    for place in 1...24 { try b.write("heroes/hero-\(place).json", hero("Hero \(place)", age: 9)) }
    #expect(try await b.sync().updated.count == 24)
    try a.remove("stories/first-snow.json")
    let report = try await a.sync()
    #expect(report.deleted.count == 1 && report.receivedChanges.count == 24)
    for library in [a, b, a] { try await library.sync() }
    #expect(try a.states().isEmpty && b.states().isEmpty)
    #expect(try await a.sync().isQuiet)
    #expect(try await b.sync().isQuiet)
  }

  // MARK: Moving

  @Test func `a library moves there from the embedded server and back`()
    async throws
  {
    let world = try TestWorld(.kinto)
    let home = try TestWorld()
    let a = try await Samples.synced(home)
    func move(to other: TestWorld) async throws -> TestLibrary {
      let library = try a.library
      try RemoteMover(library).move(to: .url(other.identity.server))
      return TestLibrary(root: a.root, world: other)
    }
    func expectEachOnce(on world: TestWorld) throws {
      for kind in [RecordKind.heroes, .customEvents, .stories] {
        #expect(try world.ids(kind).count == 1, "\(kind)")
      }
    }
    let before = try ["heroes/luna.json", "stories/first-snow.json"].map { try a.read($0) }
    #expect(try await move(to: world).sync().created.count == 3)
    for other in [home, world] {
      #expect(try await move(to: other).sync().adopted.count == 3)
      try expectEachOnce(on: other)
    }
    #expect(try ["heroes/luna.json", "stories/first-snow.json"].map { try a.read($0) } == before)
  }
}
