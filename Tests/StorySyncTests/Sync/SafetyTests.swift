import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// What a sync refuses to do, and what it keeps from harm.
@Suite(.inTurn) struct SafetyTests {
  private static func hero(_ name: String) -> String {
    "{\"name\": \"\(name)\", \"age\": 7, \"traits\": [\"x\"]}"
  }

  private func heroes(_ count: Int, _ world: TestWorld) async throws -> TestLibrary {
    let a = try world.library("a")
    for number in 0..<count { try a.write("heroes/h\(number).json", Self.hero("H\(number)")) }
    try await a.sync()
    return a
  }

  // MARK: Rule 6

  static let guarded: [(name: String, of: Int, gone: Int, stops: Bool)] = [
    ("5 of 5, all of a kind", 5, 5, true), ("3 of 3, all of a kind", 3, 3, true),
    ("2 of 2, too few to tell", 2, 2, false), ("5 of 20", 20, 5, false), ("6 of 20", 20, 6, true),
    ("6 of 30, a fifth", 30, 6, false), ("7 of 30", 30, 7, true), ("1 of 3", 3, 1, false),
  ]

  /// The rule counts what is here and in the list; one row shows that every server's list will do.
  static let guardedThere: [(String, ContractServer)] =
    guarded.map { ($0.name, .v0) }
    + ContractServer.single.dropFirst().map { ("3 of 3, all of a kind", $0) }

  @Test(arguments: guardedThere)
  func manyDeletesStopInBothDirections(_ name: String, _ server: ContractServer) async throws {
    let row = try #require(Self.guarded.first { $0.name == name })
    let world = try TestWorld(server)
    let a = try await heroes(row.of, world)
    let b = try world.library("b")
    try await b.sync()
    for number in 0..<row.gone { try a.remove("heroes/h\(number).json") }
    _ = world.takeRequests()
    let sent = try await a.sync(.push)
    #expect(sent.stops.isEmpty == !row.stops)
    if row.stops {
      #expect(world.takeRequests().allSatisfy { $0.isRead })
      #expect(sent.stops == [.deletes(kind: .heroes, onServer: true, count: row.gone, of: row.of)])
      #expect(try await a.sync(.push) { $0.maximumDeletes = row.gone - 1 }.stops.count == 1)
      let allowed = try await a.sync(.push) { $0.maximumDeletes = row.gone }
      #expect(allowed.stops.isEmpty && allowed.deleted.count == row.gone)
      #expect(try world.records(.heroes).count == row.of - row.gone)
    }
    let before = try b.tracked()
    let received = try await b.sync(.pull)
    #expect(received.stops.isEmpty == !row.stops)
    if row.stops {
      #expect(try b.tracked() == before)
      #expect(
        try await b.sync(.pull) { $0.maximumDeletes = row.gone }.receivedDeletes.count == row.gone)
    }
  }

  @Test(arguments: ContractServer.oneOfEach)
  func statedDeletesAreNotCounted(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await heroes(4, world)
    for number in 0..<4 {
      try LibraryEditor(a.library).remove(RecordRef(kind: .heroes, name: "h\(number)"))
    }
    let report = try await a.sync()
    #expect(report.stops.isEmpty)
    #expect(report.deleted.count == 4)
  }

  /// Files that are put back by hand are wanted again; when they are lost later, nobody asked for that.
  @Test func `a stated delete ends when its record is back`() async throws {
    let world = try TestWorld()
    let a = try await heroes(4, world)
    let paths = (0..<4).map { "heroes/h\($0).json" }
    let texts = try paths.map { try a.read($0) }
    for number in 0..<4 {
      try LibraryEditor(a.library).remove(RecordRef(kind: .heroes, name: "h\(number)"))
    }
    for (path, text) in zip(paths, texts) { try a.write(path, text) }
    try await a.sync()
    #expect(try a.states() == [:])
    for path in paths { try a.remove(path) }
    let report = try await a.sync()
    #expect(report.stops == [.deletes(kind: .heroes, onServer: true, count: 4, of: 4)])
    #expect(try world.records(.heroes).count == 4)
  }

  @Test(arguments: ContractServer.oneOfEach)
  func deletesMadeDuringTheSyncAreGuardedToo(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await heroes(8, world)
    try world.patch("heroes", a.sidecar("heroes/h0").id, ["height": "tall"])
    // An editor saves h0 after the plan was made, so that it is planned again; by then most are gone.
    world.server.addFault(
      FaultRule(
        .after { _ in
          try? a.edit("heroes/h0.json", "7", "8")
          for number in 1..<8 { try? a.remove("heroes/h\(number).json") }
        }, method: "GET", path: world.path("stories"), number: 1))
    _ = world.takeRequests()
    let report = try await a.sync()
    #expect(report.stops == [.deletes(kind: .heroes, onServer: true, count: 7, of: 8)])
    #expect(world.takeRequests().allSatisfy { $0.isRead })
    #expect(try world.records(.heroes).count == 8)
  }

  // MARK: A hero that is still named

  @Test(arguments: [SyncOptions.Direction.both, .push], ContractServer.single)
  func heroThatAnUnseenStoryNamesIsNotDeleted(
    _ direction: SyncOptions.Direction, _ server: ContractServer
  ) async throws {
    let world = try TestWorld(server)
    let a = try await heroes(4, world)
    try world.create(
      "stories",
      ["title": "Theirs", "content": "x", "heroId": .string(try a.sidecar("heroes/h1").id)])
    try a.remove("heroes/h1.json")
    let report = try await a.sync(direction)
    #expect(report.stops.count == 1)
    #expect(try world.records(.stories).count == 1)
    #expect(try world.records(.heroes).count == 4)
  }

  /// A server would delete the story with its hero, unread by whoever deleted that.
  @Test(arguments: ContractServer.single)
  func heroThatAStoryNamesSinceTheListIsNotDeleted(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await heroes(4, world)
    let id = try a.sidecar("heroes/h1").id
    try a.remove("heroes/h1.json")
    let isMade = Box(false)
    let transport = AlteredTransport(world.transport) {
      (request, _, send) throws(TransportError) in
      let answer = try await send(request)
      if !isMade.value, request.method == .get, request.url.contains("stories") {
        isMade.value = true
        try? world.create(
          "stories", ["title": "Theirs", "content": "x", "heroId": .string(id)])
      }
      return answer
    }
    let report = try await a.attempt(transport: transport)
    let story = RecordRef(kind: .stories, name: "theirs")
    #expect(report.failed.map(\.reason) == [.namedMeanwhile(by: story)])
    #expect(report.deleted.isEmpty)
    #expect(try world.records(.stories).count == 1)
    #expect(try world.records(.heroes).count == 4)
    let hero = RecordRef(kind: .heroes, name: "h1")
    #expect(try await a.sync().stops == [.stillNamed(hero, by: [story])])
  }

  @Test(arguments: ContractServer.oneOfEach)
  func heroIsNotDeletedUnderAStoryThatWaitsForADecision(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    try world.patch("stories", a.sidecar("stories/first-snow").id, ["title": "Theirs"])
    try a.remove("stories/first-snow.json")
    try a.remove("heroes/luna.json")
    for _ in 0..<2 {
      let report = try await a.sync()
      #expect(report.stops.count == 1)
      #expect(try world.records(.stories).count == 1)
    }
  }

  @Test func heroIsNotDeletedUnderAStoryThatCouldNotLeaveIt() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    try a.write("heroes/otto.json", Self.hero("Otto"))
    try await a.sync()
    try a.edit("stories/first-snow.json", "luna", "otto")
    try a.remove("heroes/luna.json")
    world.server.addFault(FaultRule(.answer(status: 400), method: "PATCH"))
    let report = try await a.sync()
    #expect(Set(report.failed.map(\.ref.description)) == ["stories/first-snow", "heroes/luna"])
    #expect(try world.records(.heroes).count == 2)
    #expect(try world.records(.stories).count == 1)
    world.server.removeFaults()
    let again = try await a.sync()
    #expect(again.failed.isEmpty)
    #expect(try world.records(.heroes).keys.sorted() == ["Otto"])
    #expect(try world.records(.stories).count == 1)
  }

  @Test(arguments: ContractServer.single)
  func heroDeletedThereStaysWhereAnEditedStoryNamesIt(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    try a.edit("stories/first-snow.json", "whispered", "purred")
    try world.delete("heroes", a.sidecar("heroes/luna").id)
    let report = try await a.sync()
    // Kinto leaves the stories of a hero that goes as they are.
    let conflicts = server.isKinto ? ["heroes/luna"] : ["heroes/luna", "stories/first-snow"]
    #expect(Set(report.conflicts.map(\.ref.description)) == Set(conflicts))
    #expect(a.exists("heroes/luna.json"))
    #expect(try a.read("stories/first-snow.json").contains("purred"))
    #expect(try await a.sync().isQuiet)
  }

  @Test(arguments: ContractServer.single)
  func heroGoesWithItsStoriesThatWentThere(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    try world.delete("stories", a.sidecar("stories/first-snow").id)
    try a.remove("heroes/luna.json")
    let report = try await a.sync()
    #expect(report.stops.isEmpty)
    #expect(report.receivedDeletes.count == 1)
    #expect(try world.records(.heroes).isEmpty)
  }

  // MARK: Rule 4

  @Test(arguments: ContractServer.single)
  func serverThatWentBackStopsTheSync(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    var sidecar = try a.sidecar("heroes/luna")
    let had = sidecar.updatedAt
    sidecar.updatedAt = "2999-01-01T00:00:00.000Z"
    try a.write("heroes/.sync/luna.json", String(decoding: sidecar.fileBytes, as: UTF8.self))
    try a.edit("events/lost-tooth.json", "lost and found", "found")
    _ = world.takeRequests()
    let before = try a.tracked()
    for direction in SyncOptions.Direction.allCases {
      let report = try await a.sync(direction)
      #expect(
        report.stops == [
          .serverWentBack(
            RecordRef(kind: .heroes, name: "luna"), had: "2999-01-01T00:00:00.000Z", has: had)
        ])
    }
    #expect(try a.tracked() == before)
    #expect(world.takeRequests().allSatisfy { $0.isRead })
  }

  /// Which feature is missing, and whether a batch could carry the write.
  @Test(
    arguments: [
      ([.etag], .v0), ([.etag, .batch], .v0), ([.etag, .idempotency, .batch], .v0), ([], .v1),
    ] as [([ServerFeature], ContractServer)])
  func withoutPreconditionsTheServerIsReadJustBeforeAWrite(
    _ missing: [ServerFeature], _ server: ContractServer
  ) async throws {
    let world = try TestWorld(server) { $0.features.subtract(missing) }
    let a = try await Samples.synced(world)
    let hero = try a.sidecar("heroes/luna").id
    let event = try a.sidecar("events/lost-tooth").id
    try a.edit("heroes/luna.json", "7", "8")
    try LibraryEditor(a.library).remove(RecordRef(kind: .stories, name: "first-snow"))
    try a.remove("events/lost-tooth.json")
    // Somebody changes both after they were listed.
    world.server.addFault(
      FaultRule(
        .after { _ in
          try? world.patch("heroes", hero, ["age": 9, "height": "tall"])
          try? world.patch("custom-events", event, ["title": "Theirs"])
        }, method: "GET", path: world.path("stories"), number: 1))
    let report = try await a.sync(.both) { $0.strategy = .ask }
    #expect(report.failed.isEmpty)
    #expect(
      Set(report.conflicts.map(\.ref.description)) == ["heroes/luna", "events/lost-tooth"])
    #expect(try world.records(.heroes)["Luna"]?["age"] == 9)
    #expect(try world.records(.customEvents)["Theirs"] != nil)
    #expect(try a.value("heroes/luna.json")["height"] == "tall")
  }

  @Test func heroThatIsChangedWhileItIsDeletedComesBack() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    try LibraryEditor(a.library).remove(RecordRef(kind: .stories, name: "first-snow"))
    try await a.sync()
    let id = try a.sidecar("heroes/luna").id
    try a.remove("heroes/luna.json")
    world.server.addFault(
      FaultRule(
        .before { _ in try? world.patch("heroes", id, ["height": "tall"]) }, method: "DELETE",
        number: 1))
    let report = try await a.sync()
    #expect(report.failed.isEmpty)
    #expect(report.receivedNew.map(\.description) == ["heroes/luna"])
    #expect(try a.value("heroes/luna.json")["height"] == "tall")
    #expect(try a.states() == [:])
  }

  // MARK: One bad record

  @Test(arguments: ContractServer.single)
  func batchThatIsRefusedAsAWholeIsSentOneByOne(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    world.server.addFault(FaultRule(.answer(status: 413), path: world.batchPath))
    let a = try await heroes(3, world)
    #expect(try world.records(.heroes).count == 3)
    #expect(try a.states() == [:])
  }

  // MARK: Batches side by side

  /// Two batches are under way at once; what one of them does not tell is told by the next sync.
  @Test(arguments: [true, false])
  func lostBatchEndsThePushAndNothingIsMadeTwice(_ hasKeys: Bool) async throws {
    let world = try TestWorld { if !hasKeys { $0.features.remove(.idempotency) } }
    try world.setLimits(page: 100, batch: 2)
    let fault = world.server.addFault(
      FaultRule(.dropAfterHandling, path: "/api/batch", numbers: 2...Int.max))
    let a = try world.library("a")
    for number in 0..<12 { try a.write("heroes/h\(number).json", Self.hero("H\(number)")) }
    let first = try await a.attempt(.push)
    #expect(first.error != nil)
    // The first batch, the lost one and the one beside it; after that nothing more was begun.
    #expect(try world.records(.heroes).count <= 6)
    world.server.removeFault(fault)
    try await a.sync()
    #expect(try world.records(.heroes).count == 12)
    #expect(try world.ids(.heroes).count == 12)
    #expect(try a.states() == [:])
  }

  /// A batch that was refused says nothing of another one that was carried out and lost.
  @Test func refusedBatchBesideALostOneMakesNothingTwice() async throws {
    let world = try TestWorld { $0.features.remove(.idempotency) }
    try world.setLimits(page: 100, batch: 1)
    let refusal = world.server.addFault(
      FaultRule(.answer(status: 413), path: "/api/batch", number: 1))
    let loss = world.server.addFault(
      FaultRule(.dropAfterHandling, path: "/api/batch", numbers: 2...Int.max))
    let a = try world.library("a")
    for number in 0..<4 { try a.write("heroes/h\(number).json", Self.hero("H\(number)")) }
    _ = try await a.attempt(.push)
    world.server.removeFault(refusal)
    world.server.removeFault(loss)
    try await a.sync()
    #expect(try world.records(.heroes).count == 4)
    #expect(try world.ids(.heroes).count == 4)
    #expect(try a.states() == [:])
  }
}
