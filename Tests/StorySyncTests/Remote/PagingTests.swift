import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// Lists that change, repeat or lie while they are read.
@Suite(.inTurn) struct PagingTests {
  static let servers: [IncrementalPullTests.Server] = [
    ("cursor and tombstones", .v0, []), ("cursor only", .v0, [.tombstones]),
    ("offset and tombstones", .v0, [.cursor]), ("offset only", .v0, [.cursor, .tombstones]),
    ("v1", .v1, Set(ServerFeature.allCases)),
  ]
  static let everyServer = servers + ContractServer.kintos.map { ($0.rawValue, $0, []) }

  /// What somebody else does between two pages; `ids` are the heroes in the order of the list.
  static let changes: [(name: String, change: @Sendable (TestWorld, [String]) throws -> Void)] = [
    ("a listed row moves to the end", { try $0.patch("heroes", $1[0], ["height": "moved"]) }),
    (
      "two do",
      { world, ids in for id in ids[0..<2] { try world.patch("heroes", id, ["height": "m"]) } }
    ),
    ("a listed row goes", { try $0.delete("heroes", $1[1]) }),
    ("the last listed row goes", { try $0.delete("heroes", $1[2]) }),
    (
      "a listed row goes and one comes",
      { world, ids in
        try world.delete("heroes", ids[0])
        try add(world, "New")
      }
    ),
    ("an unlisted row goes", { try $0.delete("heroes", $1[8]) }),
    ("one comes", { world, _ in try add(world, "New") }),
    ("an unlisted row changes", { try $0.patch("heroes", $1[8], ["height": "late"]) }),
    (
      "everything changes",
      { world, ids in
        for id in ids { try world.patch("heroes", id, ["height": "all"]) }
      }
    ),
  ]

  private static func add(_ world: TestWorld, _ name: String) throws {
    try world.create("heroes", ["name": .string(name), "age": 5, "traits": ["x"]])
  }

  /// A server that tells of itself what it does, but of pages of three.
  private func world(
    _ server: String = "cursor and tombstones", _ clock: ManualClock = ManualClock(),
    records: [ImportedRecord] = []
  ) throws -> TestWorld {
    let row = try #require(Self.everyServer.first { $0.name == server })
    let world = try TestWorld(row.server) {
      $0.features.subtract(row.missing)
      $0.clock = { clock.now }
    } fill: { server in
      guard !records.isEmpty else { return }
      let refused = try server.replaceRecords(of: TestWorld.account, with: records)
      #expect(refused == [])
    }
    try world.setLimits(page: 3, batch: 100)
    return world
  }

  private func ids(_ world: TestWorld) throws -> [String] {
    let ids = try world.ids(.heroes)
    return world.api == .v0 ? ids : ids.reversed()
  }

  private func expectEqual(_ library: TestLibrary, _ world: TestWorld, _ comment: Comment) throws {
    let scan = try library.scan()
    let live = try world.live(.heroes)
    #expect(Set(scan.entries.compactMap(\.id)) == Set(live.map(\.id)), comment)
    for entry in scan.entries {
      let there = live.first { $0.id == entry.id }?.value
      let here = try library.value(entry.ref.path)
      #expect(here["height"] ?? .null == there?["height"] ?? .null, comment)
    }
    let states = try library.states()
    #expect(states == [:], comment)
  }

  /// Each server with each change. Two nodes give the pages of one list in turn, which shows where rows
  /// move.
  static let rows = everyServer.flatMap { server in
    (server.server == .nodes ? [changes[0], changes[4], changes[8]] : changes)
      .map { (server.name, $0.name) }
  }

  @Test(arguments: rows)
  func rowsMoveWhileAListIsRead(_ server: String, _ change: String) async throws {
    let act = try #require(Self.changes.first { $0.name == change }).change
    // The first page and the last, where a server can do both or nothing of what lists are read by, else
    // one in the middle; pages of a Kinto take longer.
    let isExtreme = ["cursor and tombstones", "offset only", "v1"].contains(server)
    for isKnown in server.hasPrefix("Kinto") ? [true] : [false, true] {
      for page in isExtreme ? [1, 3] : [2] {
        let clock = ManualClock(TimeSource.system.now().seconds * 1_000)
        let world = try world(server, clock)
        for number in 0..<9 {
          try Self.add(world, "H\(number)")
          clock.advance(milliseconds: 3_600_000)
        }
        let b = try world.library("b")
        let ids = try ids(world)
        if isKnown {
          // All are known here, and all have changes that an incremental list shows.
          try await b.sync()
          for id in ids {
            clock.advance(milliseconds: 3_600_000)
            try world.patch("heroes", id, ["height": "news"])
          }
        }
        clock.advance(milliseconds: 3_600_000)
        world.server.addFault(
          FaultRule(
            .after { _ in
              do { try act(world, ids) } catch { Issue.record(error) }
            }, method: "GET", path: world.path("heroes"), number: page))
        let place: Comment = "after page \(page), \(isKnown ? "incremental" : "full")"
        let report = try await b.attempt(.pull)
        #expect(report.error == nil, place)
        // Only what happened during the sync may need another one, and that one only asks for changes.
        clock.advance(milliseconds: 3_600_000)
        try await b.sync()
        try expectEqual(b, world, place)
      }
    }
  }

  @Test(arguments: servers.map(\.name))
  func equalTimesAcrossABorder(_ server: String) async throws {
    let time = "2026-01-02T03:04:05.678Z"
    let heroes = (0..<10).map { number in
      let hero: JSONValue = [
        "name": .string("H\(number)"), "age": 5, "traits": ["x"], "createdAt": .string(time),
      ]
      return ImportedRecord(
        kind: .heroes, id: "h\(number)", updatedAt: time, json: hero.compactBytes)
    }
    let world = try world(server, records: heroes)
    let times = try world.server.records(.heroes, of: TestWorld.account).map {
      $0.value?["updatedAt"]
    }
    #expect(Set(times).count == 1)
    let b = try world.library("b")
    try await b.sync()
    try expectEqual(b, world, "first")
    for id in try ids(world) { try world.patch("heroes", id, ["height": "x"]) }
    try await b.sync()
    try expectEqual(b, world, "second")
  }

  // MARK: Servers that lie

  /// A page of heroes in the form of the world's server.
  private func page(
    _ world: TestWorld, _ rows: String = "", total: Int, more: Bool = false, next: String? = nil
  ) -> FaultAction {
    let next = next.map { ",\"next\":\"\($0)\"" } ?? ""
    let pagination = "\"pagination\":{\"total\":\(total),\"hasMore\":\(more)\(next)}"
    let body =
      world.api == .v0
      ? "{\"data\":[\(rows)],\(pagination)}" : "{\"data\":{\"heroes\":[\(rows)],\(pagination)}}"
    return .replaceBody(Array(body.utf8))
  }

  @Test(arguments: ["cursor and tombstones", "offset and tombstones", "v1"])
  func endlessListIsAnErrorAndNoLoop(_ server: String) async throws {
    let world = try world(server)
    let hasCursor = server.hasPrefix("cursor")
    let row =
      "{\"id\":\"x\",\"name\":\"X\",\"age\":5,\"traits\":[\"x\"],"
      + "\"updatedAt\":\"2026-01-01T00:00:00.000Z\"}"
    // Each page names another one, so that a look at the cursor alone does not help.
    for (first, next) in [("cursor=a", "b"), ("", "a")] {
      world.server.addFault(
        FaultRule(
          page(world, row, total: 50, more: true, next: hasCursor ? next : nil),
          path: world.path("heroes")
        ) {
          first.isEmpty ? !$0.target.contains("cursor=a") : $0.target.contains(first)
        })
    }
    let a = try world.library("a")
    _ = world.takeRequests()
    let report = try await a.attempt()
    #expect(report.error != nil)
    #expect(world.takeRequests().count < 30)
    #expect(try a.paths("heroes").isEmpty)
  }

  @Test(arguments: [0, 2, 4, 11, 400], servers.map(\.name))
  func totalThatLiesRemovesNothing(_ total: Int, _ server: String) async throws {
    let world = try world(server)
    for number in 0..<10 { try Self.add(world, "H\(number)") }
    let a = try world.library("a")
    try await a.sync()
    let before = try a.tracked()
    // An empty list, and another number than that of its rows.
    world.server.addFault(
      FaultRule(page(world, total: total), path: world.path("heroes")))
    _ = try await a.attempt(.both) { $0.isFull = true }
    #expect(try a.tracked() == before)
    world.server.removeFaults()
    #expect(try await a.sync(.both) { $0.isFull = true }.isQuiet)
  }

  /// Rule 7: a record that a complete list leaves out is asked for by its id.
  @Test(arguments: ["offset only", "v1"])
  func recordThatOnlyTheListForgetsStaysAndIsUpToDate(_ server: String) async throws {
    let world = try world(server)
    for number in 0..<4 { try Self.add(world, "H\(number)") }
    let a = try world.library("a")
    try await a.sync()
    let id = try #require(ids(world).first)
    try world.patch("heroes", id, ["height": "tall"])
    world.server.addFault(FaultRule(page(world, total: 0), path: world.path("heroes")))
    let report = try await a.sync(.both) { $0.isFull = true }
    #expect(report.receivedDeletes.isEmpty)
    #expect(report.receivedChanges.map(\.fields) == [["height"]])
    #expect(try a.states() == [:])
  }
}
