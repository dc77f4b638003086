import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

@Suite(.inTurn) struct RemoteMoverTests {
  @Test(arguments: ContractServer.single)
  func movesEverythingToAnotherServerOnce(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let other = try TestWorld(server)
    let a = try world.library("a")
    try a.write("heroes/luna.json", Samples.luna)
    try a.write("events/lost-tooth.json", Samples.tooth)
    try await a.sync()
    let moved = TestLibrary(root: a.root, world: other)
    #expect(try await moved.sync().stops.count == 1)
    #expect(try RemoteMover(a.library).move(to: .url(other.url)).sidecars == 2)
    #expect(try await moved.sync().created.count == 2)
    #expect(try a.states() == [:])
    #expect(try a.library.configuration.synced?.server == other.url)
    // And back: the first server has them already, so nothing is made again.
    try RemoteMover(a.library).move(to: .url(world.url))
    #expect(try await a.sync().adopted.count == 2)
    #expect(try world.records(.heroes).count == 1)
  }

  @Test(arguments: ContractServer.oneOfEach)
  func `leaves a server that is gone for good`(_ server: ContractServer) async throws {
    let (world, other) = (try TestWorld(server), try TestWorld(server))
    let a = try world.library("a")
    try a.write("heroes/luna.json", Samples.luna)
    world.server.addFault(FaultRule(.dropAfterHandling) { !$0.isRead })
    #expect(try await a.attempt(.push).error != nil)
    #expect(throws: RemoteMover.Refusal.openWrites) {
      try RemoteMover(a.library).move(to: .url(other.url))
    }
    try RemoteMover(a.library).move(to: .url(other.url), isDryRun: true, abandonsWrites: true)
    #expect(try !Journal(a.library).unfinished.isEmpty)
    try RemoteMover(a.library).move(to: .url(other.url), abandonsWrites: true)
    let moved = TestLibrary(root: a.root, world: other)
    #expect(try await moved.sync().created.map(\.description) == ["heroes/luna"])
    #expect(try a.states() == [:])
    #expect(try other.records(.heroes).count == 1)
  }

  /// A pair that is gone, a sidecar alone, and a file that an editor emptied.
  @Test(arguments: ["pair", "record", "empty"], [false, true])
  func `only the old server is sure to have a record`(_ what: String, isGone: Bool) async throws {
    let (world, other) = (try TestWorld(), try TestWorld())
    let a = try world.library("a")
    try a.write("heroes/luna.json", Samples.luna)
    try a.write("heroes/otto.json", Samples.luna.replacing("Luna", with: "Otto"))
    try await a.sync()
    let ref = RecordRef(kind: .heroes, name: "luna")
    if what == "empty" { try a.write(ref.path, "") } else { try a.remove(ref.path) }
    if what == "pair" { try a.remove(ref.sidecarPath) }
    if what == "record" { try FileSystem.remove(a.library.statePath("seen")) }
    if what == "record" { try FileSystem.remove(a.library.statePath("index")) }
    #expect(throws: RemoteMover.Refusal.absent([ref])) {
      try RemoteMover(a.library).move(to: .url(other.url))
    }
    guard isGone else {
      if what == "empty" { try a.write(ref.path, Samples.luna) }
      try await a.sync(.pull)
      try RemoteMover(a.library).move(to: .url(other.url))
      #expect(try await TestLibrary(root: a.root, world: other).sync().created.count == 2)
      return
    }
    let moved = try RemoteMover(a.library).move(to: .url(other.url), abandonsWrites: true)
    #expect(moved.abandoned == [ref])
    let kept = try RunHistory(a.library).versions(of: ref).compactMap {
      try? JSONValue(parsing: $0.text)["name"]?.string
    }
    #expect(kept == (what == "pair" ? [] : ["Luna"]))
  }

  /// The ids go only once the move is saved, and the unconfirmed write only once they are gone.
  @Test(.enabled(if: StopPoints.areAvailable))
  func `a move that dies anywhere can be made again`() async throws {
    for call in 1...80 {
      let (world, other) = (try TestWorld(), try TestWorld())
      let a = try world.library("a")
      try a.write("events/lost-tooth.json", Samples.tooth)
      try await a.sync()
      try a.write("heroes/luna.json", Samples.luna)
      world.server.addFault(FaultRule(.dropAfterHandling) { !$0.isRead })
      #expect(try await a.attempt(.push).error != nil)
      let stops = try StopPoints(a.root)
      stops.arm(call)
      _ = try? RemoteMover(a.library).move(to: .url(other.url), abandonsWrites: true)
      let isDone = !stops.isStopped
      stops.arm()
      let isSaved = try a.library.configuration.server == .url(other.url)
      let hasIDs = a.exists("events/.sync/lost-tooth.json")
      let isForgotten = try Journal(a.library).unfinished.isEmpty
      #expect(hasIDs || isSaved, "died at change \(call)")
      #expect(!isForgotten || !hasIDs, "died at change \(call)")
      try RemoteMover(a.library).move(to: .url(other.url), abandonsWrites: true)
      let report = try await TestLibrary(root: a.root, world: other).sync()
      #expect(report.stops.isEmpty && report.failed.isEmpty, "died at change \(call)")
      #expect(try other.records(.heroes).count == 1 && other.records(.customEvents).count == 1)
      #expect(try a.states() == [:], "died at change \(call)")
      if isDone { return }
    }
    Issue.record("a move makes more changes than that")
  }

  /// Only their ids tell which of them a story means.
  @Test(arguments: ["swapped with their sidecars", "renamed"])
  func `stories follow their heroes first`(_ change: String) async throws {
    let (world, other) = (try TestWorld(), try TestWorld())
    let a = try await Samples.synced(world)
    try a.write("heroes/otto.json", Samples.luna.replacing("Luna", with: "Otto"))
    try await a.sync()
    if change == "renamed" {
      try a.move("heroes/luna.json", "heroes/moon.json")
    } else {
      for folder in ["heroes", "heroes/.sync"] {
        for (from, to) in [("luna", "x"), ("otto", "luna"), ("x", "otto")] {
          try a.move("\(folder)/\(from).json", "\(folder)/\(to).json")
        }
      }
    }
    try RemoteMover(a.library).move(to: .url(other.url))
    let moved = TestLibrary(root: a.root, world: other)
    try await moved.sync()
    #expect(try a.states() == [:])
    let luna = try other.id(.heroes, "Luna")
    #expect(try other.live(.stories).map { $0.value["heroId"]?.string } == [luna])
  }

  /// How git brings records of the old server into a library that was moved.
  enum Way: String, CaseIterable, Sendable {
    /// Another machine moved it, and git brought that here.
    case moveIsPulled
    /// It was moved here, and a branch that still has them is merged.
    case branchIsMerged
    /// The result of such a merge is cloned.
    case mergeIsCloned
  }

  @Test(arguments: ContractServer.single, Way.allCases)
  func `records of the old server that git brings are no deletes`(
    _ server: ContractServer, _ way: Way
  ) async throws {
    // Without tombstones, only this machine's last sync tells.
    if server == .v1, way != .moveIsPulled { return }
    let (world, other) = (try TestWorld(server), try TestWorld(server))
    let a = try await Samples.synced(world)
    try a.write("heroes/mia.json", Samples.luna.replacing("Luna", with: "Mia"))
    try a.write("stories/tale.json", Samples.snow.replacing("luna", with: "mia"))
    try await a.sync()
    let paths = ["heroes/mia.json", "stories/tale.json"].flatMap { path in
      [path, path.replacing("/", with: "/.sync/")]
    }
    let texts = try paths.map { try a.read($0) }
    let state = try a.read(".stories/pulls.json")
    for path in paths { try a.remove(path) }
    try RemoteMover(a.library).move(to: .url(other.url), abandonsWrites: true)
    let moved = TestLibrary(root: a.root, world: other)
    try await moved.sync()
    for (path, text) in zip(paths, texts) { try a.write(path, text) }
    switch way {
    case .moveIsPulled: try a.write(".stories/pulls.json", state)
    case .branchIsMerged: break
    case .mergeIsCloned: try FileSystem.removeTree(a.path(".stories"))
    }
    let created = ["heroes/mia", "stories/tale"]
    let dry = try await moved.sync { $0.isDryRun = true }
    #expect(dry.receivedDeletes.isEmpty && dry.created.map(\.description) == created)
    let report = try await moved.sync()
    #expect(report.stops.isEmpty && report.failed.isEmpty && report.receivedDeletes.isEmpty)
    #expect(report.created.map(\.description) == created)
    #expect(try a.states() == [:])
    #expect(try other.records(.heroes).keys.sorted() == ["Luna", "Mia"])
    let heroes = try other.live(.stories).compactMap { $0.value["heroId"]?.string }
    #expect(try heroes.contains(other.id(.heroes, "Mia")))
    #expect(try await moved.sync().isQuiet)
  }

  /// What cannot be synced keeps the old server's id, which must not count as the new one's later.
  @Test func `an unreadable record of the old server is no delete once it is fixed`() async throws {
    let (world, other) = (try TestWorld(), try TestWorld())
    let a = try await Samples.synced(world)
    try a.write("heroes/mia.json", Samples.luna.replacing("Luna", with: "Mia"))
    try await a.sync()
    let (text, sidecar) = (try a.read("heroes/mia.json"), try a.read("heroes/.sync/mia.json"))
    for path in ["heroes/mia.json", "heroes/.sync/mia.json"] { try a.remove(path) }
    try RemoteMover(a.library).move(to: .url(other.url), abandonsWrites: true)
    let moved = TestLibrary(root: a.root, world: other)
    try await moved.sync()
    try a.write("heroes/mia.json", "<<<<<<< HEAD\n" + text)
    try a.write("heroes/.sync/mia.json", sidecar)
    for _ in 0..<2 { #expect(try await moved.sync().failed.map(\.ref.name) == ["mia"]) }
    try a.write("heroes/mia.json", text)
    #expect(try await moved.sync().created == [RecordRef("heroes/mia")])
    #expect(try a.states() == [:])
  }

  @Test(arguments: ContractServer.oneOfEach)
  func refusesWhileSomethingWaits(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try world.library("a")
    try a.write("events/e.json", Samples.tooth)
    try await a.sync()
    try world.delete("custom-events", try a.sidecar("events/e").id)
    try a.edit("events/e.json", "lost and found", "found")
    try await a.sync()
    let ref = RecordRef(kind: .events, name: "e")
    #expect(throws: RemoteMover.Refusal.conflicts([ref])) {
      try RemoteMover(a.library).move(to: .embedded)
    }
  }
}
