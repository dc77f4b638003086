import JSONText
import StoryLibrary
import StoryServer
import Testing

@testable import StorySync

/// A dry run tells what the real run does, and does nothing.
@Suite struct DryRunTests {
  /// Runs dry, then really, and compares.
  private func expectSame(
    _ library: TestLibrary, _ direction: SyncOptions.Direction,
    _ change: (inout SyncOptions) -> Void = { _ in }
  ) async throws -> SyncReport {
    let before = try library.tracked()
    _ = library.world.takeRequests()
    let dry = try await library.sync(direction) { options in
      change(&options)
      options.isDryRun = true
    }
    #expect(library.world.takeRequests().allSatisfy { $0.method == "GET" })
    #expect(try library.tracked() == before)
    let real = try await library.sync(direction, change)
    #expect(dry.outline == real.outline)
    return real
  }

  @Test(arguments: SyncOptions.Direction.allCases, ServerAPI.allCases)
  func tellsMergesInEveryDirection(
    _ direction: SyncOptions.Direction, _ api: ServerAPI
  ) async throws {
    let world = try TestWorld(api)
    let a = try await Samples.synced(world)
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    try a.edit("heroes/luna.json", "7", "8")
    let report = try await expectSame(a, direction)
    #expect(report.merged.map(\.description) == ["heroes/luna"])
  }
}
