import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// Writes that are sent again within a run: each time the record is looked at first, on servers of
/// every kind.
@Suite(.inTurn) struct RepeatedWriteTests {
  struct Server: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var kind = ContractServer.v0
    var missing: Set<ServerFeature> = []
  }

  static let servers =
    [
      Server(testDescription: "all features"),
      Server(testDescription: "no idempotency", missing: [.idempotency]),
      Server(testDescription: "no etag", missing: [.etag]),
      Server(testDescription: "neither", missing: [.etag, .idempotency]),
      Server(testDescription: "nothing", missing: Set(ServerFeature.allCases)),
      Server(testDescription: "v1", kind: .v1, missing: Set(ServerFeature.allCases)),
    ] + ContractServer.kintos.map { Server(testDescription: $0.rawValue, kind: $0) }

  /// How the first try of a write ends.
  enum Ending: String, CaseIterable, Sendable {
    case tooMany, unavailable, dropped, lost, failedAfter

    var action: FaultAction {
      switch self {
      case .tooMany: .answer(status: 429, headers: ["Retry-After": "1"])
      case .unavailable: .answer(status: 503)
      case .dropped: .dropBeforeHandling
      case .lost: .dropAfterHandling
      case .failedAfter: .answerAfterHandling(status: 502)
      }
    }

    var isDone: Bool { self == .lost || self == .failedAfter }
  }

  /// The servers that answer alone: with two nodes only what is lost and what comes in between is another
  /// matter.
  static let single = servers.filter { $0.kind != .nodes }

  /// Each server with each ending. A 429 is a 503 with another number and a time, which the transport's
  /// tests are about, so a Kinto gives one of them; of two nodes the answer is what is lost.
  static func rows(_ endings: [Ending]) -> [(Server, Ending)] {
    servers.flatMap { server in
      endings.filter { ending in
        switch server.kind {
        case .v0, .v1: true
        case .kinto: ending != .tooMany
        case .nodes: ending == .dropped || ending == .lost
        }
      }
      .map { (server, $0) }
    }
  }

  private func world(_ server: Server) throws -> TestWorld {
    try TestWorld(server.kind) { $0.features.subtract(server.missing) }
  }

  /// Lets the first `method` end so; `meanwhile` happens while the client waits.
  private func fail(
    _ method: String, _ ending: Ending, in world: TestWorld,
    meanwhile: @escaping @Sendable () throws -> Void = {}
  ) {
    let hook: @Sendable (LoggedRequest) -> Void = { _ in
      do { try meanwhile() } catch { Issue.record(error) }
    }
    let method = world.method(of: method)
    // A connection that is dropped at once has no moment after it.
    world.server.addFault(
      FaultRule(ending == .dropped ? .before(hook) : .after(hook), method: method, number: 1))
    world.server.addFault(FaultRule(ending.action, method: method, number: 1))
  }

  @Test(arguments: rows([.tooMany, .unavailable, .dropped]))
  func changeThatSomebodyMadeMeanwhileIsNotOverwritten(
    _ server: Server, _ ending: Ending
  ) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    try a.edit("heroes/luna.json", "7", "8")
    fail("PATCH", ending, in: world) { try world.patch("heroes", id, ["age": 9]) }
    var conflicts: [SyncReport.Conflict] = []
    for _ in 0..<2 where conflicts.isEmpty {
      conflicts = try await a.attempt { $0.strategy = .ask }.conflicts
    }
    #expect(conflicts.map(\.fields) == [["age"]])
    #expect(try world.records(.heroes)["Luna"]?["age"] == 9)
  }

  @Test(arguments: rows([.tooMany, .unavailable, .dropped]))
  func recordThatSomebodyChangedMeanwhileIsNotDeleted(
    _ server: Server, _ ending: Ending
  ) async throws {
    let world = try world(server)
    let a = try await Samples.syncedApart(world)
    let id = try a.sidecar("events/lost-tooth").id
    try a.remove("events/lost-tooth.json")
    fail("DELETE", ending, in: world) { try world.patch("custom-events", id, ["tone": "calm"]) }
    for _ in 0..<2 { _ = try await a.attempt { $0.strategy = .ask } }
    #expect(try world.ids(.customEvents) == [id])
    #expect(try a.states() == ["events/lost-tooth": .conflict])
  }

  @Test(arguments: rows(Ending.allCases))
  func changeIsMadeOnceAndEachCountIsCountedOnce(_ server: Server, _ ending: Ending) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    try a.edit("stories/first-snow.json", "\n  ]\n}", "\n  ],\n  \"playCount\": 2\n}")
    try await a.sync()
    try a.edit("stories/first-snow.json", "\"playCount\": 2", "\"playCount\": 3")
    try a.edit("stories/first-snow.json", "The First Snow", "My Snow")
    fail("PATCH", ending, in: world)
    let report = try await a.sync()
    #expect(report.updated.map(\.ref.description) == ["stories/first-snow"])
    #expect(report.merged.isEmpty && report.overridden.isEmpty)
    #expect(try await a.sync().isQuiet)
    let there = try #require(try world.records(.stories)["My Snow"])
    #expect(there["playCount"] == 3)
    #expect(try a.value("stories/first-snow.json")["playCount"] == 3)
  }

  @Test(arguments: rows([.lost, .failedAfter]))
  func countsOfOthersAreAddedOnceToo(_ server: Server, _ ending: Ending) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    let id = try a.sidecar("stories/first-snow").id
    try a.edit("stories/first-snow.json", "\n  ]\n}", "\n  ],\n  \"playCount\": 2\n}")
    try await a.sync()
    try a.edit("stories/first-snow.json", "\"playCount\": 2", "\"playCount\": 3")
    try a.edit("stories/first-snow.json", "The First Snow", "My Snow")
    // On v1 the count goes in requests of its own, after the change.
    let count: JSONValue = server.kind == .v1 ? 3 : 4
    fail("PATCH", ending, in: world) { try world.patch("stories", id, ["playCount": count]) }
    for _ in 0..<3 { _ = try await a.attempt() }
    let there = try #require(try world.records(.stories)["My Snow"])
    #expect(there["playCount"] == 4 || server.kind == .v1 && there["playCount"] == 3)
    #expect(try a.states() == [:])
  }

  @Test(arguments: rows(Ending.allCases))
  func deleteIsDoneOnce(_ server: Server, _ ending: Ending) async throws {
    let world = try world(server)
    let a = try await Samples.syncedApart(world)
    try a.remove("events/lost-tooth.json")
    fail("DELETE", ending, in: world)
    let report = try await a.sync()
    #expect(report.deleted.map(\.description) == ["events/lost-tooth"])
    #expect(try world.ids(.customEvents).isEmpty)
    #expect(try await a.sync().isQuiet)
  }

  // MARK: A 404

  @Test(arguments: single, ["PATCH", "DELETE"])
  func oneWrong404IsNoDelete(_ server: Server, _ method: String) async throws {
    let world = try world(server)
    let a = try await Samples.syncedApart(world)
    let id = try a.sidecar("events/lost-tooth").id
    if method == "PATCH" {
      try a.edit("events/lost-tooth.json", "lost and found", "found")
    } else {
      try a.remove("events/lost-tooth.json")
    }
    let wrong = FaultAction.answer(status: 404, body: Array("{\"error\":\"none\"}".utf8))
    world.server.addFault(FaultRule(wrong, method: world.method(of: method), number: 1))
    let report = try await a.sync()
    #expect(report.conflicts.isEmpty && report.failed.isEmpty)
    #expect(try world.ids(.customEvents) == (method == "PATCH" ? [id] : []))
    #expect(try a.states() == [:])
    #expect(try await a.sync().isQuiet)
  }

  /// An edited event that the server denied to have for a while.
  private func deniedEvent(
    _ server: Server
  ) async throws -> (world: TestWorld, library: TestLibrary, id: String) {
    let world = try world(server)
    let a = try await Samples.synced(world)
    let id = try a.sidecar("events/lost-tooth").id
    try a.edit("events/lost-tooth.json", "lost and found", "found")
    // Without batches, a Kinto is sent the event itself.
    let faults = [world.path("custom-events") + "/*", world.batchPath].map {
      world.server.addFault(FaultRule(.answer(status: 404, body: Array("{}".utf8)), path: $0))
    }
    #expect(try await a.sync(.push).conflicts.count == 1)
    #expect(try a.states() == ["events/lost-tooth": .conflict])
    for fault in faults { world.server.removeFault(fault) }
    return (world, a, id)
  }

  private func expectOneEvent(_ world: TestWorld, _ library: TestLibrary, id: String) throws {
    #expect(try world.ids(.customEvents) == [id])
    #expect(try library.states() == [:])
    #expect(
      try world.records(.customEvents)["The lost tooth"]?["promptSeed"] == "A tooth is found.")
  }

  @Test(arguments: single)
  func recordThatIsListedAgainIsInNoConflict(_ server: Server) async throws {
    let (world, a, id) = try await deniedEvent(server)
    #expect(try await a.sync().conflicts.isEmpty)
    try expectOneEvent(world, a, id: id)
  }

  @Test(arguments: single)
  func recordThatIsMadeAgainIsLookedUpFirst(_ server: Server) async throws {
    let (world, a, id) = try await deniedEvent(server)
    try ConflictResolver(a.library).resolve(RecordRef(kind: .events, name: "lost-tooth"), .local)
    #expect(try await a.sync().created.isEmpty)
    try expectOneEvent(world, a, id: id)
  }
}
