import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// Rule 8: when a pull asks for changes alone, and when it may not.
@Suite(.inTurn) struct IncrementalPullTests {
  private let clock: ManualClock

  init() { clock = ManualClock(Self.start) }

  /// Kinto's own clock cannot be set, so the others go on from now.
  private static let start = TimeSource.system.now().seconds * 1_000

  typealias Server = (name: String, server: ContractServer, missing: Set<ServerFeature>)
  static let servers: [Server] = [
    ("all", .v0, []), ("no cursor", .v0, [.cursor]), ("no tombstones", .v0, [.tombstones]),
    ("none", .v0, [.cursor, .tombstones]), ("v1", .v1, Set(ServerFeature.allCases)),
  ]
  static let everyServer = servers + ContractServer.kintos.map { ($0.rawValue, $0, []) }
  /// Two nodes differ in the times and the order of what they list, and in nothing that is known here.
  static let singleServers = everyServer.filter { $0.server != .nodes }

  private func world(_ server: String = "all") throws -> TestWorld {
    let row = try #require(Self.everyServer.first { $0.name == server })
    let clock = clock
    return try TestWorld(row.server) {
      $0.features.subtract(row.missing)
      $0.clock = { clock.now }
    }
  }

  private func pass(hours: Int64 = 1) { clock.advance(milliseconds: hours * 3_600_000) }

  /// What the heroes' list was asked for since the last call: `nil` for everything.
  private func lowerBounds(_ world: TestWorld) -> [String?] {
    world.takeRequests().filter {
      $0.path == world.path("heroes") && $0.method == "GET" && !$0.target.contains("limit=1&")
    }
    .filter { !$0.target.hasSuffix("limit=1") }
    .map { request in
      let bound = request.target.split(separator: "&").first {
        $0.hasPrefix("updatedAfter=") || $0.hasPrefix("_since=") && $0 != "_since=%220%22"
      }
      return bound.map { item in
        // Undecoded, dates of the same hour do not compare as text.
        let value = String(item.drop { $0 != "=" }.dropFirst())
        let text = value.removingPercentEncoding ?? value
        let milliseconds = Int64(text.replacing("\"", with: ""))
        return milliseconds.map { ServerDate(seconds: $0 / 1_000).text } ?? text
      }
    }
  }

  /// The time so many hours after the start.
  private func date(hours: Int64) -> String {
    ServerDate(seconds: Self.start / 1_000 + hours * 3_600).text
  }

  private func hero(_ world: TestWorld, _ name: String) throws {
    try world.create("heroes", ["name": .string(name), "age": 5, "traits": ["x"]])
  }

  @Test(arguments: everyServer.map(\.name))
  func asksForChangesAndNothingElse(_ server: String) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    pass()
    try await a.sync()
    pass()
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    pass()
    _ = lowerBounds(world)
    let report = try await a.sync(.pull)
    #expect(report.receivedChanges.map(\.fields) == [["height"]])
    #expect(!lowerBounds(world).contains(nil))
    pass()
    try await a.sync(.pull)
    // Of what Kinto wrote no time has passed.
    let bound = date(hours: server.hasPrefix("Kinto") ? -1 : 1)
    #expect(try #require(lowerBounds(world).first).map { $0 > bound } == true)
    #expect(try await a.sync(.pull) { $0.isFull = true }.isQuiet)
    #expect(lowerBounds(world).contains(nil))
  }

  @Test(arguments: everyServer.map(\.name))
  func noticesWhatWent(_ server: String) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    try hero(world, "Otto")
    try hero(world, "Mia")
    try await a.sync()
    pass()
    try await a.sync()
    pass()
    // One comes for the one that goes, so that the number stays the same.
    try world.delete("heroes", a.sidecar("heroes/otto").id)
    try hero(world, "Ida")
    pass()
    let report = try await a.sync(.pull)
    #expect(report.receivedDeletes.map(\.description) == ["heroes/otto"])
    #expect(report.receivedNew.map(\.description) == ["heroes/ida"])
  }

  @Test(arguments: singleServers.map(\.name))
  func sidecarsThatGitChangedMeanAFullList(_ server: String) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    let (old, oldSidecar) = (try a.read("heroes/luna.json"), try a.read("heroes/.sync/luna.json"))
    pass()
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    try await a.sync()
    pass(hours: 24)
    try hero(world, "Otto")
    try await a.sync()
    // git checkout of the first commit's hero
    try a.write("heroes/luna.json", old)
    try a.write("heroes/.sync/luna.json", oldSidecar)
    pass()
    _ = lowerBounds(world)
    // A push sees changes that it leaves to a pull; that must not make the old marks good again.
    try await a.sync(.push)
    #expect(lowerBounds(world).contains(nil))
    pass()
    try await a.sync(.pull)
    #expect(lowerBounds(world).contains(nil))
    #expect(try a.value("heroes/luna.json")["height"] == "tall")
    #expect(try a.states() == [:])
  }

  @Test(arguments: singleServers.map(\.name))
  func pushLeavesRemoteChangesToThePull(_ server: String) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    pass()
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    pass()
    try a.edit("events/lost-tooth.json", "lost and found", "found")
    for _ in 0..<3 {
      try await a.sync(.push)
      pass(hours: 24)
    }
    #expect(try a.value("heroes/luna.json")["height"] == nil)
    try await a.sync(.pull)
    #expect(try a.value("heroes/luna.json")["height"] == "tall")
  }

  @Test(arguments: singleServers.map(\.name))
  func recordThatFailedIsAskedForAgain(_ server: String) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    pass()
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    try a.write("heroes/luna.json", "{\"name\": ")
    for _ in 0..<3 {
      pass(hours: 24)
      #expect(try await a.sync().failed.count == 1)
    }
    try a.write("heroes/luna.json", Samples.luna)
    pass(hours: 24)
    try await a.sync()
    #expect(try a.value("heroes/luna.json")["height"] == "tall")
  }

  @Test(arguments: singleServers.map(\.name))
  func recordedConflictCountsAsTakenIn(_ server: String) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    pass()
    try world.patch("stories", a.sidecar("stories/first-snow").id, ["title": "Theirs"])
    try a.edit("stories/first-snow.json", "The First Snow", "Mine")
    try await a.sync()
    pass(hours: 24)
    try await a.sync()
    pass(hours: 24)
    _ = world.takeRequests()
    #expect(try await a.sync().conflicts.count == 1)
    let lists = world.takeRequests().filter { $0.path == world.path("stories") }
    #expect(lists.contains { $0.target.contains(/updatedAfter=20|_since=%22[1-9]/) })
  }

  @Test func changesOfTheSameSecondAreNotAskedForAgain() async throws {
    let world = try world()
    let a = try await Samples.synced(world)
    for number in 1...20 { try hero(world, "Hero \(number)") }
    try await a.sync()
    // Now the marks are those of the listing that brought them; no second has passed.
    try await a.sync()
    let (settled, everything) = (try await a.sync(), try await a.sync { $0.isFull = true })
    #expect(settled.bytesDown * 4 < everything.bytesDown)
  }

  @Test(arguments: servers.map(\.name))
  func recordOfTheFuturePushesNoMark(_ server: String) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    // For an hour the server's clock was a year ahead.
    let year: Int64 = 365 * 24
    pass(hours: year)
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    pass(hours: -year)
    try await a.sync()
    for step in 1...3 {
      pass()
      try world.patch(
        "heroes", a.sidecar("heroes/luna").id, ["height": .string("step \(step)")])
      try await a.sync()
      #expect(try a.value("heroes/luna.json")["height"] == .string("step \(step)"))
    }
    pass()
    _ = lowerBounds(world)
    #expect(try await a.sync().isQuiet)
    let end = date(hours: 24)
    #expect(lowerBounds(world).allSatisfy { $0.map { $0 < end } == true })
  }

  @Test(arguments: singleServers.map(\.name))
  func syncThatBreaksOffAdvancesNothing(_ server: String) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    pass()
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    let fault = world.server.addFault(
      FaultRule(.dropBeforeHandling, method: "GET", path: world.path("stories")))
    #expect(try await a.attempt().error != nil)
    world.server.removeFault(fault)
    pass(hours: 24)
    try await a.sync()
    #expect(try a.value("heroes/luna.json")["height"] == "tall")
  }

  @Test(arguments: singleServers.map(\.name))
  func newsThatAPullLeavesAloneAreAskedForAgain(_ server: String) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    try hero(world, "Otto")
    try await a.sync()
    let id = try a.sidecar("heroes/otto").id
    pass()
    try world.patch("heroes", id, ["height": "tall"])
    try a.remove("heroes/otto.json")
    pass()
    // The record is gone here and shall go there, which a pull cannot say.
    try await a.sync(.pull) { $0.strategy = .local }
    pass(hours: 24)
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "small"])
    try await a.sync(.pull) { $0.strategy = .local }
    pass(hours: 24)
    let report = try await a.sync()
    #expect(report.failed.isEmpty)
    #expect(try a.value("heroes/otto.json")["height"] == "tall")
  }

  @Test(arguments: singleServers.map(\.name))
  func recordThatGitHidIsUpToDateWhenItComesBack(_ server: String) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    try hero(world, "Otto")
    try await a.sync()
    guard try git(a, "init", "-q"), try git(a, "add", ".") else { return }
    let text = try a.read("heroes/luna.json")
    #expect(try git(a, "update-index", "--skip-worktree", "heroes/luna.json"))
    try a.remove("heroes/luna.json")
    pass()
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    for day in 1...2 {
      try await a.sync()
      pass(hours: 24)
      // The mark moves on with what is here.
      try world.patch("heroes", a.sidecar("heroes/otto").id, ["height": .string("day \(day)")])
      pass(hours: 24)
    }
    try await a.sync()
    #expect(try git(a, "update-index", "--no-skip-worktree", "heroes/luna.json"))
    try a.write("heroes/luna.json", text)
    try await a.sync()
    #expect(try a.value("heroes/luna.json")["height"] == "tall")
  }

  @Test(arguments: singleServers.map(\.name))
  func recordThatWentThereIsNotTakenForSyncedWhenAnOlderSidecarComesBack(
    _ server: String
  ) async throws {
    let world = try world(server)
    let a = try await Samples.synced(world)
    try hero(world, "Otto")
    try await a.sync()
    let (path, sidecarPath) = ("heroes/otto.json", "heroes/.sync/otto.json")
    let (record, sidecar) = (try a.read(path), try a.read(sidecarPath))
    try a.edit(path, "5", "6")
    pass()
    try world.delete("heroes", a.sidecar("heroes/otto").id)
    try await a.sync()
    #expect(try a.sidecar("heroes/otto").conflict == .deletedOnServer)
    // The mark moves on.
    for height in ["small", "tall"] {
      pass(hours: 24)
      try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": .string(height)])
      try await a.sync()
    }
    try a.write(path, record)
    try a.write(sidecarPath, sidecar)
    pass(hours: 24)
    let report = try await a.sync()
    #expect(report.receivedDeletes.map(\.description) == ["heroes/otto"])
    #expect(!a.exists(path))
  }

  /// Runs git in a library; whether it did what it was told.
  private func git(_ library: TestLibrary, _ arguments: String...) throws -> Bool {
    let running = try RunningProgram(
      ProgramStart(words: ["/usr/bin/env", "git"] + arguments, folder: library.root))
    running.send("")
    return running.wait().code == 0
  }

  /// A list of changes would not have what the server has of it, and it would be created once more.
  @Test(arguments: singleServers.map(\.name))
  func recordThatComesBackIntoTheTreeWithoutItsSidecarIsNotMadeAgain(
    _ server: String
  ) async throws {
    let world = try world(server)
    let a = try world.library("a")
    try a.write("heroes/luna.json", Samples.luna)
    try await a.sync()
    pass()
    try a.remove("heroes/luna.json")
    var synchronizer = try a.synchronizer()
    synchronizer.scanner.notCheckedOut = { Set($0) }
    _ = try await synchronizer.run(SyncOptions())
    pass()
    try a.write("heroes/luna.json", Samples.luna)
    try a.remove("heroes/.sync/luna.json")
    let report = try await a.sync()
    #expect(report.created.isEmpty)
    #expect(try world.ids(.heroes).count == 1)
  }
}
