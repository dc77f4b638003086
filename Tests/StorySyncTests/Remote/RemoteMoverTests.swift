import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

@Suite(.inTurn) struct RemoteMoverTests {
  @Test(arguments: ServerAPI.allCases)
  func movesEverythingToAnotherServerOnce(_ api: ServerAPI) async throws {
    let world = try TestWorld(api)
    let other = try TestWorld(api)
    let a = try world.library("a")
    try a.write("heroes/luna.json", PushAndPullTests.luna)
    try a.write("events/lost-tooth.json", PushAndPullTests.tooth)
    try await a.sync()
    let moved = TestLibrary(root: a.root, world: other)
    #expect(try await moved.sync().stops.count == 1)
    #expect(try RemoteMover(a.library).move(to: .url(other.server.url)) == 2)
    #expect(try await moved.sync().created.count == 2)
    #expect(try a.states() == [:])
    #expect(try a.library.configuration.synced?.server == other.server.url)
    // And back: the first server has them already, so nothing is made again.
    try RemoteMover(a.library).move(to: .url(world.server.url))
    #expect(try await a.sync().adopted.count == 2)
    #expect(try world.records(.heroes).count == 1)
  }

  @Test(arguments: ServerAPI.allCases)
  func refusesWhileSomethingWaits(_ api: ServerAPI) async throws {
    let world = try TestWorld(api)
    let a = try world.library("a")
    try a.write("events/e.json", PushAndPullTests.tooth)
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
