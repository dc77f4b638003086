import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// Servers that went back to an older state, or lost some of it: noticed at each pull and by each
/// refused write.
@Suite(.inTurn) struct RestoredServerTests {
  private let clock = ManualClock()

  private func world(_ server: String) throws -> TestWorld {
    let row = try #require(IncrementalPullTests.servers.first { $0.name == server })
    let clock = clock
    return try TestWorld(row.server) {
      $0.features.subtract(row.missing)
      $0.clock = { clock.now }
    }
  }

  private func pass(hours: Int64 = 1) { clock.advance(milliseconds: hours * 3_600_000) }

  /// Who knows of the version that the backup lacks, and what else happened since.
  enum History: String, CaseIterable, Sendable {
    case pulled, pushed, pulledLongAgo, pushedThenDeletedAnother
  }

  /// A library that knows more than its server.
  private func restored(
    _ world: TestWorld, _ history: History
  ) async throws -> (library: TestLibrary, newer: TestWorld.Backup) {
    let a = try await Samples.synced(world)
    try await a.sync()
    pass()
    try world.create("heroes", ["name": "Otto", "age": 5, "traits": ["x"]])
    try await a.sync()
    pass()
    let backup = world.backup()
    if history == .pulled || history == .pulledLongAgo {
      try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    } else {
      try a.edit("heroes/luna.json", "7", "8")
    }
    try await a.sync()
    pass()
    if history == .pulledLongAgo {
      pass(hours: 24)
      try await a.sync()
    }
    if history == .pushedThenDeletedAnother {
      try world.create("heroes", ["name": "Ida", "age": 5, "traits": ["x"]])
      try await a.sync()
      pass()
      try world.delete("heroes", a.sidecar("heroes/ida").id)
      try await a.sync()
      pass(hours: 24)
      try await a.sync()
    }
    let newer = world.backup()
    world.restore(backup)
    pass()
    return (a, newer)
  }

  @Test(arguments: IncrementalPullTests.servers.map(\.name), History.allCases)
  func everyPullNotices(_ server: String, _ history: History) async throws {
    let world = try world(server)
    let (a, newer) = try await restored(world, history)
    try a.edit("events/lost-tooth.json", "lost and found", "found")
    let before = try a.tracked()
    for direction in SyncOptions.Direction.allCases + [.both] {
      _ = world.takeRequests()
      let report = try await a.sync(direction)
      guard case .serverWentBack(let ref, _, _)? = report.stops.first else {
        Issue.record("\(direction): \(report.stops)")
        continue
      }
      #expect(ref.description == "heroes/luna")
      #expect(world.takeRequests().allSatisfy { $0.isRead })
      pass()
    }
    #expect(try a.tracked() == before)
    // It was a mistake, and the newer state comes back.
    world.restore(newer)
    pass()
    #expect(try await a.sync().stops.isEmpty)
    #expect(try await a.sync().isQuiet)
  }

  /// On a server with tombstones that has neither the newest record nor its tombstone.
  @Test func recordThatIsNotThereWithoutATombstoneIsNoDelete() async throws {
    let world = try world("all")
    let a = try await Samples.synced(world)
    let backup = world.backup()
    pass()
    try world.create("heroes", ["name": "Otto", "age": 5, "traits": ["x"]])
    try await a.sync()
    pass()
    world.restore(backup)
    for _ in 0..<2 {
      let report = try await a.sync()
      guard case .serverWentBack(let ref, _, _)? = report.stops.first else {
        Issue.record("\(report.stops)")
        return
      }
      #expect(ref.description == "heroes/otto")
      #expect(a.exists("heroes/otto.json"))
    }
  }

  @Test(arguments: ["all", "no tombstones"])
  func idleSyncAsksNoMoreThanBefore(_ server: String) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    for _ in 0..<2 {
      pass()
      try await a.sync()
    }
    _ = world.takeRequests()
    pass()
    #expect(try await a.sync().isQuiet)
    #expect(world.takeRequests().count == 4)
  }

  // MARK: Records that are lost

  @Test(arguments: IncrementalPullTests.servers.map(\.name))
  func lostRecordIsNoticedByTheTotal(_ server: String) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    for name in ["Otto", "Ida", "Mia"] {
      try world.create("heroes", ["name": .string(name), "age": 5, "traits": ["x"]])
      pass()
    }
    try await a.sync()
    pass(hours: 24)
    try world.patch("heroes", a.sidecar("heroes/mia").id, ["height": "tall"])
    try await a.sync()
    pass(hours: 24)
    // The server loses one without a word.
    let otto = try a.sidecar("heroes/otto").id
    let text = try #require(try world.records(.heroes)["Otto"])
    try world.lose(.heroes, otto)
    #expect(text["id"]?.string == otto)
    let report = try await a.sync()
    #expect(report.stops.isEmpty)
    #expect(report.receivedDeletes.map(\.description) == ["heroes/otto"])
    #expect(try await a.sync().isQuiet)
  }

  /// A fresh clone cannot tell a server that lost everything from one that never had it.
  @Test func `a server that knows too little gets nothing from a fresh clone`() async throws {
    let world = try world("all")
    let a = try await Samples.synced(world)
    for name in ["Otto", "Ida"] {
      try world.create("heroes", ["name": .string(name), "age": 5, "traits": ["x"]])
    }
    try await a.sync()
    for name in ["luna", "otto", "ida"] {
      try world.lose(.heroes, a.sidecar("heroes/\(name)").id)
    }
    try a.remove(".stories/pulls.json")
    let before = try a.tracked()
    _ = world.takeRequests()
    for _ in 0..<2 {
      let report = try await a.sync()
      guard case .serverWentBack(_, _, nil)? = report.stops.first else {
        Issue.record("\(report.stops)")
        return
      }
    }
    #expect(world.takeRequests().allSatisfy { $0.isRead })
    #expect(try a.tracked() == before)
  }

  // MARK: Refused writes

  @Test(arguments: [[], [.idempotency], [.etag], [.etag, .idempotency]] as [[ServerFeature]])
  func olderRecordInARefusalStops(_ missing: [ServerFeature]) async throws {
    for isDelete in [true, false] {
      let clock = clock
      let world = try TestWorld {
        $0.features.subtract(missing)
        $0.clock = { clock.now }
      }
      let a = try await Samples.syncedApart(world)
      let backup = world.backup()
      pass()
      try world.patch("custom-events", a.sidecar("events/lost-tooth").id, ["tone": "calm"])
      try await a.sync()
      pass()
      if isDelete {
        try a.remove("events/lost-tooth.json")
      } else {
        try a.edit("events/lost-tooth.json", "lost and found", "found")
      }
      // It goes back after it was listed.
      world.server.addFault(
        FaultRule(
          .after { _ in world.restore(backup) }, method: "GET", path: "*/custom-events", number: 1))
      let before = try a.tracked()
      let report = try await a.sync()
      guard case .serverWentBack(let ref, _, _)? = report.stops.first else {
        Issue.record("\(missing) \(isDelete): \(report.stops)")
        continue
      }
      #expect(ref.description == "events/lost-tooth")
      #expect(try world.records(.customEvents)["The lost tooth"]?["tone"] != "calm")
      #expect(try world.ids(.customEvents).count == 1)
      #expect(try a.tracked() == before)
    }
  }
}
