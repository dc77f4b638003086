import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import StorySync

/// Temporary files of a sync that died.
@Suite(.inTurn, .enabled(if: StopPoints.areAvailable)) struct StaleFileCleanupTests {
  @Test func areGoneAfterTheNextSync() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    let stops = try StopPoints(a.root)
    // How many changes the sync makes that takes in one edit; each is a place to die at.
    try world.patch("heroes", id, ["height": "0 cm"])
    stops.arm()
    try await a.sync()
    let count = stops.count
    #expect(count > 10)
    var died = 0
    for call in 1...count {
      try world.patch("heroes", id, ["height": .string("\(call) cm")])
      stops.arm(call)
      _ = try? await a.sync()
      // Whether the index is written as well is a matter of the clock, so a later sync may make fewer.
      if stops.isStopped { died += 1 }
      stops.arm()
      try await a.sync()
      #expect(try a.scan().staleFiles.isEmpty)
      #expect(try a.value("heroes/luna.json")["height"] == .string("\(call) cm"))
      #expect(try a.states() == [:])
      #expect(try a.paths("heroes") == ["heroes/.sync/luna.json", "heroes/luna.json"])
    }
    #expect(died > 10)
  }
}
